//! Code to the items that it offers.

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;

use super::item::Item;
use super::{features, places, walk};
use crate::emit::{self, Code, Parts};
use crate::types::unparsed;

/// Lists what the crate of this code offers.
pub(super) fn listed(document: &Source, code: &Code) -> Result<Vec<Item>, DocumentError> {
    let model = &code.model;
    let root = syn::parse_file(&emit::root(model, false, "", &Parts::all()))
        .map_err(|error| unparsed(&document.path, &error))?;
    let client = code.client.iter().map(|client| ("", client));
    let files = [("", &root)].into_iter().chain(client);
    let files = files.chain([("types", &code.types)]);
    let operations = code.operations.iter();
    let files = files.chain(operations.map(|module| ("operations", &module.file)));
    let handles = code.handles.iter();
    let files = files.chain(handles.map(|module| ("handles", &module.file)));
    let mut items: Vec<Item> = files
        .flat_map(|(module, file)| walk::items(module, &file.items))
        .collect();
    let readme = emit::readme(model, true, &Parts::all());
    items.push(Item::package(&model.package.name, &readme));
    items.extend(features::features(model));
    features::attribute(&mut items, &features::needed(model));
    let places = places::Places::new(document, model);
    for item in &mut items {
        places.attribute(item);
    }
    Ok(items)
}
