//! The files of the page that no compiler makes: markup, styles, icons, examples, scripts.
//!
//! Invariant: every address in the built page is relative, so it works below any path.
//!
//! Not here: the wasm modules (`wasm`) and the order of the build (`web`).

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use xshell::cmd;

use crate::failure::{Failure, Outcome};
use crate::project::{Project, read};

/// Where `index.html` asks for the icons to be put.
const ICONS_MARK: &str = "<!-- icons -->";
/// What else beside scripts and markup the page may need from `web/` itself.
const STATIC_ENDINGS: [&str; 6] = ["html", "svg", "png", "ico", "webmanifest", "woff2"];

/// Copies `web/*.html` and pictures, `web/styles`, `web/icons` and the examples into `dist`.
///
/// # Errors
///
/// A file can't be copied, or a page names something by an absolute address.
pub(crate) fn assemble(project: &Project, dist: &Path) -> Outcome {
    let web = project.root.join("web");
    for path in entries(&web)? {
        let ending = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        if !path.is_file() || !STATIC_ENDINGS.contains(&ending) {
            continue;
        }
        let target = dist.join(path.file_name().expect("a listed file has a name"));
        if ending == "html" {
            write(&target, &page_text(&web, &path)?)?;
        } else {
            fs::copy(&path, &target).map_err(|error| Failure::file("copy", &path, &error))?;
        }
    }
    for (from, to) in [
        (web.join("styles"), "styles"),
        (web.join("icons"), "icons"),
        (project.root.join("playground-examples"), "playground-examples"),
    ] {
        if from.is_dir() {
            copy_folder(&from, &dist.join(to), &|_| true)?;
        }
    }
    Ok(())
}

/// Bundles each `web/*.ts` into one script of the same name in `dist`.
///
/// # Errors
///
/// esbuild refuses a file; it has printed where.
pub(crate) fn bundle_scripts(project: &Project, dist: &Path) -> Outcome {
    let mut scripts = entries(&project.root.join("web"))?;
    scripts.retain(|path| {
        let name = path.to_string_lossy();
        path.is_file() && name.ends_with(".ts") && !name.ends_with(".d.ts")
    });
    if scripts.is_empty() {
        return Ok(());
    }
    println!("Bundling the page's scripts …");
    let esbuild = project.npm_program("esbuild");
    cmd!(project.shell, "{esbuild} {scripts...} --bundle --minify --format=esm --target=es2022")
        .args(["--log-level=warning".to_owned(), format!("--outdir={}", dist.display())])
        .quiet()
        .run()
        .map_err(|_| Failure::new("esbuild could not bundle web/*.ts: see above"))
}

/// Makes the module's script and the styles in `dist` short, where they lie.
///
/// # Errors
///
/// esbuild refuses a file; it has printed where.
pub(crate) fn minify(project: &Project, dist: &Path) -> Outcome {
    let mut files = entries(&dist.join("app"))?;
    files.extend(entries(&dist.join("styles"))?);
    files.extend(entries(&dist.join("styles/panels"))?);
    files.retain(|path| path.extension().is_some_and(|end| end == "js" || end == "css"));
    let esbuild = project.npm_program("esbuild");
    cmd!(project.shell, "{esbuild} {files...} --minify --allow-overwrite --log-level=warning")
        .args([format!("--outbase={}", dist.display()), format!("--outdir={}", dist.display())])
        .quiet()
        .run()
        .map_err(|_| Failure::new("esbuild could not minify the page's files: see above"))
}

/// Copies the files of a folder and of those below it for which `is_wanted` holds.
///
/// # Errors
///
/// A file or folder can't be read or written.
pub(crate) fn copy_folder(from: &Path, to: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Outcome {
    fs::create_dir_all(to).map_err(|error| Failure::file("create", to, &error))?;
    for path in entries(from)? {
        let target = to.join(path.file_name().expect("a listed file has a name"));
        if path.is_dir() {
            copy_folder(&path, &target, is_wanted)?;
        } else if is_wanted(&path) {
            fs::copy(&path, &target).map_err(|error| Failure::file("copy", &path, &error))?;
        }
    }
    Ok(())
}

/// What a folder holds, in order of name, without hidden files.
///
/// # Errors
///
/// The folder can't be listed.
pub(crate) fn entries(folder: &Path) -> Outcome<Vec<std::path::PathBuf>> {
    let list = fs::read_dir(folder).map_err(|error| Failure::file("list", folder, &error))?;
    let mut paths: Vec<_> = list
        .flatten()
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    Ok(paths)
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| Failure::file("write", path, &error))
}

fn page_text(web: &Path, path: &Path) -> Outcome<String> {
    let markup = read(path)?;
    if let Some(line_index) = absolute_address(&markup) {
        return Err(Failure::new(format!(
            "{}:{}: the address starts with `/`, which breaks below a sub-path: make it relative",
            path.display(),
            line_index + 1
        )));
    }
    if !markup.contains(ICONS_MARK) {
        return Ok(markup);
    }
    Ok(markup.replace(ICONS_MARK, &icon_sprite(web)?))
}

/// Index of the first line with a `href` or `src` that only works at the root of a host.
fn absolute_address(markup: &str) -> Option<usize> {
    let starts = ["href=\"/", "src=\"/", "url(/", "from \"/", "import(\"/"];
    markup.lines().position(|line| starts.iter().any(|start| line.contains(start)))
}

/// One hidden SVG with a `<symbol id="i-name">` for each Lucide name in `web/icons.txt`.
fn icon_sprite(web: &Path) -> Outcome<String> {
    let mut sprite = "<svg xmlns=\"http://www.w3.org/2000/svg\" hidden>".to_owned();
    let names = read(&web.join("icons.txt"))?;
    for name in names.lines().map(str::trim).filter(|name| !name.is_empty()) {
        let path = web.join("node_modules/lucide-static/icons").join(format!("{name}.svg"));
        let picture = fs::read_to_string(&path).map_err(|_| {
            Failure::new(format!("web/icons.txt names `{name}`, which Lucide does not have"))
        })?;
        let shapes = inner_shapes(&picture).ok_or_else(|| {
            Failure::new(format!("the Lucide icon `{name}` is not an SVG: run `npm ci` in web/"))
        })?;
        write!(sprite, "<symbol id=\"i-{name}\" viewBox=\"0 0 24 24\">{shapes}</symbol>")
            .expect("writing to a string succeeds");
    }
    sprite.push_str("</svg>");
    Ok(sprite)
}

/// What stands between the `<svg …>` tag and its end, on one line.
fn inner_shapes(picture: &str) -> Option<String> {
    let (_, from_tag) = picture.split_once("<svg")?;
    let (_, inside) = from_tag.split_once('>')?;
    let (shapes, _) = inside.rsplit_once("</svg>")?;
    Some(shapes.lines().map(str::trim).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_from_the_root_is_found_and_a_relative_one_is_not() {
        assert_eq!(absolute_address("<a href=\"./x\">\n<img src=\"/y.png\">"), Some(1));
        assert_eq!(absolute_address("<link href=\"styles/base.css\">"), None);
    }

    #[test]
    fn only_the_shapes_of_an_icon_go_into_the_sprite() {
        let icon = "<!-- licence -->\n<svg\n  class=\"x\"\n>\n  <path d=\"M1 1\" />\n</svg>\n";
        assert_eq!(inner_shapes(icon).as_deref(), Some("<path d=\"M1 1\" />"));
    }
}
