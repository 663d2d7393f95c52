//! `cargo xtask overrides check`: the verdicts, and the lints of the set.

use std::io::Write;

use anyhow::Result;
use client_generator::emit::{FileTree, MANIFEST, emit};
use client_generator::generate;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::program::command;
use openapi_document::source::Source;
use openapi_overrides::OverrideSet;

use super::{Loaded, about_document, load, show};
use crate::commands::status::line;
use client_generator::generate::Layout;

/// Judges all overrides against the published document, or another one, and lints the set.
/// Returns whether everything is in order.
pub fn check(layout: &Layout, document: Option<&str>, out: &mut dyn Write) -> Result<bool> {
    let loaded = load(layout, document)?;
    show(&loaded.rebase, false, out)?;
    let judgements = openapi_overrides::judge(&loaded.published, &loaded.set);
    let mut findings = judgements.findings();
    findings.extend(openapi_overrides::lint(&loaded.set));
    if findings.is_empty() {
        let reconciled = loaded.published.with_value(judgements.document.clone());
        findings.extend(openapi_overrides::shown(
            &loaded.published,
            &reconciled,
            &loaded.set,
        ));
        findings.extend(openapi_overrides::required(&reconciled, &loaded.set));
        findings.extend(without_effect(layout, &loaded)?);
    }
    if findings.is_empty() {
        line(
            out,
            "Checked",
            &format!(
                "{} overrides against {}",
                judgements.all.len(),
                loaded.published.path
            ),
        )?;
        return Ok(true);
    }
    let stop = DocumentError::Findings(findings);
    Err(match document {
        None => stop,
        Some(document) => {
            let then = command(format_args!("overrides check --document {document}"));
            stop.map(|finding| about_document(finding, document, &then))
        }
    }
    .into())
}

/// Generates the crate with these overrides.
fn tree(layout: &Layout, published: &Source, set: &OverrideSet) -> Result<FileTree, DocumentError> {
    let reconciled = openapi_overrides::reconcile(published, set)?;
    let code = generate::code(&reconciled.source, &reconciled.report)?;
    // An override may be there for a warning that stops.
    if layout.strict {
        generate::strict(&code.warnings)?;
    }
    emit(&reconciled, &code, &layout.packaging)
}

/// Overrides that could go without a trace in the emitted crate. Generates once without each.
fn without_effect(layout: &Layout, loaded: &Loaded) -> Result<Vec<Finding>> {
    let published = &loaded.published;
    let complete = tree(layout, published, &loaded.set)?;
    let mut findings = Vec::new();
    for one in &loaded.set.overrides {
        // A set that does not even generate without the file misses it.
        let Ok(without) = tree(layout, published, &loaded.set.without(&one.id)) else {
            continue;
        };
        let lists = ["OVERRIDES.md", MANIFEST, "openapi.yaml"];
        let differs = complete
            .iter()
            .filter(|(path, _)| !lists.contains(path))
            .any(|(path, content)| without.get(path) != Some(content));
        if !differs {
            findings.push(one.source.finding(
                "override-effect",
                "/info/title",
                format!(
                    "`{}` changes nothing in the code or its documentation",
                    one.id
                ),
                "delete it, or make the generator show what it says",
            ));
        }
    }
    Ok(findings)
}
