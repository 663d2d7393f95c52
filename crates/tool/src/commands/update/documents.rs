//! The two documents of an update: the current one, and the new one in its final form.

use std::path::Path;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::git;
use openapi_document::given::Given;
use openapi_document::source::{self, Reading, Root, Source};
use serde_json::Value;

use super::options::Options;
use super::rewritten::{is_reordered, rewritten};
use super::saved;
use crate::install::Changes;
use client_generator::generate::Layout;

/// The documents of an update.
pub(super) struct Documents {
    /// The document in place; of one that is edited there, the document that git has.
    pub(super) old: Source,
    /// The new document as it was given, with its keys in the order in which they are written.
    pub(super) given: Source,
    /// The value of `given` in the order of its file.
    pub(super) as_given: Value,
    /// The same in its place, as the files that are generated from it call it.
    pub(super) new: Source,
    /// The files of the document that change; the first of them last. None for a document that is edited in place.
    pub(super) changes: Changes,
}

impl Documents {
    /// Returns the files that the update may change. A document that a person edited in place stays.
    pub(super) fn places(&self, layout: &Layout) -> Vec<String> {
        let mut places = saved::places(layout);
        places.extend(self.changes.iter().map(|(path, _)| path.clone()));
        places
    }
}

/// Reads both documents.
///
/// # Errors
///
/// A document that cannot be read, whatever the overrides say: a wrong syntax, another format than OpenAPI 3, a URL, files that have no
/// place beside the first.
pub(super) fn documents(layout: &Layout, options: &Options) -> Result<Documents, DocumentError> {
    let committed = source::document(&layout.root, &layout.document, Reading::Strict, &Root::Own)?;
    if is_in_place(layout, options) {
        return edited(layout, options, committed);
    }
    let read = Given::read(&layout.root, &options.document)?;
    let given = read.source(&options.name)?;
    is_readable(&given)?;
    let first = read.first(&options.name)?;
    let named = read.with_text(&layout.document, first.text.clone())?;
    have_a_place(&given, &named, layout)?;
    let in_place = Source::parse(&layout.document, committed.text.clone())?;
    let order = openapi_overrides::Order::between(&committed, &given);
    let value = order.whole(&first.value);
    let settled = order.with_pointers(&given.value, &first.value);
    // Values are equal in any order.
    let (ordered, before) = (value.to_string(), first.value.to_string());
    let has_another_form = first.is_json() != in_place.is_json()
        || is_reordered(&in_place.value, &first.value)
        || ordered != before;
    // A JSON value would round some numbers: such a document is committed as it was given.
    let is_rounded = given.warnings.iter().any(|one| one.rule == "large-number");
    let written = (has_another_form && !is_rounded)
        .then(|| rewritten(&in_place, &value))
        .flatten();
    let as_given = given.value.clone();
    // Overrides copy fragments in the written order.
    let (given, text) = match written {
        Some(text) => (given.with_value(settled), text),
        None => (given, first.text),
    };
    let new = read.with_text(&layout.document, text)?;
    let mut changes = Changes::new();
    for file in new.files().skip(1) {
        let is_same = committed
            .files()
            .any(|old| (&old.path, &old.text) == (&file.path, &file.text));
        if !is_same {
            changes.push((file.path.clone(), Some(file.text.clone())));
        }
    }
    for file in committed.files().skip(1) {
        if !new.files().any(|new| new.path == file.path) {
            changes.push((file.path.clone(), None));
        }
    }
    changes.push((layout.document.clone(), Some(new.text.clone())));
    Ok(Documents {
        old: committed,
        given,
        as_given,
        new,
        changes,
    })
}

/// A document that a person edited in its place: what git has of it is the old one.
fn edited(layout: &Layout, options: &Options, new: Source) -> Result<Documents, DocumentError> {
    let given = new.clone().named(&options.name);
    is_readable(&given)?;
    let folder = layout.document.rsplit_once('/').map_or("", |(at, _)| at);
    let root = &layout.root;
    let committed = git::show(root, &format!("HEAD:./{}", layout.document));
    let staged = git::show(root, &format!(":./{}", layout.document));
    // Staged files are in no commit yet.
    let (revision, text) = match (committed, staged) {
        (Err(_), Ok(staged)) => ("", Ok(staged)),
        (committed, _) => ("HEAD", committed),
    };
    let text = text.map_err(|message| {
        DocumentError::Unreadable(vec![Finding::about(
            "no-git",
            &options.name,
            format!(
                "this document is already in place, and its earlier content is unknown: {message}"
            ),
            "give the new document as another file",
        )])
    })?;
    let name = &layout.document;
    let old = source::bundled(name, text, Reading::Strict, &Root::Own, &|path| {
        Ok(git::show(root, &format!("{revision}:./{folder}/{path}")).ok())
    })?;
    if old.value == new.value {
        return Err(DocumentError::Findings(vec![Finding::about(
            "same-file",
            &options.name,
            "this is the document in place, and it equals the one in git",
            "edit it and run the update again before you commit it, or give the new document as another file",
        )]));
    }
    Ok(Documents {
        old,
        as_given: given.value.clone(),
        given,
        new,
        changes: Changes::new(),
    })
}

/// Checks the document before any override is judged: no override could fix these errors.
fn is_readable(given: &Source) -> Result<(), DocumentError> {
    if let Some(refusal) = openapi_diff::refusal(given) {
        return Err(DocumentError::Unreadable(vec![refusal]));
    }
    match openapi_schemas::normal(given) {
        Ok(_) => Ok(()),
        Err(stop) => Err(DocumentError::Unreadable(stop.findings().to_vec())),
    }
}

/// The files of a document keep their folders, below that of the first.
fn have_a_place(given: &Source, new: &Source, layout: &Layout) -> Result<(), DocumentError> {
    let folder = layout.document.rsplit_once('/').map_or("", |(at, _)| at);
    let mut outside = Vec::new();
    for file in new.files().skip(1) {
        let path = Path::new(&file.path);
        let mut steps = path.components();
        if !path.starts_with(folder) || steps.any(|step| step.as_os_str() == "..") {
            outside.push(file.path.as_str());
        }
    }
    if !outside.is_empty() {
        return Err(several_files(
            given,
            format!(
                "the document refers to files outside of its folder, which have no place in {folder}/: {}",
                outside.join(", ")
            ),
            "move the first file to the folder above all of them, or bundle them into one document \
             (`npx @redocly/cli bundle FIRST --output bundled.yaml`), and give that"
                .to_owned(),
        ));
    }
    if given.value == new.value {
        return Ok(());
    }
    let name = layout.document.rsplit('/').next().unwrap_or_default();
    Err(several_files(
        given,
        format!(
            "other files refer to this one by its name, and in the folder of documents it is called {name}"
        ),
        format!("rename it to {name}, change the references to it, and give that"),
    ))
}

fn several_files(given: &Source, message: String, help: String) -> DocumentError {
    let finding = Finding::about("several-files", &given.path, message, help);
    DocumentError::Findings(vec![finding])
}

/// Returns whether the given document is the one in place.
fn is_in_place(layout: &Layout, options: &Options) -> bool {
    let [place, given] = [&layout.document, &options.document]
        .map(|path| std::fs::canonicalize(layout.root.join(path)).ok());
    place.is_some() && given == place
}
