//! OpenAPI Links: which field of a response is which parameter of another operation.

use std::collections::BTreeSet;

use openapi_document::json::{members_of, text_of};
use openapi_document::source::Source;
use openapi_document::{pointer, resolver};
use openapi_schemas::resolve;
use serde_json::Value;

use super::notes::Notes;
use crate::extensions::Step;
use crate::{Conversion, Model, Operation, ParameterType};

/// The conversions that the links of all operations promise.
pub(super) fn conversions(notes: &mut Notes<'_>, model: &Model) -> Vec<Conversion> {
    let source = notes.source;
    let (mut conversions, mut wrong) = (Vec::<Conversion>::new(), BTreeSet::new());
    for operation in &model.operations {
        // The response may be a component.
        let Some((response_at, response)) = resolve(&source.value, &operation.success_pointer)
        else {
            continue;
        };
        for (name, link) in members_of(response, "links") {
            let at = pointer::join(&format!("{response_at}/links"), name);
            // Links may be components.
            let (at, link) = resolve(&source.value, &at).unwrap_or((at, link));
            for key in ["requestBody", "server"] {
                if link.get(key).is_some() {
                    let message = format!("`{key}` of a link is not read");
                    let help = "no action is needed if callers pass it themselves";
                    notes.warn("link", &pointer::join(&at, key), message, help);
                }
            }
            match conversions_of(model, source, operation, link, &at) {
                Ok(found) => {
                    for one in found {
                        let is_known = conversions.iter().any(|known| {
                            let pointer = known.pointer.clone();
                            *known
                                == Conversion {
                                    pointer,
                                    ..one.clone()
                                }
                        });
                        if !is_known {
                            conversions.push(one);
                        }
                    }
                }
                Err(message) => {
                    let help = "a link names an operation of the document and gives its parameters as `$response.body#/…`";
                    // Several responses share a link.
                    if wrong.insert(at.clone()) {
                        notes.warn("link", &at, message, help);
                    }
                }
            }
        }
    }
    conversions
}

/// Requires that arguments taken from responses are strings that are not empty: a response may lack the value, and an empty one would be
/// billed for nothing.
pub(super) fn refuse_empty(model: &mut Model) {
    let types = model.conversions.iter();
    let types: BTreeSet<&String> = types.map(|one| &one.parameter_type).collect();
    let operations = model.operations.iter_mut();
    for parameter in operations.flat_map(|operation| &mut operation.parameters) {
        if matches!(&parameter.kind, ParameterType::Named(name) if types.contains(name)) {
            parameter.constraints.min_length.get_or_insert(1);
        }
    }
}

fn conversions_of(
    model: &Model,
    source: &Source,
    from: &Operation,
    link: &Value,
    at: &str,
) -> Result<Vec<Conversion>, String> {
    let target = target(model, source, link)?;
    let target_id = &target.id;
    let mut conversions = Vec::new();
    for (name, expression) in members_of(link, "parameters") {
        let parameter = target
            .parameters
            .iter()
            .find(|parameter| parameter.is_called(name))
            .ok_or_else(|| format!("`{target_id}` has no parameter `{name}`"))?;
        // Only body fields and parameters with a named type can be converted.
        let ParameterType::Named(parameter_type) = &parameter.kind else {
            continue;
        };
        let Some(place) = expression
            .as_str()
            .and_then(|text| text.strip_prefix("$response.body#"))
        else {
            continue;
        };
        let steps: Vec<Step> = pointer::tokens(place)
            .map(|token| {
                if token.chars().all(|c| c.is_ascii_digit()) {
                    Step::Each
                } else {
                    Step::Member(token)
                }
            })
            .collect();
        let (owner, property, value) = from
            .success()
            .and_then(|success| model.member(success, &steps))
            .ok_or_else(|| format!("`{place}` leads to nothing in the response"))?;
        // A conversion of anything but strings would not compile, and an enumeration is not made from any string.
        let takes_text = model
            .schema(parameter_type)
            .is_some_and(|schema| model.is_text(&schema.place));
        if !takes_text || !model.is_text(value) {
            continue;
        }
        conversions.push(Conversion {
            owner: owner.name.clone(),
            property,
            value_type: value.reference().map(str::to_owned),
            parameter_type: parameter_type.clone(),
            pointer: at.to_owned(),
        });
    }
    Ok(conversions)
}

/// The operation that a link leads to: by its id, or by its place.
fn target<'m>(model: &'m Model, source: &Source, link: &Value) -> Result<&'m Operation, String> {
    let mut operations = model.operations.iter();
    match (text_of(link, "operationId"), text_of(link, "operationRef")) {
        (None, Some(reference)) => {
            let place = resolver::target(&source.value, reference);
            let found = place.and_then(|place| operations.find(|one| one.pointer == place.pointer));
            found.ok_or_else(|| format!("`{reference}` leads to no operation of the client"))
        }
        (id, _) => {
            let id = id.unwrap_or_default();
            let found = operations.find(|one| one.id == id);
            found.ok_or_else(|| format!("no operation has the id `{id}`"))
        }
    }
}
