//! Scroll positions, once per frame.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{Element, Event, ResizeObserver};

use super::dom::ElementRef;
use crate::signal::Memo;

/// Height of the row of column titles that stays on top, in px.
const HEAD_PX: i32 = 28;

/// A scroll listener that reports the position at most once a frame.
pub(crate) fn listener(report: impl Fn(u32) + Clone + 'static) -> impl Fn(Event) + 'static {
    let is_waiting = Rc::new(Cell::new(false));
    move |event| {
        let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok())
        else {
            return;
        };
        if is_waiting.replace(true) {
            return;
        }
        let (is_waiting, report) = (Rc::clone(&is_waiting), report.clone());
        request_animation_frame(move || {
            is_waiting.set(false);
            report(u32::try_from(element.scroll_top()).unwrap_or(0));
        });
    }
}

/// Scrolls `element` so that `height` px from `top` on are in view below its sticky head.
pub(crate) fn bring_into_view(element: ElementRef, top: u32, height: u32) {
    let Some(element) = element.get::<Element>() else { return };
    let (top, height) =
        (i32::try_from(top).unwrap_or(i32::MAX), i32::try_from(height).unwrap_or(0));
    let room = element.client_height() - HEAD_PX;
    let now = element.scroll_top();
    if top < now {
        element.set_scroll_top(top);
    } else if top + height > now + room {
        element.set_scroll_top(top + height - room);
    }
}

/// Reports the height of `node`'s view, in px, now and whenever it changes.
pub(crate) fn watch_height(node: ElementRef, report: impl Fn(u32) + Clone + 'static) {
    if !super::IS_BROWSER {
        return;
    }
    Effect::new(move |_| {
        let Some(node) = node.get::<Element>() else { return };
        let (report, seen) = (report.clone(), node.clone());
        let measure = Closure::<dyn FnMut()>::new(move || {
            report(u32::try_from(seen.client_height()).unwrap_or(0));
        });
        if let Ok(observer) = ResizeObserver::new(measure.as_ref().unchecked_ref()) {
            observer.observe(&node);
            // The grid lives as long as the page, and so does what watches it.
            measure.forget();
        }
    });
}

/// Keeps what is lit in view: whenever `lit` says another place, `node` scrolls there.
pub(crate) fn follow(node: ElementRef, lit: Memo<Option<(u32, u32)>>) {
    if !super::IS_BROWSER {
        return;
    }
    Effect::new(move |_| {
        let (Some(node), Some((top, height))) = (node.get::<Element>(), lit.get()) else { return };
        let top = i32::try_from(top).unwrap_or(i32::MAX);
        let end = top.saturating_add(i32::try_from(height).unwrap_or(0));
        let now = node.scroll_top();
        // The page may not have been laid out yet, so the scroll waits for the next frame.
        if top < now || end > now + (node.client_height() - HEAD_PX) / 2 {
            request_animation_frame(move || node.set_scroll_top(top));
        }
    });
}

/// Scrolls `node` back to its top whenever `newest` changes.
pub(crate) fn show_newest(node: ElementRef, newest: Memo<Option<u32>>) {
    if !super::IS_BROWSER {
        return;
    }
    Effect::new(move |_| {
        newest.track();
        if let Some(node) = node.get::<Element>() {
            node.set_scroll_top(0);
        }
    });
}

/// The row and column that an event happened on, as the cell's `data-row` and `data-column` say.
pub(crate) fn cell_of(event: &Event) -> Option<(u32, u32)> {
    let element = event.target()?.dyn_into::<Element>().ok()?;
    let cell = element.closest("[data-column]").ok()??;
    let number = |name| cell.get_attribute(name)?.parse().ok();
    Some((number("data-row")?, number("data-column")?))
}
