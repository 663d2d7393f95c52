//! The pages of the guide lead from one to the next, in the order in which the front page of the runtime lists them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// Pages that are types.
const TYPES: [(&str, &str); 2] = [
    ("RetryPolicy", "request/options.rs"),
    ("Budget", "money/budget/handle.rs"),
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/core/src")
}

/// Returns the paths that the front page lists, in order.
fn listed() -> Result<Vec<String>> {
    let root = fs::read_to_string(sources().join("lib.rs"))?;
    let (_, list) = root.split_once("//! # Guide").context("a guide")?;
    let (list, _) = list.split_once("//! # ").context("an end")?;
    let mut paths = Vec::new();
    for line in list.lines() {
        // A page of a feature is an attribute.
        let item = line.split_once("doc = \"").map(|(_, item)| item);
        let item = item.unwrap_or_else(|| line.trim_start_matches("//! "));
        let number = format!("{}. [", paths.len() + 1);
        if let Some(link) = item.strip_prefix(&number) {
            let (_, target) = link.split_once("](").context("a link")?;
            let (path, _) = target.split_once(')').context("a link")?;
            paths.push(path.to_owned());
        }
    }
    Ok(paths)
}

/// Returns the text of a page, with its code.
fn page(path: &str) -> Result<String> {
    let of_type = TYPES.iter().find(|(name, _)| *name == path);
    let file = match of_type {
        Some((_, file)) => sources().join(file),
        None => sources().join(path).join("mod.rs"),
    };
    let file = if file.exists() {
        file
    } else {
        sources().join(format!("{path}.rs"))
    };
    fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))
}

#[test]
fn each_page_of_the_guide_has_an_example_and_leads_to_the_next_one() -> Result<()> {
    let pages = listed()?;
    assert!(pages.len() > 8, "{pages:?}");
    for pair in pages.windows(2) {
        let [one, next] = pair else { continue };
        let text = page(one)?;
        ensure!(
            text.contains("! ```\n") || text.contains("/ ```\n"),
            "{one} has no example"
        );
        let links = ["crate", "super"].map(|root| format!("]({root}::{next})"));
        let leads = text.lines().any(|line| {
            let is_link = links.iter().any(|link| line.contains(link));
            is_link && line.contains("Next: [")
        });
        ensure!(
            leads,
            "the page {one} needs: Next: [{next}](crate::{next})."
        );
    }
    Ok(())
}
