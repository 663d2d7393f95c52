//! Choices between schemas: `oneOf`, `anyOf`, and the schemas that a discriminator chooses.

use std::collections::{BTreeSet, HashMap};

use openapi_document::json::members_of;
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

/// What a discriminator chooses.
#[derive(Default)]
pub(super) struct Mapping<'d> {
    /// Schemas of the mapping and of the default, in their order.
    pub(super) targets: Vec<&'d Value>,
    /// Values of the mapping, by the address of the schema, and by that of the end of its references.
    tags: HashMap<*const Value, BTreeSet<&'d str>>,
    /// Values of the mapping that choose no schema.
    pub(super) lost: BTreeSet<&'d str>,
}

impl<'d> Choice<'d> {
    /// Returns whether a value fits exactly one alternative.
    pub fn is_exclusive(&self) -> bool {
        self.keyword == "oneOf"
    }

    /// Returns the alternatives with their tags: the values of the mapping, or else the name of the component.
    pub fn alternatives(&self, document: &mut Document<'d>) -> Vec<Alternative<'d>> {
        let mapping = self.discriminator.map(|one| document.mapping(one));
        let alternatives = self.alternatives.iter();
        alternatives
            .map(|schema| Alternative {
                schema,
                tags: match &mapping {
                    Some(mapping) => tags(document, schema, mapping),
                    None => BTreeSet::new(),
                },
            })
            .collect()
    }
}

impl<'d> Mapping<'d> {
    /// Reads the mapping of a discriminator, and its default.
    pub(super) fn read(document: &mut Document<'d>, discriminator: &'d Value) -> Self {
        let mut mapping = Self::default();
        for (value, target) in members_of(discriminator, "mapping") {
            let Some(target) = target_of(document, target) else {
                mapping.lost.insert(value);
                continue;
            };
            mapping.targets.push(target);
            for schema in [Some(target), document.object(target)]
                .into_iter()
                .flatten()
            {
                let tags = mapping.tags.entry(std::ptr::from_ref(schema));
                tags.or_default().insert(value);
            }
        }
        let default = discriminator.get("defaultMapping");
        mapping
            .targets
            .extend(default.and_then(|target| target_of(document, target)));
        mapping
    }
}

/// Returns the schema that a value of a mapping names.
fn target_of<'d>(document: &Document<'d>, name: &Value) -> Option<&'d Value> {
    let target = document.schema_named(name.as_str()?);
    target.filter(|target| target.is_object())
}

/// Returns the values that choose an alternative.
fn tags<'d>(
    document: &mut Document<'d>,
    schema: &'d Value,
    mapping: &Mapping<'d>,
) -> BTreeSet<&'d str> {
    let text = reference(schema);
    let target = text.and_then(|text| document.schema_named(text));
    for one in [Some(schema), target, document.object(schema)] {
        if let Some(values) = one.and_then(|one| mapping.tags.get(&std::ptr::from_ref(one))) {
            return values.clone();
        }
    }
    let name = document.component_of(schema);
    let name = name.or_else(|| text?.rsplit('/').next());
    name.into_iter().collect()
}
