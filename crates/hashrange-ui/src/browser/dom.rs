//! Trees of [`Node`] in the page: built once, then changed in place.
//!
//! Invariant: everything that stands in the page has a first and a last node, an empty text where nothing is
//! drawn, so that whatever takes its place goes where it stood. An element whose shape is as before stays, with
//! its focus and its scroll position; only what differs is set.

mod keyed;

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::tachys::renderer::RemoveEventHandler;
use leptos::tachys::renderer::dom::Dom;
use leptos::tachys::view::{Mountable, Render};
use web_sys::wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, HtmlElement, HtmlInputElement, KeyboardEvent};

use self::keyed::BuiltRows;
use crate::markup::{
    Attribute, AttributeKind, Draw, Element, Listen, Node, Text, Value, tag_and_classes,
};

const SVG: &str = "http://www.w3.org/2000/svg";

thread_local! {
    /// The element of each tag with classes that was drawn before: a copy of it has them already.
    static MODELS: RefCell<Vec<(&'static str, web_sys::Element)>> = const { RefCell::new(Vec::new()) };
}

/// An element's place in the page, for what the browser is asked about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElementRef(StoredValue<Option<web_sys::Element>, LocalStorage>);

impl ElementRef {
    /// No place yet.
    pub(crate) fn new() -> Self {
        Self(StoredValue::new_local(None))
    }

    /// The element, once it is drawn.
    pub(crate) fn get<E: JsCast>(self) -> Option<E> {
        self.0.try_get_value().flatten().map(JsCast::unchecked_into)
    }

    /// Clicks it, as a person would.
    pub(crate) fn click(self) {
        if let Some(element) = self.get::<HtmlElement>() {
            element.click();
        }
    }
}

/// True if an event happened on the element that listens, not on one in it.
pub(crate) fn is_own(event: &Event) -> bool {
    event.target() == event.current_target()
}

/// True if an event happened in an element that the selector finds.
pub(crate) fn is_in(event: &Event, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|element| matches!(element.closest(selector), Ok(Some(_))))
}

/// Whether Shift, and Ctrl or ⌘, were held at a click.
pub(crate) fn keys_held(event: &Event) -> (bool, bool) {
    let event = event.unchecked_ref::<web_sys::MouseEvent>();
    (event.shift_key(), event.ctrl_key() || event.meta_key())
}

/// The key event that an event is.
pub(crate) fn as_key(event: &Event) -> &KeyboardEvent {
    event.unchecked_ref()
}

/// What stands in the field that an event comes from.
pub(crate) fn value_of(event: &Event) -> String {
    event_target_value(event)
}

/// Whether the box that an event comes from is ticked.
pub(crate) fn is_checked(event: &Event) -> bool {
    event.target().is_some_and(|target| target.unchecked_ref::<HtmlInputElement>().checked())
}

/// A node that stands in the page.
pub(crate) enum Built {
    Element(Box<BuiltElement>),
    Text(web_sys::Node, Text),
    /// The nodes, and an empty text at their end.
    List(Vec<Built>, web_sys::Node),
    Live(Rc<RefCell<Option<Built>>>, RenderEffect<()>),
    Keyed(
        Rc<RefCell<BuiltRows>>,
        #[expect(dead_code, reason = "ends when it is dropped")] RenderEffect<()>,
    ),
}

pub(crate) struct BuiltElement {
    spec: &'static str,
    is_svg: bool,
    element: web_sys::Element,
    attributes: Vec<BuiltAttribute>,
    listeners: Vec<BuiltListener>,
    children: Vec<Built>,
}

struct BuiltAttribute {
    kind: AttributeKind,
    name: &'static str,
    state: Result<Option<Text>, RenderEffect<()>>,
}

struct BuiltListener {
    event: &'static str,
    listener: Rc<RefCell<Rc<dyn Listen>>>,
    _remove: RemoveEventHandler<web_sys::Element>,
}

impl Render for Node {
    type State = Built;

    fn build(self) -> Built {
        match self {
            Self::Element(element) => Built::Element(Box::new(build_element(element))),
            Self::Text(text) => Built::Text(text_node(&text), text),
            Self::List(nodes) => {
                Built::List(nodes.into_iter().map(Self::build).collect(), text_node(""))
            }
            Self::Live(view) => {
                let content = Rc::default();
                let effect = draw_live(view, Rc::clone(&content));
                Built::Live(content, effect)
            }
            Self::Keyed(rows) => {
                let built = Rc::new(RefCell::new(BuiltRows::new(text_node(""))));
                let effect = keyed::draw(rows, Rc::clone(&built));
                Built::Keyed(built, effect)
            }
        }
    }

    fn rebuild(self, last: &mut Built) {
        match (self, &mut *last) {
            (Self::Element(element), Built::Element(built)) if built.has_shape_of(&element) => {
                rebuild_element(element, built);
            }
            (Self::Text(text), Built::Text(node, now)) => {
                if text != *now {
                    node.set_node_value(Some(&text));
                    *now = text;
                }
            }
            (Self::List(nodes), Built::List(built, end)) => {
                if let Some(parent) = end.parent_node() {
                    rebuild_all(nodes, built, &parent, Some(end));
                }
            }
            (Self::Live(view), Built::Live(content, effect)) => {
                *effect = draw_live(view, Rc::clone(content));
            }
            // What the rows of a keyed list made is gone when that which drew the list runs again.
            (node, _) => {
                let new = node.build();
                let first = last.first();
                if let Some(parent) = first.parent_node() {
                    new.insert(&parent, Some(&first));
                }
                last.remove();
                *last = new;
            }
        }
    }
}

impl Built {
    fn first(&self) -> web_sys::Node {
        match self {
            Self::Element(built) => built.element.clone().into(),
            Self::Text(node, _) => node.clone(),
            Self::List(nodes, end) => nodes.first().map_or_else(|| end.clone(), Self::first),
            Self::Live(content, _) => content.borrow().as_ref().expect(DRAWN).first(),
            Self::Keyed(rows, _) => rows.borrow().first(),
        }
    }

    fn last(&self) -> web_sys::Node {
        match self {
            Self::Element(_) | Self::Text(..) => self.first(),
            Self::List(_, end) => end.clone(),
            Self::Live(content, _) => content.borrow().as_ref().expect(DRAWN).last(),
            Self::Keyed(rows, _) => rows.borrow().end().clone(),
        }
    }

    /// Puts all of it into the page, or moves it there.
    fn insert(&self, parent: &web_sys::Node, before: Option<&web_sys::Node>) {
        let put = |node: &web_sys::Node| {
            // Refused only where the page was taken apart by something else, which then shows in the page.
            let _ = parent.insert_before(node, before);
        };
        match self {
            Self::Element(_) | Self::Text(..) => put(&self.first()),
            Self::List(nodes, end) => {
                for node in nodes {
                    node.insert(parent, before);
                }
                put(end);
            }
            Self::Live(content, _) => {
                content.borrow().as_ref().expect(DRAWN).insert(parent, before);
            }
            Self::Keyed(rows, _) => {
                rows.borrow().insert(parent, before);
                put(rows.borrow().end());
            }
        }
    }

    /// Takes all of it out of the page.
    fn remove(&self) {
        let first = self.first();
        let (Some(parent), last) = (first.parent_node(), self.last()) else { return };
        let mut next = Some(first);
        while let Some(node) = next {
            next = if node == last { None } else { node.next_sibling() };
            let _ = parent.remove_child(&node);
        }
    }
}

const DRAWN: &str = "a live node is drawn when it is built, and drawing never asks where it stands";

/// The root of the page is mounted by Leptos.
impl Mountable for Built {
    fn unmount(&mut self) {
        self.remove();
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&web_sys::Node>) {
        self.insert(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let first = self.first();
        let parent = first.parent_element();
        parent.is_some_and(|parent| child.try_mount(&parent, Some(&first)))
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        Vec::new()
    }
}

fn text_node(text: &str) -> web_sys::Node {
    Dom::create_text_node(text).into()
}

/// Runs `run` now and whenever a signal changed that it read. All effects are of one type, made once.
fn effect(mut run: Box<dyn FnMut()>) -> RenderEffect<()> {
    RenderEffect::new(move |_| run())
}

fn draw_live(view: Box<dyn Draw>, content: Rc<RefCell<Option<Built>>>) -> RenderEffect<()> {
    effect(Box::new(move || {
        let node = view.draw();
        let last = content.take();
        let now = match last {
            Some(mut last) => {
                node.rebuild(&mut last);
                last
            }
            None => node.build(),
        };
        content.replace(Some(now));
    }))
}

/// A copy of the model of a tag with classes.
fn create(spec: &'static str, is_svg: bool) -> web_sys::Element {
    let model = MODELS.with_borrow(|models| {
        models.iter().find(|(other, _)| *other == spec).map(|(_, model)| model.clone())
    });
    let model = model.unwrap_or_else(|| {
        let (tag, classes) = tag_and_classes(spec);
        let model = Dom::create_element(tag, is_svg.then_some(SVG));
        if !classes.is_empty() {
            Dom::set_attribute(&model, "class", &classes.replace('.', " "));
        }
        MODELS.with_borrow_mut(|models| models.push((spec, model.clone())));
        model
    });
    let copy = model.clone_node().expect("an element without children can be copied");
    copy.unchecked_into()
}

fn build_element(element: Element) -> BuiltElement {
    let parts = *element.0;
    let element = create(parts.spec, parts.is_svg);
    let attributes = parts.attributes.into_iter();
    let attributes = attributes.map(|attribute| build_attribute(&element, attribute)).collect();
    let listeners = parts.listeners.into_iter();
    let listeners = listeners.map(|(event, listener)| listen(&element, event, listener)).collect();
    let mut children = Vec::with_capacity(parts.children.len());
    rebuild_all(parts.children, &mut children, &element, None);
    if let Some(reference) = parts.reference {
        reference.0.set_value(Some(element.clone()));
    }
    BuiltElement {
        spec: parts.spec,
        is_svg: parts.is_svg,
        element,
        attributes,
        listeners,
        children,
    }
}

impl BuiltElement {
    /// True if `element` can be drawn by setting attributes and replacing listeners and children.
    fn has_shape_of(&self, element: &Element) -> bool {
        let parts = &element.0;
        let is_same = |(old, new): (&BuiltAttribute, &Attribute)| {
            let is_live = matches!(new.value, Value::Live(_));
            old.kind == new.kind && old.name == new.name && old.state.is_err() == is_live
        };
        self.spec == parts.spec
            && self.is_svg == parts.is_svg
            && self.attributes.len() == parts.attributes.len()
            && self.attributes.iter().zip(&parts.attributes).all(is_same)
            && self.listeners.len() == parts.listeners.len()
            && self.listeners.iter().zip(&parts.listeners).all(|(old, new)| old.event == new.0)
    }
}

fn rebuild_element(element: Element, built: &mut BuiltElement) {
    let parts = *element.0;
    for (new, old) in parts.attributes.into_iter().zip(&mut built.attributes) {
        match (new.value, &mut old.state) {
            (Value::Fixed(text), Ok(now)) if text == *now => {}
            (value, state) => {
                let Attribute { kind, name, .. } = new;
                *state = build_attribute(&built.element, Attribute { kind, name, value }).state;
            }
        }
    }
    for ((_, listener), old) in parts.listeners.into_iter().zip(&built.listeners) {
        old.listener.replace(listener);
    }
    rebuild_all(parts.children, &mut built.children, &built.element, None);
    if let Some(reference) = parts.reference {
        reference.0.set_value(Some(built.element.clone()));
    }
}

/// Draws nodes in place of others, one by one; what is more or fewer stands at the end.
fn rebuild_all(
    nodes: Vec<Node>,
    built: &mut Vec<Built>,
    parent: &web_sys::Node,
    end: Option<&web_sys::Node>,
) {
    for gone in built.drain(nodes.len().min(built.len())..) {
        gone.remove();
    }
    let n_kept = built.len();
    for (place, node) in nodes.into_iter().enumerate() {
        if place < n_kept {
            node.rebuild(&mut built[place]);
        } else {
            let new = node.build();
            new.insert(parent, end);
            built.push(new);
        }
    }
}

fn build_attribute(element: &web_sys::Element, attribute: Attribute) -> BuiltAttribute {
    let Attribute { kind, name, value } = attribute;
    let state = match value {
        Value::Fixed(text) => {
            set(element, kind, name, text.as_deref());
            Ok(text)
        }
        Value::Live(live) => {
            let (element, mut last) = (element.clone(), None);
            Err(effect(Box::new(move || {
                let text = live.read();
                // What a person can change may be another by now.
                if kind == AttributeKind::Property || last.as_ref() != Some(&text) {
                    set(&element, kind, name, text.as_deref());
                    last = Some(text);
                }
            })))
        }
    };
    BuiltAttribute { kind, name, state }
}

fn set(element: &web_sys::Element, kind: AttributeKind, name: &str, text: Option<&str>) {
    match (kind, text) {
        (AttributeKind::Plain, Some(text)) => Dom::set_attribute(element, name, text),
        (AttributeKind::Plain, None) => Dom::remove_attribute(element, name),
        (AttributeKind::Style, text) => {
            Dom::set_css_property(&Dom::style(element), name, text.unwrap_or(""));
        }
        // Leptos sets a `value` last of all, since an option can be chosen only once it is there.
        (AttributeKind::Property, text) => {
            let value = match name {
                "value" => JsValue::from_str(text.unwrap_or("")),
                _ => JsValue::from_bool(text.is_some()),
            };
            Dom::set_property_or_value(element, name, &value);
        }
    }
}

fn listen(
    element: &web_sys::Element,
    event: &'static str,
    listener: Rc<dyn Listen>,
) -> BuiltListener {
    let owner = Owner::current().unwrap_or_default();
    let listener = Rc::new(RefCell::new(listener));
    let now = Rc::clone(&listener);
    let tell = move |event: JsValue| {
        // Taken out first: what is done may cause another event of the same kind.
        let listener = now.borrow().clone();
        owner.with(|| listener.hear(event.unchecked_into()));
    };
    let remove = Dom::add_event_listener(element, event, Box::new(tell));
    BuiltListener { event, listener, _remove: remove }
}
