//! `cargo xtask overrides list`.

use std::io::Write;

use anyhow::Result;
use openapi_overlay::ChangeKind;
use openapi_overrides::{Judgement, Judgements};
use serde_json::{Value, json};

use super::load;
use crate::layout::Layout;

/// How `list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people.
    Table,
    /// The files, one a line, in the order in which they apply.
    Paths,
    /// JSON.
    Json,
}

/// Lists all overrides with their verdicts.
pub fn list(layout: &Layout, format: Format, out: &mut dyn Write) -> Result<()> {
    let loaded = load(layout, None)?;
    if format == Format::Paths {
        for one in &loaded.set.overrides {
            writeln!(out, "{}", one.source.path)?;
        }
        return Ok(());
    }
    let judgements = openapi_overrides::judge(&loaded.published, &loaded.set);
    if format == Format::Json {
        let all: Vec<Value> = judgements.all.iter().map(as_json).collect();
        writeln!(out, "{:#}", Value::Array(all))?;
        return Ok(());
    }
    table(&judgements, out)
}

fn table(judgements: &Judgements, out: &mut dyn Write) -> Result<()> {
    let widest = |text: fn(&Judgement) -> &str| {
        let widths = judgements.all.iter().map(|judgement| text(judgement).len());
        widths.max().unwrap_or_default()
    };
    let width = widest(|judgement| &judgement.applied.by.id);
    let sections = widest(|judgement| &judgement.applied.by.about.reference);
    for judgement in &judgements.all {
        let one = &judgement.applied.by;
        writeln!(
            out,
            "{:<9} {:<width$}  {:<11}  {:<sections$}  {}",
            one.family.folder(),
            one.id,
            judgement.verdict,
            one.about.reference,
            one.overlay.title
        )?;
    }
    Ok(())
}

fn as_json(judgement: &Judgement) -> Value {
    let one = &judgement.applied.by;
    let changes: Vec<Value> = judgement
        .applied
        .changes
        .iter()
        .map(|change| {
            let kind = match change.kind {
                ChangeKind::Added => "added",
                ChangeKind::Changed => "changed",
                ChangeKind::Removed => "removed",
            };
            json!({"pointer": change.pointer, "kind": kind})
        })
        .collect();
    json!({
        "id": one.id,
        "family": one.family.folder(),
        "path": one.source.path,
        "verdict": judgement.verdict.to_string(),
        "title": one.overlay.title,
        "reference": one.about.reference,
        "published": one.about.published,
        "observed": one.about.observed,
        "retire_when": one.about.retire_when,
        "changes": changes,
    })
}
