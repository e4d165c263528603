//! A tree as HTML, so that tests read what a panel draws without a browser.

use super::{Attribute, AttributeKind, Element, Node, tag_and_classes};

impl Node {
    /// The markup of what is drawn now.
    pub(crate) fn into_html(self) -> String {
        let mut html = String::new();
        self.write(&mut html, false);
        html
    }

    /// Writes the node; true if it ends with a text, which a text after it has to be told from.
    fn write(self, html: &mut String, is_after_text: bool) -> bool {
        match self {
            Self::Element(element) => {
                element.write(html);
                false
            }
            Self::Text(text) => {
                html.push_str(if is_after_text { "<!>" } else { "" });
                html.push_str(&escaped(&text));
                true
            }
            Self::List(nodes) => write_all(nodes, html, is_after_text),
            Self::Live(live) => live.draw().write(html, is_after_text),
            Self::Keyed(rows) => {
                write_all(rows().into_iter().map(|row| (row.draw)()), html, is_after_text)
            }
        }
    }
}

impl Element {
    fn write(self, html: &mut String) {
        let (tag, classes) = tag_and_classes(self.0.spec);
        html.extend(["<", tag]);
        if !classes.is_empty() {
            html.extend([" class=\"", &classes.replace('.', " "), "\""]);
        }
        let mut style = String::new();
        for Attribute { kind, name, value } in self.0.attributes {
            match (kind, value.now()) {
                (AttributeKind::Plain, Some(text)) => {
                    html.extend([" ", name, "=\"", &escaped(&text), "\""]);
                }
                (AttributeKind::Style, Some(text)) => {
                    style.extend([name, ":", &escaped(&text), ";"]);
                }
                _ => {}
            }
        }
        if !style.is_empty() {
            html.extend([" style=\"", &style, "\""]);
        }
        html.push('>');
        write_all(self.0.children, html, false);
        html.extend(["</", tag, ">"]);
    }
}

fn write_all(
    nodes: impl IntoIterator<Item = Node>,
    html: &mut String,
    is_after_text: bool,
) -> bool {
    nodes.into_iter().fold(is_after_text, |is_after_text, node| node.write(html, is_after_text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use crate::markup::{IntoNode, el, keyed, row, svg};

    #[test]
    fn elements_texts_options_lists_and_closures_are_drawn_in_order() {
        let html = el("p.note.is-late")
            .attr("id", "x")
            .attr("hidden", false)
            .attr("disabled", || true)
            .style("--share", 0.5)
            .child("one")
            .child(2_u32)
            .child(None::<&str>)
            .child(vec![el("b").child("three"), el("i")])
            .child(|| Some("four".to_owned()))
            .child(keyed(|| vec![row("k".to_owned(), || "five")]))
            .child(svg("rect"))
            .into_node()
            .into_html();
        assert_eq!(
            html,
            "<p class=\"note is-late\" id=\"x\" disabled=\"\" style=\"--share:0.5;\">one<!>2\
             <b>three</b><i></i>four<!>five<rect></rect></p>"
        );
    }

    #[test]
    fn a_text_stays_text_wherever_it_stands() {
        let typed = "\"><img src=x>";
        let html = el("p").attr("title", typed).child(typed).into_node().into_html();
        assert_eq!(
            html,
            "<p title=\"&quot;&gt;&lt;img src=x&gt;\">&quot;&gt;&lt;img src=x&gt;</p>"
        );
    }

    #[test]
    fn a_button_submits_nothing() {
        assert_eq!(el("button").into_node().into_html(), "<button type=\"button\"></button>");
    }
}
