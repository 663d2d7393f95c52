//! Derives that the configuration adds: the types that can have each, and the reasons for the others.

use std::collections::BTreeMap;

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_model::{Form, Model, Others, Place, Property, Scalar, Schema, Shape, States};

use super::documentation::attributes;
use super::fields::is_paged;
use crate::types::runtime::{chosen, instead, is_of_runtime};

/// A derive, and the types without it.
pub(crate) struct Derive<'m> {
    path: syn::Path,
    kind: Kind,
    /// The types that cannot have it, each with the reason.
    left_out: BTreeMap<&'m str, String>,
}

/// The requirement of a derive for the types of fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Every type has it.
    Always,
    /// `Eq` or `Hash`, which numbers with decimals lack.
    Exact,
    /// `PartialOrd`, which any JSON lacks.
    Ordered,
    /// `Ord`, which both lack.
    Sorted,
    /// `Copy`.
    Copied,
    /// A derive of another crate, which types of the runtime lack.
    Foreign,
}

/// The derives of the configuration.
pub(crate) fn derives(model: &Model) -> Vec<Derive<'_>> {
    let wanted = model.package.derives.iter();
    wanted
        .filter_map(|wanted| {
            let path: syn::Path = syn::parse_str(wanted).ok()?;
            let kind = kind(&path);
            Some(Derive {
                left_out: left_out(model, kind),
                path,
                kind,
            })
        })
        .collect()
}

/// Where derives were left out, a warning for each of them.
pub(crate) fn findings(source: &Source, model: &Model) -> Vec<Finding> {
    let derives = derives(model).into_iter().enumerate();
    let lacking = derives.filter(|(_, derive)| !derive.left_out.is_empty());
    lacking
        .map(|(index, derive)| {
            let name = model.package.derives.get(index).map_or("", String::as_str);
            let finding = source.finding(
                "derives",
                format!("/info/x-rust-package/derives/{index}"),
                format!("{} types cannot have `{name}`", derive.left_out.len()),
                "nothing, if no caller needs it on these types; `x-rust-type` and `types` choose other types of fields",
            );
            let reasons = derive.left_out.iter();
            let reasons = reasons.map(|(schema, why)| format!("`{schema}`: {why}"));
            reasons.fold(finding.warning(), Finding::note)
        })
        .collect()
}

/// Adds the derives to the items of a schema.
pub(super) fn add(derives: &[Derive<'_>], schema: &Schema, items: &mut [syn::Item]) {
    let added: Vec<&syn::Path> = derives
        .iter()
        .filter(|one| one.kind != Kind::Always && !one.left_out.contains_key(&*schema.name))
        .map(|one| &one.path)
        .collect();
    let items = items.iter_mut().filter(|_| !added.is_empty());
    for attribute in items.filter_map(attributes).flatten() {
        if !attribute.path().is_ident("derive") {
            continue;
        }
        let parser = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        let Ok(mut all) = attribute.parse_args_with(parser) else {
            continue;
        };
        for path in &added {
            if !all.iter().any(|known| last(known) == last(path)) {
                all.push(absolute(path));
            }
        }
        *attribute = syn::parse_quote!(#[derive(#all)]);
    }
}

fn last(path: &syn::Path) -> String {
    let last = path.segments.last();
    last.map(|segment| segment.ident.to_string())
        .unwrap_or_default()
}

/// The path of a derive of another crate from the root, as all long paths are; one of the standard library is in scope.
fn absolute(path: &syn::Path) -> syn::Path {
    match path.segments.len() {
        0 | 1 => path.clone(),
        _ => syn::parse_quote!(::#path),
    }
}

fn kind(path: &syn::Path) -> Kind {
    let mut crates = path.segments.iter();
    let first = crates.next().map(|segment| segment.ident.to_string());
    let is_standard = path.segments.len() == 1 || first.as_deref() == Some("std");
    match last(path).as_str() {
        _ if !is_standard => Kind::Foreign,
        "Eq" | "Hash" => Kind::Exact,
        "PartialOrd" => Kind::Ordered,
        "Ord" => Kind::Sorted,
        "Copy" => Kind::Copied,
        _ => Kind::Always,
    }
}

/// Returns the types that cannot have a derive, including all that contain one of them.
fn left_out(model: &Model, kind: Kind) -> BTreeMap<&str, String> {
    let mut left_out = BTreeMap::new();
    loop {
        let before = left_out.len();
        for schema in model.schemas.iter().filter(|schema| schema.is_visible) {
            if !left_out.contains_key(schema.name.as_str())
                && let Some(why) = (Holder {
                    model,
                    kind,
                    left_out: &left_out,
                })
                .obstacle(schema)
            {
                left_out.insert(schema.name.as_str(), why);
            }
        }
        if left_out.len() == before {
            return left_out;
        }
    }
}

/// The state of a derive's check.
struct Holder<'m> {
    model: &'m Model,
    kind: Kind,
    left_out: &'m BTreeMap<&'m str, String>,
}

impl Holder<'_> {
    /// Why a type cannot have the derive.
    fn obstacle(&self, schema: &Schema) -> Option<String> {
        let held = match &schema.place.shape {
            _ if self.kind == Kind::Always => None,
            // No type is emitted.
            _ if is_of_runtime(&schema.place) => None,
            Shape::Object(object) => {
                for property in &object.properties {
                    if let Some(why) = self.of_property(schema, property) {
                        return Some(format!("`{}` is {why}", property.name));
                    }
                }
                match &object.others {
                    Others::Of(_) => self.value(&Place::of(Shape::Map(object.others.clone()))),
                    Others::Unmentioned => None,
                }
            }
            // Enumerations and named strings have all of the others.
            _ if schema.place.is_string() => {
                let is_string = schema.texts().is_empty() || schema.is_open();
                (self.kind == Kind::Copied && is_string).then(|| "a string".to_owned())
            }
            // A union keeps what none of its alternatives is.
            Shape::Union { alternatives, .. } => {
                let mut alternatives = alternatives.iter();
                let found = alternatives.find_map(|place| self.value(place));
                found.or_else(|| self.any_json())
            }
            Shape::Tuple(elements) => elements.iter().find_map(|place| self.value(place)),
            _ => self.value(&schema.place),
        };
        held.map(|what| format!("it holds {what}"))
    }

    fn of_property(&self, schema: &Schema, property: &Property) -> Option<String> {
        let place = &property.place;
        if place.constant.is_some() {
            return (self.kind != Kind::Exact).then(|| OF_RUNTIME.to_owned());
        }
        if is_paged(self.model, schema, property) {
            return Some("a page of records".to_owned());
        }
        let states = States::of(self.model, schema, &property.name);
        let is_nullable = states == Some(States::OrEither);
        if is_nullable && self.kind == Kind::Foreign {
            return Some(OF_RUNTIME.to_owned());
        }
        self.value(place)
    }

    /// Returns the part of a value that lacks the derive.
    fn value(&self, place: &Place) -> Option<String> {
        if instead(place).is_some() {
            return (self.kind != Kind::Exact).then(|| OF_RUNTIME.to_owned());
        }
        if chosen(place).is_some_and(|runtime| runtime.form == Form::Around) {
            return Some(OF_RUNTIME.to_owned());
        }
        match &place.shape {
            Shape::Reference(name) => match self.model.schema(name) {
                Some(schema) if is_of_runtime(&schema.place) => self.value(&schema.place),
                _ => {
                    let is_lacking = self.left_out.contains_key(name.as_str());
                    is_lacking.then(|| format!("a `{name}`"))
                }
            },
            Shape::Scalar { .. } | Shape::Texts { .. } => match (place.scalar()?, self.kind) {
                (Scalar::Number, Kind::Exact | Kind::Sorted) => {
                    Some("a number with decimals".to_owned())
                }
                (Scalar::Text, Kind::Copied) => Some("a string".to_owned()),
                _ => None,
            },
            Shape::List(_) | Shape::Map(Others::Of(_)) if self.kind == Kind::Copied => {
                Some("a list or a map".to_owned())
            }
            Shape::List(items) => self.value(items),
            Shape::Map(Others::Of(others)) => self.value(others),
            Shape::Any
            | Shape::Map(_)
            | Shape::Object(_)
            | Shape::Tuple(_)
            | Shape::Union { .. } => self.any_json(),
        }
    }

    fn any_json(&self) -> Option<String> {
        let is_lacking = !matches!(self.kind, Kind::Exact | Kind::Foreign);
        is_lacking.then(|| "any JSON".to_owned())
    }
}

const OF_RUNTIME: &str = "of a type of the runtime";
