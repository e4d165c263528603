//! [`RwSignal`], [`Memo`] and [`Signal`] of any type, over those of Leptos for one type.
//!
//! Leptos makes some forty functions, 3 KB, anew for every type a signal holds, and every visitor downloads
//! them. Here a value is kept behind a pointer whose type is known to the signal's own type alone.
//!
//! Invariant: what a signal of `T` holds is a `T`, since nothing else is ever put into it.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::{
    Get, GetUntracked, Memo as AnyMemo, RwSignal as AnyRwSignal, Set, Signal as AnySignal, Track,
};

type Held = Arc<dyn Any + Send + Sync>;

/// What a memo does: `dyn Fn` would do, and be longer to download for each memo.
trait Compute: Send + Sync {
    fn compute(&self, last: Option<&Held>) -> Held;
}

struct Computing<T, F>(F, PhantomData<fn() -> T>);

impl<T: Send + Sync + 'static, F: Fn(Option<&T>) -> T + Send + Sync> Compute for Computing<T, F> {
    fn compute(&self, last: Option<&Held>) -> Held {
        Arc::new(self.0(last.map(value)))
    }
}

fn value<T: 'static>(held: &Held) -> &T {
    held.downcast_ref().expect("a signal holds what it was made of")
}

macro_rules! signal {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        pub(crate) struct $name<T> {
            held: $inner,
            holds: PhantomData<fn() -> T>,
        }

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        #[allow(dead_code, reason = "each kind of signal can be read in every way")]
        impl<T: Send + Sync + 'static> $name<T> {
            fn of(held: $inner) -> Self {
                Self { held, holds: PhantomData }
            }

            /// Reads the value and tracks it.
            pub(crate) fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
                read(value(&self.held.get()))
            }

            /// Reads the value without tracking it.
            pub(crate) fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
                read(value(&self.held.get_untracked()))
            }

            /// Tracks the value without reading it.
            pub(crate) fn track(self) {
                self.held.track();
            }

            /// The value, tracked.
            pub(crate) fn get(self) -> T where T: Clone {
                self.with(T::clone)
            }

            /// The value, not tracked.
            pub(crate) fn get_untracked(self) -> T where T: Clone {
                self.with_untracked(T::clone)
            }

            /// The value, not tracked; none after its owner is gone.
            pub(crate) fn try_get_untracked(self) -> Option<T> where T: Clone {
                self.held.try_get_untracked().map(|held| value::<T>(&held).clone())
            }
        }
    };
}

signal! {
    /// A value that can be set.
    RwSignal(AnyRwSignal<Held>)
}
signal! {
    /// A value computed of others, once for all who read it.
    Memo(AnyMemo<Held>)
}
signal! {
    /// A value that can be read, wherever it is from.
    Signal(AnySignal<Held>)
}

impl<T: Send + Sync + 'static> RwSignal<T> {
    /// A signal that holds `value` at first.
    pub(crate) fn new(value: T) -> Self {
        Self::of(AnyRwSignal::new(Arc::new(value)))
    }

    /// Puts another value in place of the one it holds.
    pub(crate) fn set(self, value: T) {
        self.held.set(Arc::new(value));
    }

    /// As [`Self::set`]; does nothing after its owner is gone.
    pub(crate) fn try_set(self, value: T) {
        // The value comes back where it could not be set.
        let _ = self.held.try_set(Arc::new(value));
    }
}

impl<T: PartialEq + Send + Sync + 'static> Memo<T> {
    /// A value computed of what `compute` tracks and of the value before.
    pub(crate) fn new(compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self {
        let compute: Box<dyn Compute> = Box::new(Computing(compute, PhantomData));
        Self::of(memo(compute, |last, now| last.map(value::<T>) != now.map(value)))
    }
}

fn memo(
    compute: Box<dyn Compute>,
    has_changed: fn(Option<&Held>, Option<&Held>) -> bool,
) -> AnyMemo<Held> {
    AnyMemo::new_with_compare(move |last| compute.compute(last), has_changed)
}

impl<T: Send + Sync + 'static> Signal<T> {
    /// A value computed anew for each who reads it.
    pub(crate) fn derive(compute: impl Fn() -> T + Send + Sync + 'static) -> Self {
        let compute: Box<dyn Fn() -> Held + Send + Sync> = Box::new(move || Arc::new(compute()));
        Self::of(AnySignal::derive(compute))
    }

    /// A value that stays.
    pub(crate) fn stored(value: T) -> Self {
        Self::of(AnySignal::stored(Arc::new(value)))
    }
}

impl<T: Default + Send + Sync + 'static> Default for Signal<T> {
    fn default() -> Self {
        Self::stored(T::default())
    }
}

impl<T: Send + Sync + 'static> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Self {
        Self::of(signal.held.into())
    }
}

impl From<String> for Signal<String> {
    fn from(text: String) -> Self {
        Self::stored(text)
    }
}

#[cfg(test)]
mod tests {
    use leptos::prelude::Owner;

    use super::*;

    #[test]
    fn signals_hold_compute_and_hand_on_their_values() {
        let owner = Owner::new();
        let (text, length, read) = owner.with(|| {
            let text = RwSignal::new("a".to_owned());
            let length = Memo::new(move |last: Option<&usize>| {
                text.with(String::len).max(last.copied().unwrap_or(0))
            });
            (text, length, Signal::from(text))
        });
        let seen = || (read.get_untracked(), length.get_untracked());
        assert_eq!(seen(), ("a".to_owned(), 1));
        text.set("abc".to_owned());
        assert_eq!(seen(), ("abc".to_owned(), 3));
        text.try_set("b".to_owned());
        assert_eq!(seen(), ("b".to_owned(), 3));
        drop(owner);
        assert_eq!(text.try_get_untracked(), None);
    }

    #[test]
    fn a_memo_of_the_same_value_wakes_nobody() {
        let owner = Owner::new();
        owner.with(|| {
            let number = RwSignal::new(1);
            let is_even = Memo::new(move |_| number.get() % 2 == 0);
            let n_read = Memo::new(move |last: Option<&u32>| {
                let _ = is_even.get();
                last.map_or(1, |last| last + 1)
            });
            assert_eq!(n_read.get_untracked(), 1);
            number.set(3);
            assert_eq!(n_read.get_untracked(), 1);
            number.set(4);
            assert_eq!(n_read.get_untracked(), 2);
        });
    }
}
