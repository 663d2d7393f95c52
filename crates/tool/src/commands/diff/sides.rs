//! The two documents, each with the source of its callers' Rust: for the published document of this workspace, that is the reconciled one.

use std::path::Path;

use client_generator::emit::DOCUMENT;
use openapi_diff::command::{Options, read};
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::given;
use openapi_document::program::command;
use openapi_document::source::{self, Reading, Root, Source};
use openapi_overrides::{OverrideReport, OverrideSet, ReconciledDocument, Verdict, reconcile};

use crate::commands::overrides::about_document;
use crate::layout::Layout;

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
    let is_reconciled = is_ours || options.reconciled;
    let set = if is_reconciled {
        layout.set()
    } else {
        Ok(OverrideSet::default())
    };
    let [old, new] = &documents;
    let moved = match &set {
        Ok(set) if is_ours && !matches!(origins, [_, Origin::At(_)]) => moved(old, new, set),
        _ => None,
    };
    let name = options.documents.as_ref().map(|(_, new)| new.clone());
    let side = |document: Source, origin: Origin<'_>, moved: Option<&OverrideSet>| {
        let callers = match (is_reconciled, origin, &set) {
            (false, ..) => Ok(as_it_is(document.clone())),
            (true, origin, set) => match (callers_of(layout, origin), set) {
                (Some(callers), _) => Ok(as_it_is(callers)),
                (None, Ok(set)) => reconciled(&document, set, moved, name.as_deref()),
                (None, Err(stop)) => Err(stop.findings().to_vec()),
            },
        };
        Side { document, callers }
    };
    let ([old, new], [of_old, of_new]) = (documents, origins);
    Ok([side(old, of_old, None), side(new, of_new, moved.as_ref())])
}

/// The document with the overrides; where they do not apply as they are, with those that an update would have.
fn reconciled(
    document: &Source,
    set: &OverrideSet,
    moved: Option<&OverrideSet>,
    name: Option<&str>,
) -> Result<ReconciledDocument, Vec<Finding>> {
    let of_new = |finding: Finding| match (moved, name) {
        (Some(_), Some(name)) => {
            about_document(finding, name, &command(format_args!("update {name}")))
        }
        _ => finding,
    };
    let as_is = reconcile(document, set);
    let result = match moved {
        Some(moved) if as_is.is_err() => reconcile(document, moved),
        _ => as_is,
    };
    result.map_err(|stop| stop.findings().iter().cloned().map(of_new).collect())
}

/// The overrides as an update would move them, without those that the new document makes superfluous; `None` where they cannot be moved.
fn moved(old: &Source, new: &Source, set: &OverrideSet) -> Option<OverrideSet> {
    let mut set = openapi_overrides::rebase(old, new, set, true).ok()?.set;
    let judged = openapi_overrides::judge(new, &set).all;
    let retired = judged.iter().filter(|one| one.verdict == Verdict::Retired);
    let retired: Vec<String> = retired.map(|one| one.applied.by.id.clone()).collect();
    set.overrides.retain(|one| !retired.contains(&one.id));
    Some(set)
}

fn origin<'n>(layout: &Layout, name: &'n str) -> Origin<'n> {
    let published = layout.root.join(&layout.document);
    let same = |path: &Path| Some(path.canonicalize().ok()? == published.canonicalize().ok()?);
    if same(Path::new(name)) == Some(true) {
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
