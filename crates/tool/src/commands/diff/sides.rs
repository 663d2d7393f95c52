//! The two documents, each with the source of its callers' Rust: for the published document of this workspace, that is the reconciled one.

use std::path::Path;

use client_generator::emit::DOCUMENT;
use openapi_diff::command::{Options, read};
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::given;
use openapi_document::source::{self, Reading, Root, Source};
use openapi_overrides::{OverrideReport, OverrideSet, ReconciledDocument, reconcile};

use client_generator::generate::Layout;

/// A document, and the source of its callers' Rust, or the reason why it is missing.
pub(super) struct Side {
    pub(super) document: Source,
    pub(super) callers: Result<ReconciledDocument, Vec<Finding>>,
}

/// The origin of a document.
enum Origin<'n> {
    /// The published document of the workspace on disk.
    Here,
    /// The published document at this revision.
    At(&'n str),
    /// Elsewhere.
    Elsewhere,
}

/// Reads both documents.
///
/// # Errors
///
/// A document that cannot be read.
pub(super) fn sides(layout: &Layout, options: &Options) -> Result<[Side; 2], DocumentError> {
    let (documents, origins) = match &options.documents {
        Some((old, new)) => {
            let origins = [origin(layout, old), origin(layout, new)];
            (read(old, new, options)?, origins)
        }
        None => {
            let committed = format!("HEAD:{}", layout.document);
            let old = given::document(&layout.root, &committed)?;
            let (folder, path) = (&layout.root, &layout.document);
            let new = source::document(folder, path, Reading::Strict, &Root::Own)?;
            ([old, new], [Origin::At("HEAD"), Origin::Here])
        }
    };
    let is_ours = !matches!(origins, [Origin::Elsewhere, _]) && !options.wire_only;
    let set = if is_ours {
        layout.set()
    } else {
        Ok(OverrideSet::default())
    };
    let side = |document: Source, origin: Origin<'_>| {
        let callers = match (is_ours, callers_of(layout, origin), &set) {
            (false, ..) => Ok(as_it_is(document.clone())),
            (true, Some(callers), _) => Ok(as_it_is(callers)),
            (true, None, Ok(set)) => {
                reconcile(&document, set).map_err(|stop| stop.findings().to_vec())
            }
            (true, None, Err(stop)) => Err(stop.findings().to_vec()),
        };
        Side { document, callers }
    };
    let ([old, new], [of_old, of_new]) = (documents, origins);
    Ok([side(old, of_old), side(new, of_new)])
}

fn origin<'n>(layout: &Layout, name: &'n str) -> Origin<'n> {
    let published = layout.root.join(&layout.document).canonicalize();
    if published.is_ok_and(|published| {
        Path::new(name)
            .canonicalize()
            .is_ok_and(|path| path == published)
    }) {
        return Origin::Here;
    }
    match name.split_once(':') {
        Some((revision, path)) if path == layout.document => Origin::At(revision),
        _ => Origin::Elsewhere,
    }
}

/// The document that the crate of a revision was generated from: its overrides are those of that time.
fn callers_of(layout: &Layout, origin: Origin<'_>) -> Option<Source> {
    let Origin::At(revision) = origin else {
        return None;
    };
    let name = format!("{revision}:{}/{DOCUMENT}", layout.generated);
    given::document(&layout.root, &name).ok()
}

fn as_it_is(source: Source) -> ReconciledDocument {
    ReconciledDocument {
        source,
        published: None,
        report: OverrideReport::default(),
    }
}
