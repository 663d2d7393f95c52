//! The files that an update changes.

use std::io::ErrorKind;

use anyhow::Result;
use client_generator::emit::Code;
use client_generator::generate;
use openapi_document::finding::DocumentError;
use openapi_document::source::{self, Source};
use openapi_overrides::{OverrideSet, Retired, reconcile};
use serde_json::Value;

use super::documents::Documents;
use super::{changelog, version};
use crate::commands::lock;
use crate::commands::overrides::changed;
use crate::commands::retired;
use crate::install::{self, Changes};
use client_generator::generate::Layout;

/// Returns the files that change, in their order. `before` are the current overrides, `kept` the later ones without their version.
pub(super) fn changes(
    layout: &Layout,
    documents: &Documents,
    (before, kept): (&OverrideSet, OverrideSet),
    code: Code,
    (version, entry): (&version::Step, &str),
    gone: &[Retired],
) -> Result<Changes> {
    let to = version.to.to_string();
    let mut changes = Changes::new();
    if version.bump.is_some() {
        let text = read_or_empty(layout, &layout.changelog)?;
        let after = changelog::with_entry(&text, entry);
        changes.push((layout.changelog.clone(), Some(after)));
    }
    let mut kept = kept;
    let change = version::write(layout, &mut kept, version)?;
    // An override that contains it is among those that differ.
    changes.extend(change.filter(|(path, _)| *path == layout.package_file));
    let name = code.model.package.name.clone();
    changes.extend(files(layout, &documents.new, &kept, code)?);
    changes.extend(lock::changes(layout, &name, &to)?);
    changes.extend(changed(before, &kept));
    changes.extend(retired::changes(layout, gone, &kept.overrides));
    changes.extend(documents.changes.iter().cloned());
    Ok(changes)
}

/// Returns the files of the generated crate that change. The code is that of the new document before it had its version, which only the
/// manifest and the document contain.
fn files(layout: &Layout, new: &Source, set: &OverrideSet, mut code: Code) -> Result<Changes> {
    let after = reconcile(new, set)?;
    code.model.package.version = text(&after.source, "/info/x-rust-package/version");
    let tree = generate::files(new, set, &after, &code, &layout.packaging)?;
    let states = install::compare(&tree, &layout.root.join(&layout.generated))?;
    Ok(install::changes(&tree, &states, &layout.generated))
}

/// Returns the content of a file, empty without the file.
fn read_or_empty(layout: &Layout, path: &str) -> Result<String, DocumentError> {
    let read = source::string(&layout.root.join(path));
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| {
            let message = format!("the file cannot be read, and the update adds to it: {error}");
            let help = "make it a readable file in UTF-8, then run the update again";
            DocumentError::unreadable(path, message, help)
        }),
    }
}

/// Returns a string of a document, empty without it.
pub(super) fn text(document: &Source, pointer: &str) -> String {
    let text = document.value.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
