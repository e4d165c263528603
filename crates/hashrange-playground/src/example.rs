//! The examples that come with the page, embedded in it.
//!
//! Invariant: each opens; a test holds that.

use hashrange_design::{Budget, Design, Recipe};
use hashrange_storage::Store;

use crate::load;
use crate::session::Session;
use crate::view::ExampleCard;

macro_rules! example_files {
    ($slug:literal) => {
        (
            $slug,
            include_str!(concat!("../../../playground-examples/", $slug, "/design.json")),
            include_str!(concat!("../../../playground-examples/", $slug, "/data.json")),
        )
    };
}

/// Design and recipe of each example, in the order of the menu; the first is what a new visitor sees.
const EXAMPLES: [(&str, &str, &str); 4] = [
    example_files!("factory-floor"),
    example_files!("find-by-name"),
    example_files!("file-versions"),
    example_files!("factory-sensors"),
];

/// The pattern a new visitor finds already run: a query whose filter throws most of what was read away.
const FIRST_PATTERN: u32 = 4;

/// The cards of the menu.
pub(crate) fn cards() -> Vec<ExampleCard> {
    EXAMPLES
        .iter()
        .map(|(slug, design, _)| {
            let design = Design::from_json(design).unwrap_or_default();
            ExampleCard { slug: (*slug).to_owned(), title: design.title, question: design.question }
        })
        .collect()
}

/// Opens an example.
///
/// # Errors
/// One sentence if there is none of that name.
pub(crate) fn open(slug: &str, now_ms: i64) -> Result<Session, String> {
    let (_, design, recipe) = EXAMPLES
        .iter()
        .find(|(known, ..)| *known == slug)
        .ok_or_else(|| format!("There is no example called {slug}."))?;
    let design = Design::from_json(design).map_err(|error| error.to_string())?;
    let recipe = Recipe::from_json(recipe).map_err(|error| error.to_string())?;
    let keys = design.key_schemas().map_err(|error| error.to_string())?;
    let items = recipe.items(Budget::default(), keys).map_err(|error| error.to_string())?;
    let mut store = Store::default();
    for table in &design.tables {
        load::create_table(&mut store, table, now_ms)?;
    }
    for (table, item) in items {
        load::put(&mut store, &table, item)?;
    }
    Ok(Session::over(design, store))
}

/// The first example with its telling query run to the end.
pub(crate) fn first_visit(now_ms: i64) -> Session {
    let mut session =
        open(EXAMPLES[0].0, now_ms).expect("a test holds that the embedded examples open");
    let number = session.run_pattern(FIRST_PATTERN, now_ms);
    // The example's query has two pages; the bound keeps a changed one from running on and on.
    for _ in 0..4 {
        if session.next_page(number, now_ms).is_none() {
            break;
        }
    }
    session
}
