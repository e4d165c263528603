//! Files a person chose or dropped: read in slices, so that progress shows and the page stays alive.

use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Blob, DragEvent, Event, HtmlElement, HtmlInputElement, Url};

/// Bytes of a slice.
const SLICE_BYTES: u64 = 1024 * 1024;

/// A file that has not been read.
pub(crate) struct File(web_sys::File);

/// A step of reading a file.
pub(crate) enum Step {
    /// This share of it has been read, 0 to 1.
    Read(f64),
    /// All of it.
    Whole(Vec<u8>),
    /// The browser could not read it.
    Failed,
}

impl File {
    /// Its name.
    pub(crate) fn name(&self) -> String {
        self.0.name()
    }

    /// Its size.
    pub(crate) fn n_bytes(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "sizes are whole and positive"
        )]
        let n_bytes = self.0.size() as u64;
        n_bytes
    }
}

/// The file chosen in an `<input type="file">`, which is emptied so that the same file can be chosen again.
pub(crate) fn chosen(event: &Event) -> Option<File> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let file = input.files()?.get(0)?;
    input.set_value("");
    Some(File(file))
}

/// The first file of a drop.
pub(crate) fn dropped(event: &DragEvent) -> Option<File> {
    event.data_transfer()?.files()?.get(0).map(File)
}

/// True if what is being dragged is a file, not a piece of text.
pub(crate) fn carries_file(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|transfer| transfer.types());
    types.is_some_and(|types| types.iter().any(|kind| kind.as_string().as_deref() == Some("Files")))
}

/// Reads a file, telling each step.
pub(crate) fn read(file: File, tell: impl Fn(Step) + 'static) {
    spawn_local(async move {
        match read_slices(&file, &tell).await {
            Some(bytes) => tell(Step::Whole(bytes)),
            None => tell(Step::Failed),
        }
    });
}

async fn read_slices(file: &File, tell: &impl Fn(Step)) -> Option<Vec<u8>> {
    let n_bytes = file.n_bytes();
    let mut bytes = Vec::with_capacity(usize::try_from(n_bytes).ok()?);
    let mut start = 0;
    while start < n_bytes {
        let end = (start + SLICE_BYTES).min(n_bytes);
        #[expect(clippy::cast_precision_loss, reason = "sizes of files stay far below 2^53")]
        let (from, to, share) = (start as f64, end as f64, end as f64 / n_bytes as f64);
        let slice = file.0.slice_with_f64_and_f64(from, to).ok()?;
        let buffer = JsFuture::from(slice.array_buffer()).await.ok()?;
        bytes.extend(js_sys::Uint8Array::new(&buffer).to_vec());
        tell(Step::Read(share));
        start = end;
    }
    Some(bytes)
}

/// An address under which the browser offers `bytes` for download, for as long as the page lives.
pub(crate) fn address_of(bytes: &[u8]) -> Option<String> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence(&parts).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}

/// Offers a text as a file, which the browser saves.
pub(crate) fn save_as(name: &str, text: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let link = document.and_then(|document| document.create_element("a").ok());
    if let (Some(link), Some(address)) = (link, address_of(text.as_bytes())) {
        let link: HtmlElement = link.unchecked_into();
        let _ = link.set_attribute("href", &address);
        let _ = link.set_attribute("download", name);
        link.click();
        // The click has begun the saving.
        let _ = Url::revoke_object_url(&address);
    }
}
