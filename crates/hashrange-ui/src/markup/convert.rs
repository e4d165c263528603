//! What can be drawn, and what an attribute can be set to: texts, numbers, options, lists, and closures over them.

use super::{Draw, Element, Node, Read, Text, Value};

/// What can stand in an element.
pub(crate) trait IntoNode {
    /// As a node.
    fn into_node(self) -> Node;
}

/// What an attribute can be set to.
pub(crate) trait IntoValue {
    /// As a value.
    fn into_value(self) -> Value;
}

macro_rules! texts {
    ($($kind:ty => |$value:ident| $text:expr,)*) => {
        $(
            impl IntoNode for $kind {
                fn into_node(self) -> Node {
                    let $value = self;
                    Node::Text($text)
                }
            }

            impl IntoValue for $kind {
                fn into_value(self) -> Value {
                    let $value = self;
                    Value::Fixed(Some($text))
                }
            }
        )*
    };
}

texts! {
    &'static str => |text| Text::Borrowed(text),
    String => |text| Text::Owned(text),
    i32 => |number| Text::Owned(number.to_string()),
    u32 => |number| Text::Owned(number.to_string()),
    u64 => |number| Text::Owned(number.to_string()),
    f32 => |number| Text::Owned(number.to_string()),
}

impl IntoNode for Node {
    fn into_node(self) -> Node {
        self
    }
}

impl IntoNode for Element {
    fn into_node(self) -> Node {
        Node::Element(self)
    }
}

impl<N: IntoNode> IntoNode for Option<N> {
    fn into_node(self) -> Node {
        self.map_or(Node::List(Vec::new()), N::into_node)
    }
}

impl<N: IntoNode> IntoNode for Vec<N> {
    fn into_node(self) -> Node {
        super::nodes(self)
    }
}

impl<F: Fn() -> N + 'static, N: IntoNode> IntoNode for F {
    fn into_node(self) -> Node {
        Node::Live(Box::new(self))
    }
}

impl<F: Fn() -> N, N: IntoNode> Draw for F {
    fn draw(&self) -> Node {
        self().into_node()
    }
}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        Value::Fixed(self.then_some(Text::Borrowed("")))
    }
}

impl<V: IntoValue> IntoValue for Option<V> {
    fn into_value(self) -> Value {
        self.map_or(Value::Fixed(None), V::into_value)
    }
}

impl<F: Fn() -> V + 'static, V: IntoValue> IntoValue for F {
    fn into_value(self) -> Value {
        Value::Live(Box::new(self))
    }
}

impl<F: Fn() -> V, V: IntoValue> Read for F {
    fn read(&self) -> Option<Text> {
        self().into_value().now()
    }
}

impl Value {
    /// The text it has now. Tracks what it reads.
    pub(crate) fn now(self) -> Option<Text> {
        match self {
            Self::Fixed(text) => text,
            Self::Live(live) => live.read(),
        }
    }
}
