//! `cargo xtask regen`: the crate of the published document, and the clients of the documents that tests are written against. Each is
//! generated on its own; none reads another.

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};
use client_generator::emit::calls_of;
use client_generator::generate::Layout;
use client_generator::generate::calls;
use openapi_crate::commands::generate::{Options, generate, installed};
use serde_json::Map;

/// Each folder below this one is a document with its client.
const TEST_DOCUMENTS: &str = "tests/documents";

/// The calls of all of these clients.
const CALLS: &str = "tests/checked/tests/calls";

/// Regenerates every crate of the repository, or with `check` only compares. Returns whether all are (now) as they should be.
///
/// # Errors
///
/// The first crate that cannot be generated. Those before it are written.
pub fn regen(layout: &Layout, is_check: bool, out: &mut dyn Write) -> Result<bool> {
    let options = Options {
        check: is_check,
        verbose: true,
    };
    let (renderer, mut err) = (openapi_document::renderer(), std::io::stderr().lock());
    let mut fresh = generate(layout, options, &renderer, out, &mut err)?.fresh;
    let mut all = Vec::new();
    for layout in test_documents(layout)? {
        fresh &= generate(&layout, options, &renderer, out, &mut err)?.fresh;
        let name = layout.document.rsplit('/').nth(1).unwrap_or_default();
        all.push((name.to_owned(), calls(&layout)?));
    }
    if !all.is_empty() {
        let changed = installed(layout, CALLS, &calls_of(&all), options, out)?;
        fresh &= changed.is_empty() || !is_check;
    }
    Ok(fresh)
}

/// Lists the documents that tests are written against, by the names of their folders, with the crate of the published one as their example. A
/// repository may have none.
///
/// # Errors
///
/// A folder that cannot be listed.
pub fn test_documents(main: &Layout) -> Result<Vec<Layout>> {
    let entries = match std::fs::read_dir(main.root.join(TEST_DOCUMENTS)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).context(format!("listing {TEST_DOCUMENTS}")),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("listing {TEST_DOCUMENTS}"))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // Editors and file managers put hidden folders anywhere.
        if is_folder && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    let layouts = names.into_iter().map(|name| {
        let folder = format!("{TEST_DOCUMENTS}/{name}");
        Layout {
            document: format!("{folder}/openapi.yaml"),
            overrides: format!("{folder}/overrides"),
            generated: format!("{folder}/client"),
            changelog: format!("{folder}/CHANGELOG.md"),
            package: Map::new(),
            ..main.clone()
        }
    });
    Ok(layouts.collect())
}
