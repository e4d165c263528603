//! The rule on panels: one file of code, one of style, one root class, all of the same name.
//!
//! `panels/request_editor.rs`, `panels/request-editor.css` and `class="request-editor-panel"`.

use std::collections::BTreeMap;

use super::{Finding, Source};

const CODE_FOLDER: &str = "crates/hashrange-ui/src/panels/";
const STYLE_FOLDER: &str = "web/styles/panels/";

/// Finds panels that lack a part of their trio.
pub(crate) fn trios(sources: &[Source]) -> Vec<Finding> {
    let codes = by_panel(sources, CODE_FOLDER);
    let styles = by_panel(sources, STYLE_FOLDER);
    let mut findings = Vec::new();
    for (panel, files) in &codes {
        let class = format!("{panel}-panel");
        if !styles.contains_key(panel) {
            let message = format!("this panel has no {STYLE_FOLDER}{panel}.css");
            findings.push(Finding::at(files[0], 0, message));
        }
        if !files.iter().any(|file| names(&file.text, &class)) {
            let message = format!("this panel's root has to have the class `{class}`");
            findings.push(Finding::at(files[0], 0, message));
        }
    }
    for (panel, files) in &styles {
        if !codes.contains_key(panel) {
            let message =
                format!("no panel {CODE_FOLDER}{}.rs has this style", panel.replace('-', "_"));
            findings.push(Finding::at(files[0], 0, message));
        }
        let selector = format!(".{panel}-panel");
        if !files.iter().any(|file| names(&file.text, &selector)) {
            let message = format!("a panel's style stands under `{selector}`");
            findings.push(Finding::at(files[0], 0, message));
        }
    }
    findings
}

/// The files of each panel by its name in class form; a folder below `folder` is one panel.
fn by_panel<'a>(sources: &'a [Source], folder: &str) -> BTreeMap<String, Vec<&'a Source>> {
    let mut panels: BTreeMap<String, Vec<&Source>> = BTreeMap::new();
    for source in sources {
        let Some(below) = source.path.strip_prefix(folder) else { continue };
        let name = below.split(['/', '.']).next().unwrap_or_default();
        if name != "mod" {
            panels.entry(name.replace('_', "-")).or_default().push(source);
        }
    }
    panels
}

/// Whether the text holds the name as a whole, not as the start of a longer one.
fn names(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(index, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        !text[..index].ends_with(is_part) && !text[index + name.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tests::source;

    const CODE: &str = "crates/hashrange-ui/src/panels/key_chart.rs";
    const STYLE: &str = "web/styles/panels/key-chart.css";

    fn findings(sources: &[Source]) -> Vec<String> {
        trios(sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_whole_trio_passes() {
        let code = source(CODE, "<section class=\"key-chart-panel\">");
        let style = source(STYLE, ".key-chart-panel { }");
        let folder = source("crates/hashrange-ui/src/panels/mod.rs", "mod key_chart;");
        assert_eq!(findings(&[code, style, folder]).len(), 0);
    }

    #[test]
    fn a_panel_without_style_and_a_style_without_panel_are_found() {
        assert_eq!(findings(&[source(CODE, "\"key-chart-panel\"")]).len(), 1);
        assert_eq!(findings(&[source(STYLE, ".key-chart-panel {}")]).len(), 1);
    }

    #[test]
    fn a_root_class_of_another_name_is_found() {
        let code = source(CODE, "<section class=\"key-chart-panels\">");
        let style = source(STYLE, ".key-chart { }");
        assert_eq!(findings(&[code, style]).len(), 2);
    }
}
