//! What is said, and offered, while another tab works on the design in view.

use leptos::prelude::expect_context;

use crate::markup::{Element, el, nodes};
use crate::state::save::SaveState;
use crate::state::workspace::Workspace;

/// The strip under the top bar; empty while this tab works on its design.
pub(crate) fn strip() -> Element {
    let workspace = expect_context::<Workspace>();
    let words = move || {
        let title = workspace.session.title().get();
        let words = format!(
            "{title} is open in another tab, which keeps it. Here it can be read, and nothing is changed."
        );
        let copy = el("button.button.is-small")
            .on_click(move || workspace.work_on_copy())
            .child("Work on a copy");
        let take =
            el("button.button.is-small").on_click(move || workspace.take_over()).child("Take over");
        nodes([el("p").child(words), copy, take])
    };
    el("div.shelf-strip")
        .attr("role", "status")
        .child(move || (workspace.save.state() == SaveState::Elsewhere).then(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::save::Origin;
    use crate::testing::html;

    #[test]
    fn the_strip_is_there_only_while_another_tab_works_on_the_design() {
        assert!(!html(|_| {}, strip).contains("Take over"));
        let lose = |workspace: Workspace| {
            workspace.save.enter(Origin::Kept(7, 1));
            workspace.save.lose(8);
            assert!(!workspace.save.is_elsewhere());
            workspace.save.lose(7);
        };
        let html = html(lose, strip);
        assert!(html.contains("Factory floor is open in another tab"), "{html}");
        assert!(html.contains("Work on a copy") && html.contains("Take over"), "{html}");
    }

    #[test]
    fn a_design_of_another_tab_is_read_and_not_changed() {
        let read = |workspace: Workspace| {
            workspace.save.enter(Origin::Kept(7, 1));
            workspace.save.lose(7);
            let n_requests = || workspace.session.history().get_untracked().len();
            workspace.run();
            assert_eq!(n_requests(), 2, "a Query is run");
            workspace.editor.fill(
                "DeleteTable",
                None,
                r#"{"TableName":"OrgDirectory"}"#.to_owned(),
            );
            workspace.run();
            workspace.run_pattern(8);
            workspace.name_design("Mine");
            workspace.undo();
            assert_eq!(n_requests(), 2, "nothing that writes is run");
            assert_eq!(workspace.session.title().get_untracked(), "Factory floor");
            assert_eq!(workspace.session.targets().get_untracked().len(), 5);
        };
        html(read, crate::panels::notice::panel);
    }
}
