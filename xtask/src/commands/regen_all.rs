//! All that `cargo xtask regen` generates: the crate of the published document, and the clients of the documents that tests are written
//! against. Each is generated on its own; none reads another.

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};
use client_generator::emit::calls_of;
use client_generator::generate::calls;

use super::regen::{installed, regen};
use super::release::missing_bump;
use super::status::line;
use crate::layout::Layout;

/// Each folder below this one is a document with its client.
const TEST_DOCUMENTS: &str = "tests/documents";

/// The calls of all of these clients.
const CALLS: &str = "tests/checked/tests/calls";

/// Regenerates every crate of the workspace, or with `check` only compares, also the version with what changed since the last release.
/// Returns whether all are (now) as they should be.
///
/// # Errors
///
/// The first crate that cannot be generated. Those before it are written.
pub fn regen_all(layout: &Layout, check: bool, out: &mut dyn Write) -> Result<bool> {
    let mut fresh = regen(layout, check, out)?;
    if check
        && fresh
        && let Some(missing) = missing_bump(layout)?
    {
        fresh = false;
        line(out, "Version", &missing)?;
    }
    let mut all = Vec::new();
    for layout in test_documents(layout)? {
        fresh &= regen(&layout, check, out)?;
        let name = layout.document.rsplit('/').nth(1).unwrap_or_default();
        all.push((name.to_owned(), calls(&layout.task())?));
    }
    if !all.is_empty() {
        fresh &= installed(layout, CALLS, &calls_of(&all), check, out)?;
    }
    Ok(fresh)
}

/// Lists the documents that tests are written against, by the names of their folders. A workspace may have none.
///
/// # Errors
///
/// A folder that cannot be listed.
pub fn test_documents(layout: &Layout) -> Result<Vec<Layout>> {
    let entries = match std::fs::read_dir(layout.root.join(TEST_DOCUMENTS)) {
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
        Layout::of_test_document(layout.root.clone(), &folder)
    });
    Ok(layouts.collect())
}
