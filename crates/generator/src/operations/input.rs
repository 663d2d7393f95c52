//! Which required arguments a caller gives by name: those of a body with two or more texts. By position they could be swapped, and the
//! call would be paid for. Parameters are given by position, in the order of the path.

use openapi_model::names;
use openapi_model::{Model, Operation, ParameterType};
use proc_macro2::TokenStream;
use quote::quote;

use super::value::{Argument, Kind};

/// The required arguments of an operation.
pub(super) struct Required<'a, 'm> {
    /// Those by position.
    pub(super) positional: Vec<&'a Argument<'m>>,
    /// Those by name, as one argument after the others.
    pub(super) input: Option<Input<'a, 'm>>,
}

/// A struct with the required properties of a body.
pub(super) struct Input<'a, 'm> {
    /// The type, in the module of its builder.
    pub(super) ty: syn::Ident,
    /// The argument.
    pub(super) name: syn::Ident,
    pub(super) fields: Vec<&'a Argument<'m>>,
}

impl<'a, 'm> Required<'a, 'm> {
    pub(super) fn of(model: &Model, operation: &Operation, arguments: &'a [Argument<'m>]) -> Self {
        let required = arguments.iter().filter(|argument| argument.required);
        let (fields, positional): (Vec<_>, Vec<_>) =
            required.partition(|argument| matches!(argument.kind, Kind::Body(_)));
        let texts = fields.iter().filter(|field| takes_text(model, field));
        if texts.count() < 2 {
            return Self {
                positional: positional.into_iter().chain(fields).collect(),
                input: None,
            };
        }
        let mut name = "input".to_owned();
        while positional.iter().any(|argument| argument.name == name) {
            name.push('_');
        }
        Self {
            positional,
            input: Some(Input {
                ty: names::ident(&type_name(operation)),
                name: names::ident(&name),
                fields,
            }),
        }
    }

    /// The parameters of the method of the client.
    pub(super) fn parameters(&self) -> Vec<TokenStream> {
        let by_position = self.positional.iter().map(|argument| {
            let (name, taken) = (&argument.name, argument.taken());
            quote!(#name: #taken)
        });
        let input = self
            .input
            .iter()
            .map(|Input { ty, name, .. }| quote!(#name: operations::#ty));
        by_position.chain(input).collect()
    }

    /// What the method of the client passes on.
    pub(super) fn passed(&self) -> Vec<TokenStream> {
        let by_position = self.positional.iter().map(|argument| argument.convert());
        let input = self.input.iter().map(|Input { name, .. }| quote!(#name));
        by_position.chain(input).collect()
    }

    /// The parameters of the constructor of the builder.
    pub(super) fn kept(&self) -> Vec<TokenStream> {
        let by_position = self.positional.iter().map(|argument| {
            let (name, kept) = (&argument.name, argument.kept());
            quote!(#name: #kept)
        });
        let input = self
            .input
            .iter()
            .map(|Input { ty, name, .. }| quote!(#name: #ty));
        by_position.chain(input).collect()
    }

    /// The field of the builder for a required argument, in its constructor.
    pub(super) fn field(&self, argument: &Argument<'_>) -> TokenStream {
        let name = &argument.name;
        match &self.input {
            Some(input) if input.fields.iter().any(|field| field.name == *name) => {
                let from = &input.name;
                quote!(#name: #from.#name)
            }
            _ => quote!(#name),
        }
    }
}

/// The name of the struct, which no builder has.
fn type_name(operation: &Operation) -> String {
    format!("{}Input", operation.type_name)
}

/// Whether an argument takes any text: a text, one of a format, or a type that is made from a text.
fn takes_text(model: &Model, argument: &Argument<'_>) -> bool {
    match argument.kind.value() {
        Some(ParameterType::Text | ParameterType::Formatted(_)) => true,
        Some(ParameterType::Named(name)) => model
            .schema(name)
            .is_some_and(|schema| schema.texts().is_empty()),
        _ => false,
    }
}
