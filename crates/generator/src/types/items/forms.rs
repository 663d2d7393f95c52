//! Differences between the objects of a union, as the tables that the runtime chooses by.

use std::collections::{BTreeSet, HashMap};

use openapi_model::{Model, Place, Scalar, Schema, Shape, Tag};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::constants::literal;

/// Objects within objects that are compared.
const DEEPEST: u8 = 2;
/// Limits of the alternatives that are compared pairwise, and of the inner objects with tables. A larger union is read without tables.
const MOST: usize = 100;
const MOST_WITHIN: usize = 1_000;

/// The alternatives of a union.
pub(super) struct Forms<'m> {
    pub(super) model: &'m Model,
    objects: Vec<&'m Schema>,
    /// The alternatives that are lists.
    pub(super) lists: Vec<&'m Place>,
    /// True if values of the tag, if there is one, do not identify the object.
    is_shared: bool,
    /// The depth to which inner objects are compared, if neither a tag nor a constant distinguishes alternatives.
    depth: u8,
}

/// An alternative that is an object, with the values of the tag that name it and its constants.
struct Known<'m> {
    schema: &'m Schema,
    tags: &'m [String],
    constants: HashMap<&'m str, Value>,
}

impl<'m> Forms<'m> {
    pub(super) fn of(model: &'m Model, alternatives: &'m [Place], tag: Option<&'m Tag>) -> Self {
        let known = alternatives
            .iter()
            .enumerate()
            .filter_map(|(index, place)| {
                let schema = object(model, place)?;
                let properties = schema.properties().iter();
                let constants =
                    properties.filter_map(|one| Some((one.name.as_str(), one.place.only_value()?)));
                Some(Known {
                    schema,
                    tags: tag
                        .and_then(|tag| tag.values.get(index))
                        .map_or(&[], Vec::as_slice),
                    constants: constants.collect(),
                })
            });
        let known: Vec<Known<'_>> = known.collect();
        let few = known.get(..MOST).unwrap_or(&known);
        let pairs = few.iter().enumerate().flat_map(|(index, one)| {
            let others = few.get(index + 1..).unwrap_or_default();
            others.iter().map(move |other| (one, other))
        });
        let mut shared = pairs
            .filter(|(one, other)| one.shares_tag(other))
            .peekable();
        let lists = alternatives.iter();
        let lists = lists.filter(|place| model.resolved(place).items().is_some());
        let mut forms = Self {
            model,
            objects: known.iter().map(|one| one.schema).collect(),
            lists: lists.collect(),
            is_shared: tag.is_none_or(|tag| !tag.is_certain) || shared.peek().is_some(),
            depth: 0,
        };
        if shared.any(|(one, other)| !one.differs(other)) {
            let mut depths = (0..=DEEPEST).rev();
            let depth = depths.find(|depth| forms.within(*depth) <= MOST_WITHIN);
            forms.depth = depth.unwrap_or_default();
        }
        forms
    }

    /// How many objects are within the alternatives, down to a depth; counted until they are too many.
    fn within(&self, depth: u8) -> usize {
        let mut level = self.objects.clone();
        let mut count = 0;
        for _ in 0..depth {
            let properties = level.iter().flat_map(|schema| schema.properties());
            let objects = properties.flat_map(|one| objects(self.model, &one.place));
            level = objects.take(MOST_WITHIN + 1).collect();
            count += level.len();
        }
        count
    }

    /// The form of an alternative that is an object.
    pub(super) fn object(&self, schema: &Schema, tags: &[String]) -> TokenStream {
        self.form(schema, tags, &self.objects, self.depth)
    }

    /// The form of an alternative that is no object. Several lists are compared by their elements.
    pub(super) fn other(&self, place: &Place) -> TokenStream {
        let shape = &self.model.resolved(place).shape;
        let list = match shape {
            Shape::List(_) => self.member(place, &self.lists, self.depth),
            _ => None,
        };
        list.unwrap_or_else(|| plain(shape))
    }

    /// The form of an object, which is one of several.
    fn form(&self, schema: &Schema, tags: &[String], all: &[&Schema], depth: u8) -> TokenStream {
        let (required, properties) = (schema.required(), schema.properties());
        let known = properties.iter().map(|property| &property.name);
        let constants = properties.iter().filter(|_| self.is_shared);
        let constants = constants.filter_map(|property| {
            let (name, value) = (&property.name, literal(&property.place.only_value()?));
            Some(quote!((#name, Literal::#value)))
        });
        let members = properties.iter().filter_map(|property| {
            let (name, depth) = (&property.name, depth.checked_sub(1)?);
            let others = all.iter().filter_map(|one| one.property(name));
            let others: Vec<&Place> = others.collect();
            // A member that is the same in all distinguishes nothing.
            let is_same = others.len() == all.len()
                && others.iter().all(|one| one.shape == property.place.shape);
            let form = if is_same {
                None
            } else {
                self.member(&property.place, &others, depth)
            }?;
            Some(quote!((#name, #form)))
        });
        let (constants, members): (Vec<_>, Vec<_>) = (constants.collect(), members.collect());
        let form = quote!(Form::object(&[#(#tags),*], &[#(#required),*], &[#(#known),*]));
        if constants.is_empty() && members.is_empty() {
            form
        } else {
            quote!(#form.with(&[#(#constants),*], &[#(#members),*]))
        }
    }
}

impl Forms<'_> {
    /// The form of a member with objects, which the others of its name are compared with.
    fn member(&self, place: &Place, others: &[&Place], depth: u8) -> Option<TokenStream> {
        let all: Vec<&Schema> = others
            .iter()
            .flat_map(|one| objects(self.model, one))
            .collect();
        if let Some(schema) = object(self.model, place) {
            return Some(self.form(schema, &[], &all, depth));
        }
        // A list, or one of several forms, is compared only with another one.
        if others.len() < 2 {
            return None;
        }
        if let Some(items) = self.model.resolved(place).items() {
            let others = others.iter().map(|one| self.model.resolved(one));
            let others: Vec<&Place> = others.filter_map(Place::items).collect();
            let form = self.member(items, &others, depth)?;
            return Some(quote!(Form::Elements(&#form)));
        }
        let Shape::Union { alternatives, tag } = &self.model.resolved(place).shape else {
            return None;
        };
        let objects = objects(self.model, place);
        // A value with an unknown tag is kept whole.
        let unrecognized = tag.iter().filter(|_| !objects.is_empty()).map(|tag| {
            let (tag, known) = (&tag.property, names(&objects));
            quote!(Form::object(&[], &[#tag], &[#(#known),*]))
        });
        let forms = alternatives
            .iter()
            .map(|place| match object(self.model, place) {
                Some(schema) => self.form(schema, &[], &all, depth),
                None => plain(&self.model.resolved(place).shape),
            });
        let forms = forms.chain(unrecognized);
        (!objects.is_empty()).then(|| quote!(Form::OneOf(&[#(#forms),*])))
    }
}

/// The names of all properties of several objects.
fn names<'m>(objects: &[&'m Schema]) -> BTreeSet<&'m str> {
    let properties = objects.iter().flat_map(|schema| schema.properties());
    properties.map(|property| property.name.as_str()).collect()
}

/// The form of a value that has no named members.
fn plain(shape: &Shape) -> TokenStream {
    match shape {
        Shape::Texts { .. } => quote!(Form::Text),
        Shape::Scalar { kind, .. } => match kind {
            Scalar::Text => quote!(Form::Text),
            Scalar::Integer | Scalar::Number => quote!(Form::Number),
            Scalar::Boolean => quote!(Form::Boolean),
        },
        Shape::List(_) | Shape::Tuple(_) => quote!(Form::List),
        _ => quote!(Form::Map),
    }
}

impl Known<'_> {
    fn shares_tag(&self, other: &Self) -> bool {
        let mut tags = self.tags.iter();
        self.tags.is_empty()
            || other.tags.is_empty()
            || tags.any(|value| other.tags.contains(value))
    }

    /// Returns whether a constant distinguishes the two.
    fn differs(&self, other: &Self) -> bool {
        let mut constants = self.constants.iter();
        constants.any(|(name, value)| other.constants.get(name).is_some_and(|one| one != value))
    }
}

/// The objects that a value of a place may be, alone or as elements of a list.
fn objects<'m>(model: &'m Model, place: &'m Place) -> Vec<&'m Schema> {
    match &model.resolved(place).shape {
        Shape::Object(_) => object(model, place).into_iter().collect(),
        Shape::List(items) => object(model, items).into_iter().collect(),
        Shape::Union { alternatives, .. } => {
            let found = alternatives.iter().filter_map(|one| object(model, one));
            found.collect()
        }
        _ => Vec::new(),
    }
}

/// The schema of a place that is an object.
fn object<'m>(model: &'m Model, place: &'m Place) -> Option<&'m Schema> {
    model
        .referenced(place)
        .filter(|schema| schema.object().is_some())
}
