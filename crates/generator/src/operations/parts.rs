//! The struct of a multipart body that is one argument, because it is optional or one of several: its parts as the document types them.

use openapi_model::names;
use openapi_model::{Body, Model, Operation};
use openapi_overrides::OverrideReport;
use proc_macro2::TokenStream;
use quote::quote;

use super::value::Argument;
use super::{bodies, builder, checks, value};

/// Emits the struct, which becomes the runtime's `Multipart`; nothing for an operation without a multipart body.
pub(super) fn emit(model: &Model, operation: &Operation, report: &OverrideReport) -> TokenStream {
    of(model, operation)
        .map(|(body, parts)| declared(model, operation, body, &parts, report))
        .unwrap_or_default()
}

/// The multipart body of an operation that is one argument, with its parts.
pub(super) fn of<'m>(
    model: &'m Model,
    operation: &'m Operation,
) -> Option<(&'m Body, Vec<Argument<'m>>)> {
    let single = operation.body.iter();
    let whole = single.filter(|body| model.spread(body).is_none());
    let mut all = whole.chain(&operation.bodies);
    all.find_map(|body| Some((body, value::parts(model, body)?)))
}

/// Its name, which no builder has.
pub(super) fn type_name(model: &Model, operation: &Operation) -> String {
    let mut name = format!("{}Multipart", operation.type_name);
    while model.operations.iter().any(|one| one.type_name == name) {
        name.push_str("Body");
    }
    name
}

fn declared(
    model: &Model,
    operation: &Operation,
    body: &Body,
    parts: &[Argument<'_>],
    report: &OverrideReport,
) -> TokenStream {
    let name = names::ident(&type_name(model, operation));
    let docs = format!(
        " The body of [`{}`] as `multipart/form-data`, part by part.",
        operation.type_name
    );
    let fields = parts.iter().map(|part| {
        let (name, ty) = (&part.name, part.field_type());
        quote!(#name: #ty)
    });
    let (required, optional): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.required);
    let default = required.is_empty().then(|| quote!(, Default));
    let taken = required.iter().map(|part| {
        let (name, taken) = (&part.name, part.taken());
        quote!(#name: #taken)
    });
    let initial = required.iter().map(|part| {
        let (name, value) = (&part.name, part.convert());
        if *name == value.to_string() {
            value
        } else {
            quote!(#name: #value)
        }
    });
    let absent = optional.iter().map(|part| {
        let name = &part.name;
        if part.is_list() {
            quote!(#name: Vec::new())
        } else {
            quote!(#name: None)
        }
    });
    let initial: Vec<_> = initial.chain(absent).collect();
    let setters = optional
        .iter()
        .map(|part| builder::setter(model, part, report));
    let all: Vec<&Argument<'_>> = parts.iter().collect();
    let statements = model
        .parts(body)
        .map(|schema| bodies::parts_of(body, schema, &all, true));
    let bounds = parts.iter().map(|part| checks::check(part, &quote!(parts)));
    quote! {
        #[doc = #docs]
        #[derive(Clone, Debug #default)]
        #[must_use = "the body is sent when it is given to a call"]
        pub struct #name {
            #(#fields),*
        }

        impl #name {
            /// The body with what it has to have.
            pub fn new(#(#taken),*) -> Self {
                Self { #(#initial),* }
            }

            #(#setters)*

            fn parts(&self) -> ::generated_client::request::Multipart {
                #statements
                #(#bounds)*
                parts
            }
        }

        impl From<#name> for ::generated_client::request::Multipart {
            fn from(body: #name) -> Self {
                body.parts()
            }
        }
    }
}
