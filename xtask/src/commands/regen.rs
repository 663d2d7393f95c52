//! `cargo xtask regen`: published document + overrides → the generated crate.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use client_generator::emit::{FileTree, MANIFEST};
use client_generator::generate::generate;
use openapi_document::source::Source;

use super::status::line;
use crate::install::{self, State};
use crate::layout::Layout;

/// Regenerates, or with `check` only compares. Returns whether the crate is (now) as it should be.
pub fn regen(layout: &Layout, check: bool, out: &mut dyn Write) -> Result<bool> {
    let task = layout.task();
    let generated = generate(&task)?;
    let inputs = task
        .packaging
        .inputs(&generated.published, &generated.overrides);
    moved_inputs(layout, &inputs, out)?;
    line(
        out,
        "Reconciled",
        &format!(
            "{} with {} overrides",
            layout.document,
            generated.reconciled.report.applied.len()
        ),
    )?;
    installed(layout, &layout.generated, &generated.tree, check, out)
}

/// Writes the tree of a folder of the workspace, or with `check` only compares. Returns whether the folder is (now) as it should be.
pub(super) fn installed(
    layout: &Layout,
    folder: &str,
    tree: &FileTree,
    check: bool,
    out: &mut dyn Write,
) -> Result<bool> {
    let states = install::compare(tree, &layout.root.join(folder))?;
    if !check {
        let changes = install::changes(tree, &states, folder);
        install::change(&layout.root, &changes)?;
    }
    let mut fresh = true;
    for (path, state) in &states {
        let path = format!("{folder}/{path}");
        match state {
            State::Fresh => continue,
            // A person's own file does not matter here until it is in the way of the comparison.
            State::Foreign => {
                fresh &= !check;
                line(
                    out,
                    "Foreign",
                    &format!("{path} (not generated: move it elsewhere)"),
                )?;
            }
            State::Stale | State::Missing | State::Stray if check => {
                fresh = false;
                let verb = match state {
                    State::Stale => "Stale",
                    State::Missing => "Missing",
                    _ => "Stray",
                };
                line(out, verb, &path)?;
            }
            State::Stray => line(out, "Deleted", &path)?,
            State::Stale | State::Missing => line(out, "Wrote", &path)?,
        }
    }
    if fresh {
        let count = tree.iter().count();
        line(out, "Fresh", &format!("{folder} ({count} files)"))?;
    } else {
        line(
            out,
            "Help",
            "run `cargo xtask regen` and commit what it writes",
        )?;
    }
    Ok(fresh)
}

/// Says which inputs differ from those that the crate on disk was generated from.
fn moved_inputs(
    layout: &Layout,
    inputs: &BTreeMap<String, String>,
    out: &mut dyn Write,
) -> Result<()> {
    let path = format!("{}/{MANIFEST}", layout.generated);
    let Ok(manifest) = Source::read(&layout.root, &path) else {
        return Ok(line(out, "New", &layout.generated)?);
    };
    let recorded: BTreeMap<String, String> = manifest
        .value
        .get("inputs")
        .and_then(|inputs| inputs.as_object())
        .into_iter()
        .flatten()
        .filter_map(|(path, digest)| {
            let digest = digest.as_str()?.strip_prefix("sha256:")?;
            Some((path.clone(), digest.to_owned()))
        })
        .collect();
    for (path, digest) in inputs {
        match recorded.get(path) {
            None => line(out, "Added", path)?,
            Some(before) if before != digest => line(out, "Changed", path)?,
            Some(_) => {}
        }
    }
    for path in recorded.keys().filter(|path| !inputs.contains_key(*path)) {
        line(out, "Removed", path)?;
    }
    Ok(())
}
