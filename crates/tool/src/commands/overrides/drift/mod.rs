//! `cargo xtask overrides from-drift`: a printed line of `Response::drift()` becomes an override with its guard and a skeleton of its
//! evidence. Parts that a line lacks are left empty, and `regen` requires them.

mod draft;
mod lines;
mod places;

use std::io::Write;

use anyhow::Result;

use super::write::{before, guarded, reviewed};
use super::{Loaded, load};
use crate::commands::status::line;
use crate::install::{self, Changes};
use crate::layout::Layout;
use draft::Draft;
use lines::{Kind, Line};
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::program::generate;
use openapi_document::source::Source;
use openapi_overlay::Overlay;
use openapi_overrides::{Family, reconcile};
use places::{Found, documented_at, find};

/// The lines that become overrides.
#[derive(Clone, Debug, Default)]
pub struct DriftOptions {
    /// One line.
    pub line: Option<String>,
    /// The lines of a report, with its origin. Lines that are not drift are skipped.
    pub report: Option<(String, String)>,
    /// The id of the operation, for lines that do not name it.
    pub operation: Option<String>,
    /// The id of the override, for one line; without it, the names of the schema and of the property.
    pub id: Option<String>,
}

/// Writes an override for each line, or nothing.
///
/// # Errors
///
/// A line is not drift, its place is missing or ambiguous, or an override exists.
pub fn from_drift(layout: &Layout, options: &DriftOptions, out: &mut dyn Write) -> Result<()> {
    let loaded = load(layout, None)?;
    let (name, text) = match (&options.line, &options.report) {
        (Some(line), _) => ("LINE", line.as_str()),
        (None, Some((name, text))) => (name.as_str(), text.as_str()),
        (None, None) => anyhow::bail!("give a line of drift, or a file of them with `--report`"),
    };
    let (mut drafts, mut passed) = (Vec::new(), 0);
    for text in text.lines().filter(|text| !text.trim().is_empty()) {
        let Some(read) = lines::read(text) else {
            if options.report.is_none() {
                return Err(no_drift(name, text).into());
            }
            passed += 1;
            continue;
        };
        if let Kind::Alias { sent, documented } = &read.kind {
            line(
                out,
                "Read",
                &format!("{text} (nothing to write: `{sent}` is read as `{documented}`)"),
            )?;
            continue;
        }
        let wish = match read.kind {
            Kind::Missing => Some("take it off `required` if the service may leave it out"),
            Kind::Null => Some("allow null if the service may send it"),
            _ => None,
        };
        if let Some(wish) = wish {
            let why = format!("{text} (nothing to write: the field has its default; {wish})");
            line(out, "Read", &why)?;
            continue;
        }
        let draft = drafted(&loaded, options, name, &read)?;
        if !drafts.iter().any(|known: &Draft| known.id == draft.id) {
            drafts.push(draft);
        }
    }
    if passed > 0 {
        line(
            out,
            "Passed over",
            &format!("{passed} lines of {name} that are not drift"),
        )?;
    }
    let mut changes = Changes::new();
    for draft in &drafts {
        changes.extend(files(layout, &loaded, draft)?);
    }
    install::change(&layout.root, &changes)?;
    for (path, _) in &changes {
        line(out, "Wrote", path)?;
    }
    for draft in &drafts {
        for next in draft.left(&layout.overrides) {
            line(out, "Next", &next)?;
        }
    }
    if !drafts.is_empty() {
        line(
            out,
            "Next",
            &format!(
                "`{}`, which lists the fields that are still empty",
                generate()
            ),
        )?;
        reviewed(layout, out)?;
    }
    Ok(())
}

fn drafted(
    loaded: &Loaded,
    options: &DriftOptions,
    name: &str,
    line: &Line,
) -> Result<Draft, DocumentError> {
    let reconciled = reconcile(&loaded.published, &loaded.set)?;
    let operation = line.operation.as_deref().or(options.operation.as_deref());
    let found: Found = find(reconciled.value(), operation, line)
        .map_err(|problem| DocumentError::Findings(vec![problem.finding(name, line)]))?;
    // An override may have changed it; the evidence shows the published form.
    let published = documented_at(&loaded.published.value, &found.place);
    let found = Found {
        documented: published.or(found.documented),
        ..found
    };
    Ok(Draft::new(found, line, options.id.as_deref()))
}

/// The two files of an override.
fn files(layout: &Layout, loaded: &Loaded, draft: &Draft) -> Result<Changes> {
    let folder = &layout.overrides;
    let path = format!("{folder}/{}/{}.yaml", Family::Upstream.folder(), draft.id);
    let evidence = format!("{folder}/evidence/{}.json", draft.id);
    for path in [&path, &evidence] {
        if layout.root.join(path).exists() {
            anyhow::bail!("{path} exists: edit it, or choose another id with `--id`");
        }
    }
    let source = Source::parse(&path, draft.text())?;
    let overlay = Overlay::read(&source).map_err(DocumentError::Findings)?;
    let document = before(loaded, |one| {
        (one.family, one.source.path.as_str()) < (Family::Upstream, path.as_str())
    });
    if document.pointer(&draft.place).is_none() {
        return Err(DocumentError::Findings(vec![written_by_another(loaded, draft)]).into());
    }
    let source = guarded(loaded, &source, &overlay, document)?;
    Ok(vec![
        (path, Some(source.text)),
        (evidence, Some(draft.evidence()?)),
    ])
}

/// Returns a finding for a place that only an override adds: that override has to change.
fn written_by_another(loaded: &Loaded, draft: &Draft) -> Finding {
    let Ok(reconciled) = reconcile(&loaded.published, &loaded.set) else {
        return Finding::about(
            "drift",
            &draft.id,
            "the place is not in the published document",
            "",
        );
    };
    let mut by = reconciled.report.touching(&draft.place);
    let by = by
        .next()
        .map_or("an override", |one| one.by.source.path.as_str());
    Finding::about(
        "drift",
        by,
        format!(
            "the published document has no #{}: this file brings it",
            draft.place
        ),
        "correct it there",
    )
}

fn no_drift(name: &str, text: &str) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "drift",
        name,
        format!("`{text}` is not a line of drift"),
        "print it with `println!(\"{drift:#}\")` for each of `response.drift()`, as \
         ``listThings /data/0/kind: `novella`, an undocumented enum value``",
    )])
}
