//! `cargo xtask overrides new` and `guard`: both write guards from the document.

use std::io::Write;

use anyhow::Result;
use openapi_document::finding::{DocumentError, near};
use openapi_document::program::{command, generate};
use openapi_document::source::Source;
use openapi_overlay::{Overlay, Selection};
use openapi_overrides::{Family, Override, OverrideSet};
use serde_json::Value;

use super::{Loaded, load};
use crate::commands::status::line;
use crate::install::{self, Changes};
use client_generator::generate::Layout;

/// Writes a new override whose guard is filled in from the published document, or another one, before the file.
pub fn new(
    layout: &Layout,
    name: &str,
    target: &str,
    document: Option<&str>,
    out: &mut dyn Write,
) -> Result<()> {
    let (family, id) = name.split_once('/').ok_or_else(|| {
        anyhow::anyhow!("`{name}` is not a FAMILY/ID, such as upstream/article-date")
    })?;
    let family: Family = family.parse().map_err(anyhow::Error::msg)?;
    if id.is_empty()
        || !id
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    {
        anyhow::bail!("`{id}` is not an id: lower-case letters, digits and hyphens");
    }
    let path = format!("{}/{}/{id}.yaml", layout.overrides, family.folder());
    if layout.root.join(&path).exists() {
        anyhow::bail!("{path} exists: edit it, or choose another id");
    }
    let loaded = load(layout, document)?;
    let document = before(&loaded, family, &path);
    // A whole action, so that a mistake in the query is shown as in any other file.
    let empty = openapi_overrides::template(family, target, &Value::Object(serde_json::Map::new()));
    let source = Source::parse(&path, empty)?;
    let overlay = Overlay::read(&source).map_err(DocumentError::Findings)?;
    let Some(action) = overlay.actions.first() else {
        anyhow::bail!("the template has no action");
    };
    let nodes = action.query.query(&document).all();
    let Some(guard) = nodes.first() else {
        let dead = openapi_overlay::dead_target(&document, action, &source);
        return Err(DocumentError::Findings(dead.into_iter().collect()).into());
    };
    let text = openapi_overrides::template(family, target, guard);
    install::change(&layout.root, &vec![(path.clone(), Some(text))])?;
    line(out, "Wrote", &path)?;
    if family == Family::Upstream {
        let evidence = format!("{}/evidence/{id}.json", layout.overrides);
        line(
            out,
            "Next",
            &format!(
                "write {evidence} with `note`, `schema`, `payload` and `published`, and list it under `evidence`"
            ),
        )?;
    }
    let next = format!(
        "fill it in, then `{}` and `{}`",
        command(format_args!("overrides guard {id}")),
        generate()
    );
    line(out, "Next", &next)?;
    Ok(())
}

/// Writes the guards of the named overrides, or of all that lack one, as the published document is now. For another one, the overrides also
/// follow it, as an update would move them.
pub fn guard(
    layout: &Layout,
    ids: &[String],
    document: Option<&str>,
    out: &mut dyn Write,
) -> Result<()> {
    let loaded = load(layout, document)?;
    for id in ids {
        check_id(&loaded, id)?;
    }
    let (mut changes, mut lines) = (Changes::new(), Vec::new());
    for one in &loaded.set.overrides {
        let lacks = one
            .overlay
            .actions
            .iter()
            .any(|action| action.guard.is_none());
        if !(ids.contains(&one.id) || ids.is_empty() && lacks) {
            continue;
        }
        let source = guarded(&loaded, one)?;
        let mut followed = loaded.rebase.files.iter();
        let has_followed = followed.any(|(path, _)| *path == source.path);
        if source.text == one.source.text && !has_followed {
            lines.push(("Fresh", source.path));
        } else {
            lines.push(("Guarded", source.path.clone()));
            changes.push((source.path, Some(source.text)));
        }
    }
    install::change(&layout.root, &changes)?;
    for (verb, path) in lines {
        line(out, verb, &path)?;
    }
    Ok(())
}

/// Returns an error for an id that no override of the set has.
fn check_id(loaded: &Loaded, id: &str) -> Result<()> {
    let known = loaded.set.overrides.iter().map(|one| one.id.as_str());
    if known.clone().any(|known| known == id) {
        return Ok(());
    }
    let mut retired = loaded.rebase.retired.iter();
    if let Some(retired) = retired.find(|one| one.by.id == id) {
        anyhow::bail!(
            "an update deletes {}: {}",
            retired.by.source.path,
            retired.reason
        );
    }
    match near(id, known) {
        Some(near) => anyhow::bail!("no override has the id `{id}`: did you mean `{near}`?"),
        None => anyhow::bail!(
            "no override has the id `{id}`: see `{}`",
            command("overrides list")
        ),
    }
}

/// The file with its guards as the document is at its turn.
fn guarded(loaded: &Loaded, one: &Override) -> Result<Source, DocumentError> {
    let mut document = before(loaded, one.family, &one.source.path);
    let mut source = one.source.clone();
    for action in &one.overlay.actions {
        let guard = openapi_overrides::derive_guard(&loaded.published.value, &document, action);
        let text = openapi_overrides::with_key(&source, &action.pointer, "x-expect", &guard);
        let Some(text) = text else {
            return Err(DocumentError::Findings(vec![source.finding(
                "override-style",
                &action.pointer,
                "the action is not written in block style, so its guard cannot be written for you",
                "write `- target: …` on a separate line",
            )]));
        };
        source = Source::parse(&source.path, text)?;
        openapi_overlay::apply_action(&mut document, action, &source, Selection::MustNotBeEmpty)
            .map_err(|finding| DocumentError::Findings(vec![*finding]))?;
    }
    Ok(source)
}

/// Returns the document after the overrides that are earlier than one in this file.
fn before(loaded: &Loaded, family: Family, path: &str) -> Value {
    let all = loaded.set.overrides.iter();
    let earlier = all.filter(|one| (one.family, one.source.path.as_str()) < (family, path));
    let set = OverrideSet {
        overrides: earlier.cloned().collect(),
        ..OverrideSet::default()
    };
    openapi_overrides::judge(&loaded.published, &set).document
}
