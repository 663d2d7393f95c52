//! The body on a command line: an argument for each property of an object, or one for the whole.

use openapi_model::{Body, BodyKind, Model, Operation};
use proc_macro2::TokenStream;
use quote::quote;

use super::command_argument::{CommandArgument, unique};
use super::value::{self, Argument};
use super::{body_type, parts};

/// The arguments of a body, and the code that makes it of them.
pub(super) struct CommandBody<'m> {
    pub(super) arguments: Vec<CommandArgument<'m>>,
    /// The expression of the body.
    pub(super) value: TokenStream,
    /// The condition that one of the arguments is given.
    pub(super) is_given: TokenStream,
}

impl<'m> CommandBody<'m> {
    /// The first body that a command line can give; `None` without one. `taken` are the other arguments.
    pub(super) fn of(
        model: &'m Model,
        operation: &'m Operation,
        taken: &[CommandArgument<'_>],
    ) -> Option<Self> {
        let is_one_of_several = operation.bodies.len() > 1;
        let mut all = body_type::variants(operation).into_iter();
        all.find_map(|(variant, body)| {
            let mut found = if body.kind == BodyKind::Multipart {
                Self::of_parts(model, operation, body, taken)?
            } else {
                Self::of_media_type(model, body, taken)?
            };
            if is_one_of_several {
                let name = body_type::enum_name(model, operation);
                let value = found.value;
                found.value = quote!(operations::#name::#variant(#value));
            }
            Some(found)
        })
    }

    fn of_media_type(
        model: &'m Model,
        body: &'m Body,
        taken: &[CommandArgument<'_>],
    ) -> Option<Self> {
        let kind = match body.kind {
            BodyKind::Json | BodyKind::Form => "Json",
            BodyKind::Text => "Text",
            BodyKind::Bytes => "File",
            BodyKind::Multipart | BodyKind::Any => return None,
        };
        let ty = body_type::plain(body);
        let schema = model.referenced(&body.schema);
        let mut arguments = match schema.filter(|schema| schema.object().is_some()) {
            Some(schema) if kind == "Json" => {
                let all = value::properties(model, body, schema);
                let rows = rows(
                    model,
                    &all,
                    |one| {
                        body.required
                            && (schema.insists_on(one.wire) || schema.is_only_sent(one.wire))
                    },
                    taken,
                );
                rows.into_iter()
                    .zip(&all)
                    .map(|(row, one)| {
                        let place = schema.property(one.wire);
                        row.member(one.wire, place.is_some_and(|place| place.nullable))
                    })
                    .collect()
            }
            _ => Vec::new(),
        };
        let name = unique("body", &[taken, arguments.as_slice()]);
        let row = CommandArgument::body(name.clone(), kind, &body.media_type, ty.clone());
        if !arguments.is_empty() {
            // A secret is in a file, and never in an argument.
            if !arguments.iter().any(CommandArgument::is_secret) {
                arguments.push(row.beside_members());
            }
            return Some(Self {
                arguments,
                value: quote!(arguments.body::<#ty>()?),
                is_given: quote!(arguments.has_body()),
            });
        }
        let row = row.required_if(body.required);
        let value = match kind {
            "File" => quote!(#ty::from(arguments.bytes(#name)?)),
            _ => row.value(),
        };
        Some(Self {
            arguments: vec![row],
            value,
            is_given: quote!(arguments.is_given(#name)),
        })
    }

    /// A multipart body, part by part.
    fn of_parts(
        model: &'m Model,
        operation: &Operation,
        body: &'m Body,
        taken: &[CommandArgument<'_>],
    ) -> Option<Self> {
        let parts = value::parts(model, body)?;
        let ty = parts::type_name(model, operation);
        let arguments = rows(model, &parts, |part| body.required && part.required, taken);
        let (mut needed, mut setters) = (Vec::new(), Vec::new());
        for (row, part) in arguments.iter().zip(&parts) {
            if part.required {
                needed.push(row.value());
            } else {
                setters.push(row.set(&quote!(parts)));
            }
        }
        let mutable = (!setters.is_empty()).then(|| quote!(mut));
        let names = arguments.iter().map(|row| &row.name);
        let is_given = quote!([#(#names),*].iter().any(|name| arguments.is_given(name)));
        let value = quote!({
            let #mutable parts = operations::#ty::new(#(#needed),*);
            #(#setters)*
            parts
        });
        Some(Self {
            arguments,
            value,
            is_given,
        })
    }
}

/// The arguments of properties. The only required one is given by position.
fn rows<'m>(
    model: &'m Model,
    properties: &[Argument<'m>],
    is_required: impl Fn(&Argument<'m>) -> bool,
    taken: &[CommandArgument<'_>],
) -> Vec<CommandArgument<'m>> {
    let count = properties.iter().filter(|one| is_required(one)).count();
    let mut rows: Vec<CommandArgument<'m>> = Vec::new();
    for property in properties {
        let name = unique(&property.name.to_string(), &[taken, rows.as_slice()]);
        let row = CommandArgument::of(model, property, name, count == 1);
        rows.push(row.required_if(is_required(property)));
    }
    rows
}
