//! `cargo xtask web`: the page in `web/dist`, the JavaScript package in `web/npm/pkg`.
//!
//! What is where in `web/dist`, all addressed relatively:
//!
//! | path | from |
//! |---|---|
//! | `index.html`, pictures | `web/` (a `<!-- icons -->` mark becomes the sprite of `web/icons.txt`) |
//! | `app/hashrange_ui.js`, `app/hashrange_ui_bg.wasm` | `crates/hashrange-ui` |
//! | `styles/`, `icons/` | `web/styles`, `web/icons` |
//! | `playground-examples/` | `playground-examples/` |
//! | `editor.js` and the like | each `web/*.ts`, bundled |
//!
//! Invariant: nothing of an earlier build stays behind.

use std::fs;

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::page;
use crate::project::Project;
use crate::wasm::{self, Care};

/// Options of `cargo xtask web`.
#[derive(Args, Default, Clone, Copy)]
pub(crate) struct Options {
    /// Build a draft: the dev profile without wasm-opt, faster to build and much bigger
    #[arg(long)]
    pub(crate) draft: bool,
    /// Build only the page, not the JavaScript package
    #[arg(long)]
    pub(crate) page_only: bool,
    /// Build only the JavaScript package, not the page
    #[arg(long, conflicts_with = "page_only")]
    pub(crate) package_only: bool,
}

/// Builds the page and the package; setup has to have run.
///
/// # Errors
///
/// A crate, a script or a page doesn't build; the sentence says which.
pub(crate) fn run(project: &Project, options: Options) -> Outcome {
    let care = if options.draft { Care::Draft } else { Care::Release };
    if !options.page_only {
        // The first empties the folder that the second lies in.
        let package = project.engine_package();
        wasm::build(project, "hashrange-wasm", &package, care, &["--no-default-features"])?;
        wasm::build(project, "hashrange-wasm", &package.join("simulation"), care, &[])?;
    }
    if !options.package_only {
        build_page(project, care)?;
    }
    Ok(())
}

fn build_page(project: &Project, care: Care) -> Outcome {
    let app = project.web_build().join("app");
    wasm::build(project, "hashrange-ui", &app, care, &[])?;
    println!("Putting the page together …");
    let dist = project.dist();
    if dist.exists() {
        fs::remove_dir_all(&dist).map_err(|error| Failure::file("empty", &dist, &error))?;
    }
    page::copy_folder(&app, &dist.join("app"), &|path| {
        path.extension().is_some_and(|end| end == "js" || end == "wasm")
    })?;
    page::assemble(project, &dist)?;
    page::minify(project, &dist)?;
    page::bundle_scripts(project, &dist)?;
    println!("The page is in {}", dist.display());
    Ok(())
}
