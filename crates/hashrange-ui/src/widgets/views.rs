//! Several views as one, all of the same type: every other type of list is 2 KB more to download.

use leptos::prelude::*;

/// Views in a row.
pub(crate) trait Views {
    /// Draws them one after the other.
    fn views(self) -> AnyView;
}

impl<I: IntoIterator<Item: IntoAny>> Views for I {
    fn views(self) -> AnyView {
        self.into_iter().map(IntoAny::into_any).collect::<Vec<AnyView>>().into_any()
    }
}
