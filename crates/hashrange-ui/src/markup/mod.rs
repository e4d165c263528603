//! Markup as values: what a panel draws, before it stands in the page.
//!
//! A view is a tree that calls build ([`el`], [`Element::attr`], [`Element::child`]), and one piece of code draws
//! every tree. With a type for each shape of view, as Leptos has it, every visitor would download drawing code
//! for each shape. What is a closure is live: it runs again, alone, when a signal changes that it read.
//!
//! Invariant: a text becomes a text node or an attribute's value, never markup.
//!
//! Not here: how a tree stands in the page and changes there (`browser::dom`).

mod convert;
#[cfg(test)]
mod html;

use std::borrow::Cow;
use std::rc::Rc;

pub(crate) use convert::{IntoNode, IntoValue};
pub(crate) use leptos::ev::{Event, KeyboardEvent};

use crate::browser::dom::{self, ElementRef};

/// The text of a text node or an attribute.
pub(crate) type Text = Cow<'static, str>;

// The traits below say what closures do, and are a third shorter to download than `dyn Fn`: of that, every
// closure has three entries and not one.

/// Draws what a live node shows.
pub(crate) trait Draw {
    /// What it shows now. Tracks what it reads.
    fn draw(&self) -> Node;
}

/// Reads what a live attribute has.
pub(crate) trait Read {
    /// The text it has now. Tracks what it reads.
    fn read(&self) -> Option<Text>;
}

/// What is done when an event comes.
pub(crate) trait Listen {
    /// Does it.
    fn hear(&self, event: Event);
}

/// Something to draw, or nothing.
pub(crate) enum Node {
    /// An element with all that is in it.
    Element(Element),
    /// A text.
    Text(Text),
    /// Nodes one after the other; nothing if empty.
    List(Vec<Node>),
    /// What a closure says now, and whenever the signals it read have changed.
    Live(Box<dyn Draw>),
    /// Rows that keep their place in the page while their keys stay.
    Keyed(Box<dyn Fn() -> Vec<Row>>),
}

/// A row of a [`keyed`] list.
pub(crate) struct Row {
    /// Tells it from the other rows: the row of a key that was there before is kept as it was drawn.
    pub(crate) key: String,
    /// Draws it, if it is new.
    pub(crate) draw: Box<dyn FnOnce() -> Node>,
}

/// An element under construction.
pub(crate) struct Element(pub(crate) Box<Parts>);

/// What an element is made of.
pub(crate) struct Parts {
    /// Its tag and classes, as [`el`] takes them.
    pub(crate) spec: &'static str,
    /// True for an element of a picture.
    pub(crate) is_svg: bool,
    /// Its attributes, in order.
    pub(crate) attributes: Vec<Attribute>,
    /// What it listens to.
    pub(crate) listeners: Vec<(&'static str, Rc<dyn Listen>)>,
    /// What is in it.
    pub(crate) children: Vec<Node>,
    /// Where its place in the page is kept.
    pub(crate) reference: Option<ElementRef>,
}

/// An attribute, in the wide sense.
pub(crate) struct Attribute {
    /// Which sense.
    pub(crate) kind: AttributeKind,
    /// Its name.
    pub(crate) name: &'static str,
    /// Its value.
    pub(crate) value: Value,
}

/// What setting an attribute sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttributeKind {
    /// The attribute of that name.
    Plain,
    /// The style property of that name.
    Style,
    /// What a person can change: the `value` of a field, or whether it is `checked`.
    Property,
}

/// The value of an attribute, absent if it has no text.
pub(crate) enum Value {
    /// One that stays.
    Fixed(Option<Text>),
    /// One that follows the signals it reads.
    Live(Box<dyn Read>),
}

/// An element by its tag and classes, `el("button.icon-button.is-small")`. A button submits nothing.
pub(crate) fn el(spec: &'static str) -> Element {
    let element = new_element(spec, false);
    if tag_and_classes(spec).0 == "button" { element.attr("type", "button") } else { element }
}

/// An element of a picture, `svg("rect.lit")`.
pub(crate) fn svg(spec: &'static str) -> Element {
    new_element(spec, true)
}

fn new_element(spec: &'static str, is_svg: bool) -> Element {
    Element(Box::new(Parts {
        spec,
        is_svg,
        attributes: Vec::new(),
        listeners: Vec::new(),
        children: Vec::new(),
        reference: None,
    }))
}

/// Cuts `button.icon-button.is-small` into its tag and its classes, which are still joined by dots.
pub(crate) fn tag_and_classes(spec: &'static str) -> (&'static str, &'static str) {
    spec.split_once('.').unwrap_or((spec, ""))
}

/// Several nodes, one after the other.
pub(crate) fn nodes<N: IntoNode>(nodes: impl IntoIterator<Item = N>) -> Node {
    // A loop is half as long to download as `collect`, which is made anew for each list.
    let mut list = Vec::new();
    for node in nodes {
        list.push(node.into_node());
    }
    Node::List(list)
}

/// Rows that keep their elements, and what those hold, for as long as their keys stay.
pub(crate) fn keyed(rows: impl Fn() -> Vec<Row> + 'static) -> Node {
    Node::Keyed(Box::new(rows))
}

/// A row for [`keyed`]; `draw` runs only when the key is new.
pub(crate) fn row<N: IntoNode>(key: String, draw: impl FnOnce() -> N + 'static) -> Row {
    Row { key, draw: Box::new(move || draw().into_node()) }
}

/// `true` or `false`, as ARIA's states are spelled.
pub(crate) fn aria(is_so: bool) -> &'static str {
    if is_so { "true" } else { "false" }
}

impl Element {
    /// Puts a node, a text, an option or list of these, or a closure over them at the end of the element.
    pub(crate) fn child(self, child: impl IntoNode) -> Self {
        self.push(child.into_node())
    }

    /// Puts several nodes at the end of the element.
    pub(crate) fn children<N: IntoNode>(mut self, children: impl IntoIterator<Item = N>) -> Self {
        for child in children {
            self.0.children.push(child.into_node());
        }
        self
    }

    /// Sets an attribute: to a text, a number, nothing if `None` or `false`, or to what a closure says.
    pub(crate) fn attr(self, name: &'static str, value: impl IntoValue) -> Self {
        self.set(AttributeKind::Plain, name, value.into_value())
    }

    /// Sets a style property, such as `--share`.
    pub(crate) fn style(self, name: &'static str, value: impl IntoValue) -> Self {
        self.set(AttributeKind::Style, name, value.into_value())
    }

    /// Sets what stands in a text field or is chosen in a list.
    pub(crate) fn value(self, value: impl IntoValue) -> Self {
        self.set(AttributeKind::Property, "value", value.into_value())
    }

    /// Sets whether a box is ticked.
    pub(crate) fn checked(self, is_checked: impl IntoValue) -> Self {
        self.set(AttributeKind::Property, "checked", is_checked.into_value())
    }

    /// Listens to an event of the element or of what is in it.
    pub(crate) fn on(self, event: &'static str, listener: impl Fn(Event) + 'static) -> Self {
        self.listen(event, Rc::new(listener))
    }

    /// Listens to a press of a button.
    pub(crate) fn on_click(self, listener: impl Fn() + 'static) -> Self {
        self.listen("click", Rc::new(OnClick(listener)))
    }

    /// Listens to keys going down.
    pub(crate) fn on_key(self, listener: impl Fn(&KeyboardEvent) + 'static) -> Self {
        self.listen("keydown", Rc::new(OnKey(listener)))
    }

    /// Listens to a text being typed (`input`), or an option being chosen (`change`).
    pub(crate) fn on_value(self, event: &'static str, listener: impl Fn(String) + 'static) -> Self {
        self.listen(event, Rc::new(OnValue(listener)))
    }

    /// Keeps the element's place in the page.
    pub(crate) fn reference(mut self, reference: ElementRef) -> Self {
        self.0.reference = Some(reference);
        self
    }

    fn push(mut self, child: Node) -> Self {
        self.0.children.push(child);
        self
    }

    fn set(mut self, kind: AttributeKind, name: &'static str, value: Value) -> Self {
        self.0.attributes.push(Attribute { kind, name, value });
        self
    }

    fn listen(mut self, event: &'static str, listener: Rc<dyn Listen>) -> Self {
        self.0.listeners.push((event, listener));
        self
    }
}

impl<F: Fn(Event)> Listen for F {
    fn hear(&self, event: Event) {
        self(event);
    }
}

struct OnClick<F>(F);

impl<F: Fn()> Listen for OnClick<F> {
    fn hear(&self, _: Event) {
        self.0();
    }
}

struct OnKey<F>(F);

impl<F: Fn(&KeyboardEvent)> Listen for OnKey<F> {
    fn hear(&self, event: Event) {
        self.0(dom::as_key(&event));
    }
}

struct OnValue<F>(F);

impl<F: Fn(String)> Listen for OnValue<F> {
    fn hear(&self, event: Event) {
        self.0(dom::value_of(&event));
    }
}
