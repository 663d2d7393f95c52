//! What tells the objects among the alternatives of a union apart, as the tables that the runtime chooses by.

use openapi_model::{Model, Place, Schema, Tag};
use proc_macro2::TokenStream;
use quote::quote;

use super::constants::literal;

/// Objects within objects that are compared.
const DEEPEST: u8 = 2;
/// Alternatives of which each is compared with each.
const MOST: usize = 100;

/// The alternatives of a union.
pub(super) struct Forms<'m> {
    pub(super) model: &'m Model,
    objects: Vec<&'m Schema>,
    /// Whether values of the tag, if there is one, do not say which object it is.
    is_shared: bool,
    /// Whether neither a tag nor a constant says so.
    is_ambiguous: bool,
}

impl<'m> Forms<'m> {
    pub(super) fn of(model: &'m Model, alternatives: &'m [Place], tag: Option<&Tag>) -> Self {
        let tagged = alternatives
            .iter()
            .enumerate()
            .filter_map(|(index, place)| {
                let schema = model
                    .referenced(place)
                    .filter(|one| one.object().is_some())?;
                let values = tag.and_then(|tag| tag.values.get(index));
                Some((schema, values.map_or(&[][..], Vec::as_slice)))
            });
        let tagged: Vec<(&Schema, &[String])> = tagged.collect();
        let few = tagged.get(..MOST).unwrap_or(&tagged);
        let pairs = few.iter().enumerate().flat_map(|(index, one)| {
            let others = few.get(index + 1..).unwrap_or_default();
            others.iter().map(move |other| (one, other))
        });
        let shared = pairs.filter(|((_, one), (_, other))| {
            one.is_empty() || other.is_empty() || one.iter().any(|value| other.contains(value))
        });
        Self {
            model,
            objects: tagged.iter().map(|(schema, _)| *schema).collect(),
            is_shared: tag.is_none() || shared.clone().next().is_some(),
            is_ambiguous: shared
                .clone()
                .any(|((one, _), (other, _))| !differ(one, other)),
        }
    }

    /// The form of an alternative that is an object.
    pub(super) fn object(&self, schema: Option<&Schema>, tags: &[String]) -> TokenStream {
        match schema {
            Some(schema) => {
                let depth = if self.is_ambiguous { DEEPEST } else { 0 };
                self.form(schema, tags, &self.objects, depth)
            }
            None => {
                quote!(Object { tags: &[#(#tags),*], required: &[], known: &[], constants: &[], members: &[] })
            }
        }
    }

    /// The form of an object, which is one of several.
    fn form(&self, schema: &Schema, tags: &[String], all: &[&Schema], depth: u8) -> TokenStream {
        let (required, properties) = (schema.required(), schema.properties());
        let known = properties.iter().map(|property| &property.name);
        let constants = properties.iter().filter(|_| self.is_shared);
        let constants = constants.filter_map(|property| {
            let (name, value) = (&property.name, literal(&property.place.only_value()?));
            Some(quote!((#name, #value)))
        });
        let members = properties.iter().filter_map(|property| {
            let (name, depth) = (&property.name, depth.checked_sub(1)?);
            let object = |place: &Place| {
                let schema = self.model.referenced(place);
                schema.filter(|schema| schema.object().is_some())
            };
            let schema = object(&property.place)?;
            let others = all.iter().filter_map(|one| one.property(name));
            let others: Vec<&Schema> = others.filter_map(object).collect();
            // What is the same in all tells nothing.
            let is_same =
                others.len() == all.len() && others.iter().all(|one| one.name == schema.name);
            let form = (!is_same).then(|| self.form(schema, &[], &others, depth))?;
            Some(quote!((#name, ::generated_client::wire::Form::#form)))
        });
        let (constants, members): (Vec<_>, Vec<_>) = (constants.collect(), members.collect());
        quote!(Object { tags: &[#(#tags),*], required: &[#(#required),*], known: &[#(#known),*], constants: &[#(#constants),*], members: &[#(#members),*] })
    }
}

/// Whether a constant tells two objects apart.
fn differ(one: &Schema, other: &Schema) -> bool {
    one.properties().iter().any(|property| {
        let value = property.place.only_value();
        let others = other.property(&property.name).and_then(Place::only_value);
        value.is_some() && others.is_some() && value != others
    })
}
