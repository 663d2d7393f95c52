//! New operations that may page, although the document is ambiguous: a person decides, or accepts the likeliest style.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_model::Detection;
use openapi_overrides::{Family, Override, OverrideSet, reconcile};
use serde_json::json;

use super::documents::Documents;
use super::moves::Moves;
use super::options::Options;
use crate::commands::overrides::text::{self, kebab};
use crate::layout::Layout;

/// Paging decisions for new operations.
pub(super) struct Decided {
    /// The overrides, with those that `--accept` adds.
    pub(super) set: OverrideSet,
    /// A sentence for each new operation that pages, or may.
    pub(super) sentences: Vec<String>,
}

/// Decides how new operations page. `callers` is what the crate of today was generated from.
///
/// # Errors
///
/// A finding for each new operation that may page, unless a person accepts the likeliest.
pub(super) fn decided(
    layout: &Layout,
    options: &Options,
    documents: &Documents,
    set: OverrideSet,
    callers: &Source,
) -> Result<Decided, DocumentError> {
    let new = reconcile(&documents.new, &set)?;
    let callers = Moves::between(&callers.value, new.value()).applied(callers.clone());
    let Ok(read) = client_generator::generate::read(&new.source) else {
        // The generator reports the errors of the document.
        let sentences = Vec::new();
        return Ok(Decided { set, sentences });
    };
    let mut decided = Decided {
        set,
        sentences: Vec::new(),
    };
    let (mut findings, mut ids) = (Vec::new(), Vec::new());
    let found = read.model.detections.iter();
    for one in found.filter(|one| callers.value.pointer(&one.pointer).is_none()) {
        let (operation, reason) = (&one.operation, &one.reason);
        let Some(doubt) = &one.doubt else {
            decided.sentences.push(format!("`{operation}`: {reason}"));
            continue;
        };
        let path = path(layout, one);
        let is_taken = decided
            .set
            .overrides
            .iter()
            .any(|other| other.source.path == path);
        if options.accept && one.pagination.is_whole() && !is_taken {
            decided
                .sentences
                .push(format!("`{operation}`: {reason}, accepted in {path}"));
            ids.push(accepted(path, one)?);
            continue;
        }
        let suggestion = if one.pagination.is_whole() {
            format!(
                "`x-pagination: {}`, which `--accept` writes to {path}",
                one.pagination
            )
        } else {
            "`x-pagination`".to_owned()
        };
        findings.push(Finding::about(
            "paging",
            format!("{}#{}", documents.given.path, one.pointer),
            format!("`{operation}` is new and may page: {reason}, and {doubt}"),
            format!("write an override with {suggestion}, or with `x-pagination: false`"),
        ));
    }
    DocumentError::unless_empty(findings)?;
    ids.into_iter().for_each(|one| decided.set.insert(one));
    Ok(decided)
}

fn path(layout: &Layout, detection: &Detection) -> String {
    let id = kebab(&format!("paging {}", detection.operation));
    format!(
        "{}/{}/{id}.yaml",
        layout.overrides,
        Family::Assumed.folder()
    )
}

/// Returns the override with the likeliest paging.
fn accepted(path: String, detection: &Detection) -> Result<Override, DocumentError> {
    let Detection {
        operation,
        pointer,
        pagination,
        reason,
        doubt,
    } = detection;
    let doubt = doubt.as_deref().unwrap_or_default();
    let head = json!({
        "overlay": "1.1.0",
        "info": {"title": format!("`{operation}` pages"), "version": "1.0.0"},
        "x-override": {
            "published": format!("The paging is not documented: {reason}, and {doubt}."),
            "observed": "Nothing yet. It is assumed from the names of parameters and members.",
            "reference": "none",
            "retire-when": "The document says how the operation pages.",
        },
    });
    let action = json!({
        "target": text::path(pointer),
        "x-expect": {"x-pagination": null},
        "update": {"x-pagination": pagination},
    });
    let file = text::file(&head, &[action]);
    Override::parse(Family::Assumed, Source::parse(&path, file)?).map_err(DocumentError::Findings)
}
