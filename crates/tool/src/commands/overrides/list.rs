//! `cargo xtask overrides list`.

use std::io::Write;

use anyhow::Result;
use openapi_overrides::{Judgement, Judgements};

use super::load;
use crate::layout::Layout;

/// Lists all overrides with their verdicts, or the files alone, in the order in which they apply.
pub fn list(layout: &Layout, are_paths: bool, out: &mut dyn Write) -> Result<()> {
    let loaded = load(layout, None)?;
    if are_paths {
        for one in &loaded.set.overrides {
            writeln!(out, "{}", one.source.path)?;
        }
        return Ok(());
    }
    table(
        &openapi_overrides::judge(&loaded.published, &loaded.set),
        out,
    )
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
