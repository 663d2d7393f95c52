//! `cargo xtask overrides list`.

use std::io::Write;

use anyhow::Result;

use super::load;
use client_generator::generate::Layout;

/// Lists all overrides with their verdicts, or the files alone, in the order in which they apply.
pub fn list(layout: &Layout, are_paths: bool, out: &mut dyn Write) -> Result<()> {
    let loaded = load(layout, None)?;
    if are_paths {
        for one in &loaded.set.overrides {
            writeln!(out, "{}", one.source.path)?;
        }
        return Ok(());
    }
    let judgements = openapi_overrides::judge(&loaded.published, &loaded.set);
    let all = judgements.all.iter().map(|judgement| &judgement.applied.by);
    let width = all
        .clone()
        .map(|one| one.id.len())
        .max()
        .unwrap_or_default();
    let sections = all.map(|one| one.about.reference.len()).max();
    let sections = sections.unwrap_or_default();
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
