//! Reads the [`Model`] from a document, or returns its unsupported parts as findings.
//! One line a step; a later step reads what the earlier ones have put into the model.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::json::text_of;
use openapi_document::pointer;
use openapi_document::source::Source;

use super::notes::Notes;
use super::schemas::{Formats, SchemaRegistry, name_parents};
use super::{
    auth, constants, envelope, groups, handles, links, losses, metering, naming, operations,
    package, paging, prices, reach, servers, signature, titles, waiting, webhooks,
};
use crate::{Model, Subset};

/// The types of a document, by the pointers of their schemas; empty of one that cannot be read.
pub fn type_names(source: &Source) -> BTreeMap<String, String> {
    let model = read(source).map(|model| model.schemas);
    let schemas = model.unwrap_or_default().into_iter();
    schemas.map(|one| (one.pointer, one.name)).collect()
}

/// Reads the model of a linted document.
///
/// # Errors
///
/// A finding for each unsupported part of the document.
pub fn read(source: &Source) -> Result<Model, DocumentError> {
    let mut notes = Notes::new(source);
    let title = info(source, "title");
    let package = package::read(&mut notes, &title);
    let is_metered = metering::read(&mut notes);
    let mut registry = SchemaRegistry::new(source);
    registry.formats = Formats {
        types: package.types,
        is_metered,
    };
    let mut subset = Subset {
        chosen: package.operations.clone(),
        ..Subset::default()
    };
    let mut operations = operations::read(&mut notes, &mut registry, &mut subset);
    let webhooks = webhooks::read(source, &mut registry, &mut subset);
    let auth = auth::read(&mut notes, &mut operations);
    let servers = servers::read(&mut notes, &mut operations);
    notes.warnings.append(&mut registry.warnings);
    let placed = std::mem::take(&mut registry.placed);
    let read = std::mem::take(&mut registry.schemas);
    let mut schemas = reach::reached(read, &operations, &webhooks);
    name_parents(&registry.parents, &mut schemas);
    constants::mark(&mut schemas, &operations, &webhooks);
    let mut model = Model {
        package,
        version: info(source, "version"),
        description: info(source, "description"),
        title,
        server: server(source),
        auth,
        servers,
        is_metered,
        schemas,
        operations,
        left_out: std::mem::take(&mut notes.left_out),
        subset,
        webhooks,
        ..Model::default()
    };
    model.detections = paging::detect(&mut model, source);
    paging::write_out(&mut model);
    reach::retain(&mut model);
    naming::name(&mut notes, &mut model, &registry.inline);
    reach::mark_visible(&mut model);
    let mut envelopes = envelope::envelopes(&model);
    for schema in &mut model.schemas {
        schema.envelope = envelopes.remove(&schema.name);
    }
    complete(&mut model, notes, &placed)?;
    Ok(model)
}

/// Adds to a model what is read by its names.
fn complete(
    model: &mut Model,
    mut notes: Notes<'_>,
    placed: &BTreeSet<String>,
) -> Result<(), DocumentError> {
    let source = notes.source;
    let notes = &mut notes;
    model.webhook_signature = signature::read(notes);
    model.groups = groups::groups(notes, model);
    reach::mark_features(model);
    model.handles = handles::handles(model, source);
    titles::arguments(notes, model);
    prices::check(notes, model);
    model.pages = paging::read(notes, model);
    paging::retain(model);
    model.waits = waiting::read(notes, model);
    model.conversions = links::conversions(notes, model);
    links::refuse_empty(model);
    losses::note(notes, model, placed);
    let findings = std::mem::take(&mut notes.findings).into_iter();
    let (fatal, of_extensions): (Vec<Finding>, Vec<Finding>) =
        findings.partition(|one| [operations::NONE, package::RULE].contains(&one.rule));
    DocumentError::unless_empty(fatal)?;
    without(model, &of_extensions);
    paging::note_bodies(model);
    model.warnings.append(&mut notes.warnings);
    let of_extensions = of_extensions.into_iter();
    model.warnings.extend(of_extensions.map(Finding::warning));
    Ok(())
}

/// Returns a string of `info`; empty if the document has none.
fn info(source: &Source, key: &str) -> String {
    let info = source.value.get("info");
    let text = info.and_then(|info| text_of(info, key));
    text.unwrap_or_default().trim().to_owned()
}

/// Takes back the extensions that do not fit their operation. Other tools have extensions of these names too.
fn without(model: &mut Model, findings: &[Finding]) {
    let pages: HashSet<&str> = model.pages.iter().map(|one| &*one.operation).collect();
    let waits: HashSet<&str> = model.waits.iter().map(|one| &*one.operation).collect();
    let places: BTreeSet<&str> = findings.iter().map(|one| &*one.pointer).collect();
    for operation in &mut model.operations {
        if !pages.contains(operation.id.as_str()) {
            operation.pagination = None;
        }
        if !waits.contains(operation.id.as_str()) {
            operation.waiter = None;
        }
        let [is_price, is_reason, is_age] = ["x-credits", "x-credits-by", "x-fresh-for"]
            .map(|key| pointer::any_within(&places, &format!("{}/{key}", operation.pointer)));
        // A price that is not certain could exceed a budget.
        if is_price {
            operation.prices.clear();
        }
        if is_reason {
            operation.credits_by = None;
        }
        if is_age {
            operation.fresh_for = None;
        }
    }
}

fn server(source: &Source) -> String {
    let server = source.value.pointer("/servers/0");
    let variables = server
        .and_then(|server| server.get("variables")?.as_object())
        .into_iter()
        .flatten()
        .map(|(_, variable)| variable);
    let texts: Vec<&str> = server
        .into_iter()
        .chain(variables)
        .filter_map(|value| value.get("description")?.as_str())
        .map(str::trim)
        .collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A linear search per finding would take minutes here.
    #[test]
    fn extensions_of_many_operations_are_taken_back() {
        const MANY: usize = 40_000;
        let responses = json!({"200": {"description": ""}});
        let operation =
            json!({"operationId": "a", "responses": responses, "x-credits": [{"credits": 1}]});
        let document = json!({"openapi": "3.0.3", "info": {"title": "A", "version": "1"}, "paths": {"/a": {"get": operation}}});
        let source = Source::parse("a.json", document.to_string()).unwrap();
        let mut model = read(&source).unwrap();
        let operation = model.operations.pop().unwrap();
        let all = (0..MANY).map(|index| crate::Operation {
            id: index.to_string(),
            pointer: format!("/paths/~1{index}/get"),
            ..operation.clone()
        });
        model.operations = all.collect();
        let mut findings = Vec::new();
        for operation in model.operations.iter().skip(1) {
            let at = format!("{}/x-credits/from", operation.pointer);
            findings.push(source.finding("credits", at, "", ""));
        }
        without(&mut model, &findings);
        let priced = model.operations.iter().filter(|one| !one.prices.is_empty());
        assert_eq!(priced.map(|one| &*one.id).collect::<Vec<_>>(), ["0"]);
    }
}
