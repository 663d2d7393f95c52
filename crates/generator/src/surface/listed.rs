//! Code to the items that it offers.

use std::collections::BTreeMap;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_model::Model;

use super::item::Item;
use super::{features, places, walk};
use crate::emit::{self, Code};

/// Lists what a crate of this code offers. `whole` is the model that the code was made from, or has a part of. Each file is dropped once
/// it is read: of a large crate they are most of the memory.
pub(super) fn consumed(
    document: &Source,
    code: Code,
    whole: &Model,
) -> Result<Vec<Item>, DocumentError> {
    let needed = features::needed(&code);
    let operations = code.operations.into_iter();
    let files = [("", code.client), ("types", code.types)].into_iter();
    let files = files.chain(operations.map(|module| ("operations", module.file)));
    let handles = code.handles.into_iter();
    let files = files.chain(handles.map(|module| ("handles", module.file)));
    listed(document, files, &needed, whole)
}

/// Lists what the crate of this code offers.
pub(super) fn borrowed(document: &Source, code: &Code) -> Result<Vec<Item>, DocumentError> {
    let operations = code.operations.iter();
    let files = [("", &code.client), ("types", &code.types)].into_iter();
    let files = files.chain(operations.map(|module| ("operations", &module.file)));
    let handles = code.handles.iter();
    let files = files.chain(handles.map(|module| ("handles", &module.file)));
    let files = files.map(|(module, file)| (module, file.clone()));
    listed(document, files, &features::needed(code), &code.model)
}

fn listed(
    document: &Source,
    files: impl Iterator<Item = (&'static str, syn::File)>,
    needed: &BTreeMap<String, String>,
    whole: &Model,
) -> Result<Vec<Item>, DocumentError> {
    let root = syn::parse_file(&emit::root(whole, false, "")).map_err(|error| {
        DocumentError::Findings(vec![Finding::about(
            "emitted-code",
            &document.path,
            format!("the crate root does not parse: {error}"),
            "this is a defect of the generator: report it",
        )])
    })?;
    let mut items = Vec::new();
    for (module, file) in [("", root)].into_iter().chain(files) {
        items.extend(walk::file(module, &file));
    }
    items.push(Item::package(&whole.package, &emit::readme(whole, true)));
    items.extend(features::features(whole));
    features::attribute(&mut items, needed);
    let places = places::Places::new(document, whole);
    for item in &mut items {
        places.attribute(item);
    }
    Ok(items)
}
