//! The required arguments that a caller gives in a struct: those of a body with two or more strings, in the struct of its schema.
//! Parameters are given by position, in the order of the path.

use openapi_model::names;
use openapi_model::{Model, Operation, PathMember, Schema, States};
use proc_macro2::TokenStream;
use quote::quote;

use super::value::{Argument, Kind};

/// The required arguments of an operation.
pub(super) struct Required<'a, 'm> {
    model: &'m Model,
    /// Those by position.
    pub(super) positional: Vec<&'a Argument<'m>>,
    /// Those in a struct, as one argument after the others.
    pub(super) input: Option<Input<'a, 'm>>,
}

/// The struct that has the properties of a body.
pub(super) struct Input<'a, 'm> {
    pub(super) schema: &'m Schema,
    /// The argument.
    pub(super) name: syn::Ident,
    /// The arguments of its constructor.
    pub(super) required: Vec<&'a Argument<'m>>,
}

impl<'a, 'm> Required<'a, 'm> {
    pub(super) fn of(
        model: &'m Model,
        operation: &Operation,
        arguments: &'a [Argument<'m>],
    ) -> Self {
        let required = arguments.iter().filter(|argument| argument.required);
        let (fields, positional): (Vec<_>, Vec<_>) =
            required.partition(|argument| matches!(argument.kind, Kind::Body(_)));
        let body = operation.body.as_ref();
        let Some(schema) = body.and_then(|body| model.given_in(body)) else {
            return Self {
                model,
                positional: positional.into_iter().chain(fields).collect(),
                input: None,
            };
        };
        let mut name = "body".to_owned();
        while positional.iter().any(|argument| argument.name == name) {
            name.push('_');
        }
        Self {
            model,
            positional,
            input: Some(Input {
                schema,
                name: names::ident(&name),
                required: fields,
            }),
        }
    }

    /// The parameters of the method of the client.
    pub(super) fn parameters(&self) -> Vec<TokenStream> {
        let by_position = self.positional.iter().map(|argument| {
            let (name, taken) = (&argument.name, argument.taken());
            quote!(#name: #taken)
        });
        by_position.chain(self.struct_parameter()).collect()
    }

    /// Returns the values that the method of the client passes on.
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
        by_position.chain(self.struct_parameter()).collect()
    }

    fn struct_parameter(&self) -> Option<TokenStream> {
        let Input { schema, name, .. } = self.input.as_ref()?;
        let ty = names::ident(&schema.name);
        Some(quote!(#name: types::#ty))
    }

    /// The field of the builder for an argument, in its constructor.
    pub(super) fn field(&self, argument: &Argument<'_>) -> TokenStream {
        let name = &argument.name;
        match &self.input {
            Some(input) if matches!(argument.kind, Kind::Body(_)) => {
                let value = self.member(input, argument);
                quote!(#name: #value)
            }
            _ if argument.required => quote!(#name),
            _ if argument.is_list() => quote!(#name: Vec::new()),
            _ if argument.is_nullable => {
                quote!(#name: ::generated_client::values::Nullable::Absent)
            }
            _ => quote!(#name: None),
        }
    }

    /// A member of the struct, as the builder keeps it.
    fn member(&self, input: &Input<'_, '_>, argument: &Argument<'_>) -> TokenStream {
        let Input { schema, name, .. } = input;
        let field = names::ident(
            &self
                .model
                .field(&PathMember::to(&schema.name, argument.wire)),
        );
        let states = States::of(self.model, schema, argument.wire);
        // A form has no null.
        let into_option = (states == Some(States::OrEither) && !argument.is_nullable)
            .then(|| quote!(.into_value()));
        match (argument.newtype(self.model, schema), argument.required) {
            (None, _) => quote!(#name.#field #into_option),
            (Some(_), true) => quote!(#name.#field.0),
            (Some(_), false) => quote!(#name.#field #into_option.map(|value| value.0)),
        }
    }
}
