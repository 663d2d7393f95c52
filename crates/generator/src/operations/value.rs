//! Arguments of a builder: their types, fields and documentation.

use openapi_document::pointer;
use openapi_model::names;
use openapi_model::{
    Body, BodyKind, Constraints, Integer, Model, Operation, Parameter, ParameterType, PathMember,
    Place, Scalar, Schema, States,
};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::{paths, whole};
use crate::types::rust_type::{TypeLocation, integer, list, named, of_runtime, scalar};

/// One argument: a parameter, or a property of a JSON body.
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
    /// True if a caller can send null in its place.
    pub(super) is_nullable: bool,
    /// The parameter, unless it is a part of the body.
    pub(super) parameter: Option<&'m Parameter>,
}

pub(super) enum Kind<'m> {
    /// A parameter.
    Parameter(&'m ParameterType),
    /// A property of the body.
    Body(ParameterType),
    /// A whole body.
    Whole(&'m Body),
}

impl Kind<'_> {
    /// The type of one value, unless it is a whole body.
    pub(super) fn value(&self) -> Option<&ParameterType> {
        match self {
            Kind::Parameter(kind) => Some(kind),
            Kind::Body(kind) => Some(kind),
            Kind::Whole(_) => None,
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
            kind: Kind::Parameter(&parameter.kind),
            pointer: parameter.pointer.clone(),
            text: parameter.text.clone(),
            example: parameter.example.clone(),
            default: parameter.default.clone(),
            constraints: parameter.constraints.clone(),
            is_deprecated: parameter.is_deprecated,
            is_nullable: false,
            parameter: Some(parameter),
        })
        .collect();
    if let Some(body) = &operation.body {
        match model.spread(body) {
            Some(schema) => arguments.extend(body_arguments(model, body, schema)),
            None => arguments.push(Argument {
                name: argument_name(body, ""),
                wire: "body",
                required: body.required,
                kind: Kind::Whole(body),
                pointer: body.pointer.clone(),
                text: vec![match model.parts(body) {
                    Some(_) => {
                        let ty = super::parts::type_name(model, operation);
                        format!("The body, as `multipart/form-data`, from a [`{ty}`](crate::operations::{ty}).")
                    }
                    None => format!("The body, as `{}`.", body.media_type.replace('`', "'")),
                }],
                example: None,
                default: None,
                constraints: Constraints::default(),
                is_deprecated: false,
                is_nullable: false,
                parameter: None,
            }),
        }
    }
    arguments.sort_by_key(|argument| !argument.required);
    arguments
}

/// The name that the reader gave to an argument of the body.
fn argument_name(body: &Body, property: &str) -> syn::Ident {
    names::ident(body.arguments.get(property).map_or("body", String::as_str))
}

/// The parts of a multipart body that is one argument. Each has the name of the field of the same struct.
pub(super) fn parts<'m>(model: &'m Model, body: &'m Body) -> Option<Vec<Argument<'m>>> {
    let schema = model.parts(body)?;
    let parts = body_arguments(model, body, schema).map(|argument| {
        let field = model.field(&PathMember::to(&schema.name, argument.wire));
        Argument {
            // The constructor has that name.
            name: names::ident(if field == "new" { "new_" } else { &field }),
            ..argument
        }
    });
    let mut parts: Vec<Argument<'_>> = parts.collect();
    parts.sort_by_key(|argument| !argument.required);
    Some(parts)
}

fn body_arguments<'m>(
    model: &'m Model,
    body: &'m Body,
    schema: &'m Schema,
) -> impl Iterator<Item = Argument<'m>> {
    let given = schema.properties().iter();
    let given = given.filter(|property| property.place.constant.is_none());
    given.map(move |property| {
        let place = &property.place;
        let kind = body_kind(model, body, schema, (&property.name, place));
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
            name: argument_name(body, &property.name),
            wire: &property.name,
            required: schema.requires(&property.name),
            kind: Kind::Body(kind),
            pointer: pointer::join(&format!("{}/properties", schema.pointer), &property.name),
            text: text.map(|text| text.trim().to_owned()).collect(),
            example: place.example.clone(),
            default: place.default.clone(),
            constraints,
            is_deprecated: place.deprecated,
            is_nullable: body.kind == BodyKind::Json
                && States::of(model, schema, &property.name) == Some(States::OrEither),
            parameter: None,
        }
    })
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
fn body_kind(
    model: &Model,
    body: &Body,
    schema: &Schema,
    (name, place): (&str, &Place),
) -> ParameterType {
    let is_file = |place| body.kind == BodyKind::Multipart && model.is_file(body, name, place);
    match (body.kind, model.kind(place)) {
        (_, ParameterType::Integer(_)) => ParameterType::Integer(Integer::at(model, schema, place)),
        _ if is_file(place) => ParameterType::File,
        (_, kind) => match model.resolved(place).items() {
            Some(items) if is_file(items) => ParameterType::List {
                item: Box::new(ParameterType::File),
                separator: None,
            },
            _ => kind,
        },
    }
}

impl Argument<'_> {
    /// The type that the builder keeps, without the `Option` of optional arguments.
    pub(super) fn kept(&self) -> TokenStream {
        match &self.kind {
            Kind::Parameter(kind) => kept(kind),
            Kind::Body(kind) => kept(kind),
            Kind::Whole(body) => whole::kept(body),
        }
    }

    /// The type that the caller gives.
    pub(super) fn taken(&self) -> TokenStream {
        match &self.kind {
            Kind::Parameter(kind) => taken(kind),
            Kind::Body(kind) => taken(kind),
            Kind::Whole(body) => whole::taken(body),
        }
    }

    /// The expression that turns what the caller gives into what the builder keeps.
    pub(super) fn convert(&self) -> TokenStream {
        let name = &self.name;
        if let Kind::Whole(body) = &self.kind
            && whole::is_converted(body)
        {
            return quote!(#name.into());
        }
        match self.kind.value() {
            Some(ParameterType::List { item, .. }) => {
                if is_converted(item) {
                    quote!(#name.into_iter().map(Into::into).collect())
                } else {
                    quote!(#name.into_iter().collect())
                }
            }
            Some(kind) if is_converted(kind) => quote!(#name.into()),
            _ => quote!(#name),
        }
    }

    /// The type of the field of the builder.
    pub(super) fn field_type(&self) -> TokenStream {
        let kept = self.kept();
        match self {
            _ if self.required || self.is_list() => kept,
            _ if self.is_nullable => quote!(::generated_client::values::Nullable<#kept>),
            _ => quote!(Option<#kept>),
        }
    }

    /// A value in the field of the builder.
    pub(super) fn given(&self, value: TokenStream) -> TokenStream {
        match self {
            _ if self.required || self.is_list() => value,
            _ if self.is_nullable => quote!(::generated_client::values::Nullable::Value(#value)),
            _ => quote!(Some(#value)),
        }
    }

    /// The pattern of a value in the field of an optional argument.
    pub(super) fn found(&self) -> TokenStream {
        self.given(quote!(value))
    }

    /// Returns the condition that an optional argument was given.
    pub(super) fn is_given(&self) -> TokenStream {
        let name = &self.name;
        match self {
            _ if self.is_list() => quote!(!self.#name.is_empty()),
            _ if self.required => quote!(true),
            _ if self.is_nullable => quote!(!self.#name.is_absent()),
            _ => quote!(self.#name.is_some()),
        }
    }

    /// The type that the struct of a body has for a number or a boolean under a name, which the builder keeps by itself.
    pub(super) fn newtype(&self, model: &Model, schema: &Schema) -> Option<syn::Ident> {
        let is_text = matches!(
            self.kind.value()?,
            ParameterType::Text | ParameterType::Formatted(_) | ParameterType::Named(_)
        );
        let named = model.referenced(schema.property(self.wire)?)?;
        (!is_text).then(|| names::ident(&named.name))
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
