//! Which tab works on a design: a lock of the browser for each, which goes with its tab.
//!
//! Invariant: one tab at most holds a design. Where the browser has no locks, every tab is let in, and who writes
//! second is refused by `storage`.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Function, Object, Promise, Reflect};
use leptos::task::spawn_local;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    /// The browser's locks. `web_sys` has them behind a build flag.
    type LockManager;

    #[wasm_bindgen(method)]
    fn request(this: &LockManager, name: &str, options: &Object, granted: &Function) -> Promise;
}

/// The right to work on a design; dropping it gives it up.
#[derive(Debug)]
pub(crate) struct Hold {
    give_up: Option<Function>,
    is_held: Rc<Cell<bool>>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.is_held.set(false);
        if let Some(give_up) = &self.give_up {
            // It only resolves a promise.
            let _ = give_up.call0(&JsValue::UNDEFINED);
        }
    }
}

/// Asks for the right to work on a design; none if another tab has it. With `is_forced` it is taken from the other
/// tab. `on_lost` is called when another tab takes it from this one.
pub(crate) async fn claim(
    id: u32,
    is_forced: bool,
    on_lost: impl FnOnce() + 'static,
) -> Option<Hold> {
    let is_held = Rc::new(Cell::new(false));
    let Some(locks) = locks() else { return Some(Hold { give_up: None, is_held }) };
    let options = Object::new();
    let option = if is_forced { "steal" } else { "ifAvailable" };
    // Setting a member of a new object cannot fail.
    let _ = Reflect::set(&options, &JsValue::from(option), &JsValue::TRUE);
    let mut ended = None;
    let mut answer = None;
    let granted = Promise::new(&mut |tell, _| {
        answer = Some(tell.clone());
        let granted = Closure::once_into_js(move |lock: JsValue| -> JsValue {
            if lock.is_null() {
                let _ = tell.call1(&JsValue::UNDEFINED, &JsValue::NULL);
                return JsValue::UNDEFINED;
            }
            // The lock is held until this promise ends.
            Promise::new(&mut |give_up, _| {
                let _ = tell.call1(&JsValue::UNDEFINED, &give_up);
            })
            .into()
        });
        let name = format!("hashrange.design.{id}");
        ended = Some(locks.request(&name, &options, granted.unchecked_ref()));
    });
    let (ended, answer) = (ended?, answer?);
    let was_held = Rc::clone(&is_held);
    spawn_local(async move {
        if JsFuture::from(ended).await.is_ok() {
            return;
        }
        if was_held.replace(false) {
            on_lost();
        } else {
            // Refused before it was granted, as in a sandboxed frame: it is as if there were no locks.
            let _ = answer.call0(&JsValue::UNDEFINED);
        }
    });
    let granted = JsFuture::from(granted).await.ok()?;
    if granted.is_null() {
        return None;
    }
    is_held.set(true);
    Some(Hold { give_up: granted.dyn_into().ok(), is_held })
}

fn locks() -> Option<LockManager> {
    let navigator = web_sys::window()?.navigator();
    let locks = Reflect::get(&navigator, &JsValue::from("locks")).ok()?;
    locks.is_object().then(|| locks.unchecked_into())
}
