//! Arguments of a builder: their types, fields and documentation.

use std::borrow::Cow;

use openapi_document::pointer;
use openapi_model::{
    Body, BodyKind, Constraints, Integer, Model, Operation, Parameter, ParameterType, PathMember,
    Place, Property, Scalar, Schema, names,
};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::body_type::OwnBody;
use super::paths;
use crate::types::rust_type::{TypeLocation, integer, list, named, of_runtime, scalar};

/// One argument: a parameter, the body, or a property of the body.
pub(super) struct Argument<'m> {
    /// Name of the argument, setter and field.
    pub(super) name: syn::Ident,
    /// Name on the wire.
    pub(super) wire: &'m str,
    /// True if the constructor takes it.
    pub(super) required: bool,
    /// Its type.
    pub(super) kind: Kind<'m>,
    /// Its location in the document.
    pub(super) pointer: String,
    /// Its description in the document.
    pub(super) text: Vec<String>,
    /// An example value.
    pub(super) example: Option<Value>,
    /// The value that the service uses when it is left out.
    pub(super) default: Option<Value>,
    /// Bounds.
    pub(super) constraints: Constraints,
    /// True if the provider deprecates it.
    pub(super) is_deprecated: bool,
    /// The parameter, unless it is the body or a part of it.
    pub(super) parameter: Option<&'m Parameter>,
}

pub(super) enum Kind<'m> {
    /// A parameter, or a property of the body.
    Value(Cow<'m, ParameterType>),
    /// The body.
    Body(OwnBody<'m>),
}

impl Kind<'_> {
    /// The type of one value, unless it is a body.
    pub(super) fn value(&self) -> Option<&ParameterType> {
        match self {
            Kind::Value(kind) => Some(kind),
            Kind::Body(_) => None,
        }
    }
}

/// All arguments of an operation, required ones first; otherwise in the order of the document.
pub(super) fn arguments<'m>(model: &'m Model, operation: &'m Operation) -> Vec<Argument<'m>> {
    let mut arguments: Vec<Argument<'_>> = operation
        .parameters
        .iter()
        .map(|parameter| Argument {
            name: names::ident(&parameter.rust_name),
            wire: &parameter.name,
            required: parameter.required,
            kind: Kind::Value(Cow::Borrowed(&parameter.kind)),
            pointer: parameter.pointer.clone(),
            text: parameter.text.clone(),
            example: parameter.example.clone(),
            default: parameter.default.clone(),
            constraints: parameter.constraints.clone(),
            is_deprecated: parameter.is_deprecated,
            parameter: Some(parameter),
        })
        .collect();
    arguments.extend(OwnBody::of(model, operation).map(|body| Argument {
        name: names::ident(&operation.body_name),
        wire: "body",
        required: body.first.required,
        pointer: body.first.pointer.clone(),
        text: vec![body.description()],
        kind: Kind::Body(body),
        example: None,
        default: None,
        constraints: Constraints::default(),
        is_deprecated: false,
        parameter: None,
    }));
    arguments.sort_by_key(|argument| !argument.required);
    arguments
}

/// The required arguments, in the order of the constructor.
pub(super) fn required<'a, 'm>(
    arguments: &'a [Argument<'m>],
) -> impl Iterator<Item = &'a Argument<'m>> + Clone {
    arguments.iter().filter(|argument| argument.required)
}

/// The parts of a multipart body. Each has the name of the field of the same struct.
pub(super) fn parts<'m>(model: &'m Model, body: &'m Body) -> Option<Vec<Argument<'m>>> {
    let mut parts = properties(model, body, model.parts(body)?);
    for part in &mut parts {
        // The struct has methods of these names.
        if part.name == "new" || part.name == "to_multipart" {
            part.name = names::ident(&format!("{}_", part.name));
        }
    }
    parts.sort_by_key(|argument| !argument.required);
    Some(parts)
}

/// The properties of a body, without those that have one value.
pub(super) fn properties<'m>(
    model: &'m Model,
    body: &'m Body,
    schema: &'m Schema,
) -> Vec<Argument<'m>> {
    let given = schema.properties().iter();
    let given = given.filter(|property| property.place.constant.is_none());
    let arguments = given.map(|property| {
        let place = &property.place;
        let kind = property_kind(model, body, schema, property);
        let constraints = match kind {
            ParameterType::Text
            | ParameterType::Formatted(_)
            | ParameterType::Named(_)
            | ParameterType::Integer(_)
            | ParameterType::Number
            | ParameterType::Boolean => place.constraints(model.resolved(place)),
            ParameterType::List { ref item, .. } => of_list(model, place, item),
            _ => Constraints::default(),
        };
        let text = place.description.iter();
        Argument {
            name: names::ident(&model.field(&PathMember::to(&schema.name, &property.name))),
            wire: &property.name,
            required: schema.requires(&property.name),
            kind: Kind::Value(Cow::Owned(kind)),
            pointer: pointer::join(&format!("{}/properties", schema.pointer), &property.name),
            text: text.map(|text| text.trim().to_owned()).collect(),
            example: place.example.clone(),
            default: place.default.clone(),
            constraints,
            is_deprecated: place.deprecated,
            parameter: None,
        }
    });
    arguments.collect()
}

/// Returns the bounds of a list. The size of files is unknown before they are read, so those bounds are left out.
fn of_list(model: &Model, place: &Place, item: &ParameterType) -> Constraints {
    let elements = match (item, model.resolved(place).items()) {
        (ParameterType::File, _) | (_, None) => Constraints::default(),
        (_, Some(items)) => items.constraints(model.resolved(items)),
    };
    place.constraints_of_list(elements)
}

/// Returns the kind of a property as an argument. A number has the type of the body struct's field.
fn property_kind(
    model: &Model,
    body: &Body,
    schema: &Schema,
    property: &Property,
) -> ParameterType {
    let (name, place) = (&property.name, &property.place);
    let is_multipart = body.kind == BodyKind::Multipart;
    match model.kind(place) {
        ParameterType::Integer(_) => ParameterType::Integer(Integer::at(model, schema, place)),
        _ if is_multipart && model.is_file(body, name, place) => ParameterType::File,
        _ if is_multipart && model.is_file_list(body, name, place) => ParameterType::List {
            item: Box::new(ParameterType::File),
            separator: None,
        },
        kind => kind,
    }
}

impl Argument<'_> {
    /// The type that the builder keeps, without the `Option` of optional arguments.
    pub(super) fn kept(&self) -> TokenStream {
        match &self.kind {
            Kind::Value(kind) => kept(kind),
            Kind::Body(body) => body.kept(),
        }
    }

    /// The type that the caller gives.
    pub(super) fn taken(&self) -> TokenStream {
        match &self.kind {
            Kind::Value(kind) => taken(kind),
            Kind::Body(body) => body.taken(),
        }
    }

    /// The type that the caller gives, in any module.
    pub(super) fn taken_anywhere(&self) -> TokenStream {
        match &self.kind {
            Kind::Body(body) => body.taken_anywhere(),
            _ => self.taken(),
        }
    }

    /// The expression that turns what the caller gives into what the builder keeps.
    pub(super) fn convert(&self) -> TokenStream {
        let name = &self.name;
        match (&self.kind, self.kind.value()) {
            (Kind::Body(body), _) if body.is_converted() => quote!(#name.into()),
            (_, Some(ParameterType::List { item, .. })) => {
                if is_converted(item) {
                    quote!(#name.into_iter().map(Into::into).collect())
                } else {
                    quote!(#name.into_iter().collect())
                }
            }
            (_, Some(kind)) if is_converted(kind) => quote!(#name.into()),
            _ => quote!(#name),
        }
    }

    /// The type of the field of the builder.
    pub(super) fn field_type(&self) -> TokenStream {
        let kept = self.kept();
        if self.required || self.is_list() {
            kept
        } else {
            quote!(Option<#kept>)
        }
    }

    /// The value of the field of the builder that a caller gave.
    pub(super) fn given(&self) -> TokenStream {
        let value = self.convert();
        if self.required || self.is_list() {
            value
        } else {
            quote!(Some(#value))
        }
    }

    /// The field of the builder in its constructor, where a required argument has its name.
    pub(super) fn initial(&self) -> TokenStream {
        let name = &self.name;
        match self {
            _ if self.required => quote!(#name),
            _ if self.is_list() => quote!(#name: Vec::new()),
            _ => quote!(#name: None),
        }
    }

    /// Returns the condition that an optional argument was given.
    pub(super) fn is_given(&self) -> TokenStream {
        let name = &self.name;
        match self {
            _ if self.is_list() => quote!(!self.#name.is_empty()),
            _ if self.required => quote!(true),
            _ => quote!(self.#name.is_some()),
        }
    }

    /// Returns whether it is a file, or a list of files.
    pub(super) fn is_file(&self) -> bool {
        match self.kind.value() {
            Some(ParameterType::List { item, .. }) => matches!(**item, ParameterType::File),
            kind => matches!(kind, Some(ParameterType::File)),
        }
    }

    /// Returns whether the builder keeps a list, which is empty rather than absent.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.kind.value(), Some(ParameterType::List { .. }))
    }
}

/// Returns whether a caller may give any value that converts into the type.
fn is_converted(kind: &ParameterType) -> bool {
    matches!(
        kind,
        ParameterType::Text
            | ParameterType::Formatted(_)
            | ParameterType::Named(_)
            | ParameterType::File
    )
}

fn kept(kind: &ParameterType) -> TokenStream {
    match kind {
        ParameterType::Text => scalar(Scalar::Text),
        ParameterType::Formatted(runtime) => of_runtime(runtime),
        ParameterType::Integer(kind) => integer(*kind),
        ParameterType::Number => scalar(Scalar::Number),
        ParameterType::Boolean => scalar(Scalar::Boolean),
        ParameterType::Named(name) => named(name, TypeLocation::Operations),
        ParameterType::List { item, .. } => list(&kept(item)),
        ParameterType::Typed(schema) => paths::place(schema),
        ParameterType::File => quote!(::generated_client::request::Part),
    }
}

fn taken(kind: &ParameterType) -> TokenStream {
    match kind {
        kind if is_converted(kind) => {
            let kept = kept(kind);
            quote!(impl Into<#kept>)
        }
        ParameterType::List { item, .. } => {
            let item = taken(item);
            quote!(impl IntoIterator<Item = #item>)
        }
        plain => kept(plain),
    }
}
