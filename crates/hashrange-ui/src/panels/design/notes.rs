//! Design notes: what lint finds, with its evidence, a way to mend it and a way to silence it.

use hashrange_playground::view::FindingView;
use leptos::prelude::expect_context;

use super::super::forms;
use super::opened;
use crate::markup::{Element, IntoNode, Node, el};
use crate::signal::RwSignal;
use crate::state::workspace::Workspace;

/// The open access pattern and the design notes, beside the design.
pub(crate) fn panel() -> Element {
    let design = expect_context::<Workspace>().design;
    let count = move || design.findings().with(|all| n_heard(all).to_string());
    let notes = move || {
        let findings = design.findings().get();
        if findings.is_empty() {
            let words = "Nothing to say about this design.";
            return el("p.none").child(words).into_node();
        }
        let notes = findings.into_iter().enumerate().map(|(at, finding)| note(at, finding));
        el("ul").children(notes).into_node()
    };
    let list = el("section.notes")
        .attr("aria-label", "Design notes")
        .child(
            el("header").child(el("h2").child("Design notes")).child(el("span.quiet").child(count)),
        )
        .child(notes);
    el("div.design-notes-panel").child(forms::aside).child(opened::section()).child(list)
}

/// Findings that nobody silenced.
pub(crate) fn n_heard(findings: &[FindingView]) -> usize {
    findings.iter().filter(|finding| finding.silenced.is_none()).count()
}

fn note(at: usize, finding: FindingView) -> Element {
    let workspace = expect_context::<Workspace>();
    let (spec, glyph) = match finding.seriousness {
        "serious" => ("span.status.is-bad", "⚠"),
        "warning" => ("span.status.is-part", "◑"),
        _ => ("span.status.is-quiet", "i"),
    };
    let sign = el(spec)
        .child(el("span").attr("aria-hidden", "true").child(glyph))
        .child(el("span.visually-hidden").child(finding.seriousness));
    let evidence = (!finding.evidence.is_empty()).then(|| {
        let lines = finding.evidence.into_iter().map(|line| el("li").child(line));
        el("details").child(el("summary").child("Evidence")).child(el("ul").children(lines))
    });
    let fix = finding.fix.map(|label| {
        el("button.button.is-small").on_click(move || workspace.take_fix(at)).child(label)
    });
    let (spec, voice) = match finding.silenced {
        Some(reason) => ("li.is-silenced", silenced(at, &reason)),
        None => ("li", silence(at)),
    };
    let words = el("div")
        .child(el("p").child(el("b").child(format!("{}. ", finding.title))).child(finding.text))
        .child(el("p.quiet").child(finding.subject))
        .child(evidence)
        .child(el("div.actions").child(fix).child(voice));
    el(spec).child(sign).child(words)
}

/// Why a note was silenced, and the button that lets it be heard again.
fn silenced(at: usize, reason: &str) -> Node {
    let workspace = expect_context::<Workspace>();
    let again = el("button.button.is-quiet.is-small")
        .on_click(move || workspace.hear(at))
        .child("Show again");
    let reason = el("span.quiet").child(format!("Silenced: {reason}"));
    vec![reason, again].into_node()
}

/// The button that asks for a reason, and its field once it was pressed.
fn silence(at: usize) -> Node {
    let workspace = expect_context::<Workspace>();
    let reason = RwSignal::new(None::<String>);
    let drawn = move || {
        if reason.with(Option::is_none) {
            let ask = el("button.button.is-quiet.is-small")
                .on_click(move || reason.set(Some(String::new())))
                .child("Silence");
            return ask.into_node();
        }
        let keep = move || {
            let reason = reason.get_untracked().unwrap_or_default();
            workspace.silence(at, &reason);
        };
        let field = el("input.field")
            .attr("aria-label", "Why this is fine")
            .attr("placeholder", "Why this is fine")
            .on_value("input", move |text| reason.set(Some(text)));
        let button = el("button.button.is-small").on_click(keep).child("Silence");
        vec![field, button].into_node()
    };
    drawn.into_node()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{html, words};

    #[test]
    fn a_note_says_what_is_wrong_and_offers_to_mend_it() {
        let html = html(|workspace| workspace.design.run_all(), panel);
        let words = words(&html);
        assert!(
            words.starts_with("Choose an access pattern to see what serves it.\nDesign notes\n"),
            "{words}"
        );
        assert!(words.contains("Silence"), "{words}");
    }

    #[test]
    fn the_open_pattern_says_why_and_what_would_serve_it_better() {
        let open = |workspace: Workspace| {
            workspace.design.run_all();
            workspace.show_pattern(7);
        };
        let words = words(&html(open, panel));
        assert!(words.contains("7. Find a project by name"), "{words}");
        assert!(words.contains("Run it"), "{words}");
    }
}
