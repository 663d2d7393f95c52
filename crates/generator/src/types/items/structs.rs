//! Structs. They cannot be built or matched whole from outside: a new field upstream breaks no caller.
//! Bodies that only a caller sends stay open. What is sent and received has a constructor instead.

use std::collections::BTreeSet;

use openapi_model::names;
use openapi_model::{Model, Object, Others, Schema};
use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{of_field, of_others};
use super::fields::{Field, Kind};
use crate::types::context::Context;
use crate::types::docs;
use crate::types::runtime::instead;

/// The struct of an object, and its constructor. `given` are the schemas that callers give as a whole.
pub(super) fn emit(
    context: &Context<'_>,
    schema: &Schema,
    object: &Object,
    fields: &[Field<'_>],
    given: &BTreeSet<&str>,
) -> TokenStream {
    let name = names::ident(&schema.name);
    let has_default = has_default(context.model, schema, fields);
    let derives = match (has_default, fields.iter().all(|field| field.is_defaulted)) {
        (true, true) => quote!(::serde::Serialize, Clone, Debug, Default, PartialEq),
        (true, false) => quote!(::serde::Serialize, Clone, Debug, PartialEq, Default),
        (false, _) => quote!(::serde::Serialize, Clone, Debug, PartialEq),
    };
    let declared = fields.iter().map(|field| {
        let lines = match (field.property, &object.others) {
            (Some(property), _) => of_field(context, property, field.kind == Kind::Records),
            (None, Others::Of(others)) => of_others(others),
            (None, _) => Vec::new(),
        };
        let docs = docs::attributes(&lines);
        let (serde, ident, ty) = (field.serde.written(), &field.ident, &field.ty);
        match field.is_constant() {
            true => quote!(#serde pub(crate) #ident: #ty),
            false => {
                let place = field.property.map(|property| &property.place);
                let deprecated = docs::deprecated(place.is_some_and(|place| place.deprecated));
                quote!(#(#docs)* #deprecated #serde pub #ident: #ty)
            }
        }
    });
    let is_given = given.contains(schema.name.as_str());
    // What the type writes by itself is no field of a literal.
    let has_constants = fields.iter().any(Field::is_constant);
    let is_open =
        !schema.usage.response && !has_constants && (is_given || !context.model.is_flat(schema));
    let sealed = (!is_open).then(|| quote!(#[non_exhaustive]));
    let has_constructor =
        !is_open && schema.usage.request && (schema.usage.response || has_constants);
    let constructor = has_constructor.then(|| constructor(schema, fields, has_default));
    quote! {
        #[derive(#derives)]
        #sealed
        pub struct #name {
            #(#declared),*
        }

        #constructor
    }
}

/// Whether the type has a default. The engine gives one to what has no required field; a response has one where its content has.
fn has_default(model: &Model, schema: &Schema, fields: &[Field<'_>]) -> bool {
    let is_defaulted = model.is_defaulted(schema);
    let is_content = |field: &Field<'_>| {
        let property = field.property;
        field.was_option && property.is_some_and(|property| schema.is_content(&property.name))
    };
    match is_defaulted {
        true => schema.usage.response || fields.iter().all(|field| field.is_defaulted),
        false => fields
            .iter()
            .all(|field| field.is_defaulted && !is_content(field)),
    }
}

/// A constructor that takes what a request has to have; nothing where `Default` does.
fn constructor(schema: &Schema, fields: &[Field<'_>], has_default: bool) -> Option<TokenStream> {
    let is_required = |field: &Field<'_>| {
        let property = field.property;
        !field.is_option && property.is_some_and(|property| schema.insists_on(&property.name))
    };
    if has_default && !fields.iter().any(is_required) {
        return None;
    }
    let name = names::ident(&schema.name);
    let (mut parameters, mut values) = (Vec::new(), Vec::new());
    for field in fields {
        let (ident, ty) = (&field.ident, &field.ty);
        let is_text = is_made_from_text(field);
        values.push(match (is_required(field), is_text) {
            (false, _) => quote!(#ident: ::std::default::Default::default()),
            (true, true) => quote!(#ident: #ident.into()),
            (true, false) => quote!(#ident),
        });
        if is_required(field) {
            parameters.push(match is_text {
                true => quote!(#ident: impl ::std::convert::Into<#ty>),
                false => quote!(#ident: #ty),
            });
        }
    }
    Some(quote! {
        impl #name {
            /// Makes a value of the members that a request has to have. The other members are fields.
            #[must_use]
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#values),* }
            }
        }
    })
}

/// Whether a field is a `String`, or of a type that the runtime has for the format of a text.
fn is_made_from_text(field: &Field<'_>) -> bool {
    let Some(property) = field.property.filter(|_| field.kind == Kind::Plain) else {
        return false;
    };
    match instead(&property.place) {
        Some(runtime) => !runtime.formats.is_empty(),
        None => property.place.is_string(),
    }
}
