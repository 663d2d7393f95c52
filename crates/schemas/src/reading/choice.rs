//! Choices between schemas: `oneOf`, `anyOf`, and the schemas that a discriminator chooses.

use std::collections::{BTreeSet, HashMap};

use openapi_document::resolver::reference;
use serde_json::Value;

use super::document::Document;

/// A choice between schemas that are more than enum values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'d> {
    /// `oneOf`, `anyOf` or `discriminator`.
    pub keyword: &'static str,
    /// Value of the keyword in the document.
    pub list: &'d Value,
    /// Alternatives, without one that allows only null.
    pub alternatives: Vec<&'d Value>,
    /// Discriminator of the same object.
    pub discriminator: Option<&'d Value>,
}

/// An alternative with the values of the discriminator that choose it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative<'d> {
    /// Schema in the list, or the chosen component.
    pub schema: &'d Value,
    /// Values of the discriminator; empty without a discriminator.
    pub tags: BTreeSet<&'d str>,
}

/// Schemas that a mapping chooses, with their values.
type Mapped<'d> = HashMap<*const Value, BTreeSet<&'d str>>;

impl<'d> Choice<'d> {
    /// Returns the alternatives with their tags: the values of the mapping, or else the name of the component.
    pub fn alternatives(&self, document: &mut Document<'d>) -> Vec<Alternative<'d>> {
        let mapped = self.discriminator.map(|one| mapped(document, one));
        let alternatives = self.alternatives.iter();
        alternatives
            .map(|schema| Alternative {
                schema,
                tags: match &mapped {
                    Some(mapped) => tags(document, schema, mapped),
                    None => BTreeSet::new(),
                },
            })
            .collect()
    }
}

/// Returns the schemas of a mapping, each by its address and by that of the end of its references.
fn mapped<'d>(document: &mut Document<'d>, discriminator: &'d Value) -> Mapped<'d> {
    let mut mapped: Mapped<'d> = HashMap::new();
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    for (value, target) in mapping.into_iter().flatten() {
        let Some(target) = target.as_str().and_then(|text| document.schema_named(text)) else {
            continue;
        };
        for schema in [Some(target), document.object(target)] {
            let address = schema.map(std::ptr::from_ref);
            if let Some(address) = address {
                mapped.entry(address).or_default().insert(value);
            }
        }
    }
    mapped
}

/// Returns the values that choose an alternative.
fn tags<'d>(
    document: &mut Document<'d>,
    schema: &'d Value,
    mapped: &Mapped<'d>,
) -> BTreeSet<&'d str> {
    let text = reference(schema);
    let target = text.and_then(|text| document.schema_named(text));
    for one in [Some(schema), target, document.object(schema)] {
        if let Some(values) = one.and_then(|one| mapped.get(&std::ptr::from_ref(one))) {
            return values.clone();
        }
    }
    let name = document.component_of(schema);
    let name = name.or_else(|| text?.rsplit('/').next());
    name.into_iter().collect()
}
