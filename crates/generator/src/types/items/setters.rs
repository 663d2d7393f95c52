//! How callers make what they send: a constructor that takes what a request has to have, and a setter for each other member.

use openapi_model::{Model, Place, Schema, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::fields::{Field, Hold, Kind};
use crate::types::docs;
use crate::types::runtime::instead;
use crate::types::rust_type::{TypeLocation, element};

/// Method names that callers of a type use for something else.
// `from` is often the name of a member, and no code of the crate calls it on a struct.
const TAKEN: [&str; 5] = ["new", "default", "clone", "into", "wait"];

/// The constructor and the setters of a struct.
pub(super) fn emit(model: &Model, schema: &Schema, fields: &[Field<'_>]) -> TokenStream {
    let name = names::ident(&schema.name);
    let constructor = constructor(model, schema, fields);
    let mut taken: Vec<String> = TAKEN.map(str::to_owned).to_vec();
    let given = fields.iter().filter(|field| {
        !field.is_constant() && (!is_given(schema, field) || field.default.is_some())
    });
    let setters = given.clone().map(|field| {
        let name = free(&mut taken, plain(field));
        setter(model, schema, field, &name)
    });
    let setters: Vec<TokenStream> = setters.collect();
    let clearers = given.filter(|field| field.hold == Hold::Nullable);
    let clearers = clearers.map(|field| {
        let ident = &field.ident;
        let name = free(&mut taken, format!("clear_{}", plain(field)));
        let docs = format!(" Sends `{}` as `null`.", wire(field));
        let deprecated = deprecated(field);
        quote! {
            #[doc = #docs]
            #deprecated
            pub fn #name(mut self) -> Self {
                self.#ident = ::generated_client::values::Nullable::Null;
                self
            }
        }
    });
    quote! {
        impl #name {
            #constructor

            #(#setters)*

            #(#clearers)*
        }
    }
}

/// A name that no other method has.
fn free(taken: &mut Vec<String>, mut name: String) -> syn::Ident {
    while taken.contains(&name) {
        name.push('_');
    }
    taken.push(name.clone());
    names::ident(&name)
}

fn plain(field: &Field<'_>) -> String {
    field.ident.to_string().trim_start_matches("r#").to_owned()
}

fn wire<'f>(field: &Field<'f>) -> std::borrow::Cow<'f, str> {
    match field.property {
        Some(property) => property.name.replace('`', "'").into(),
        None => "the other members".into(),
    }
}

fn deprecated(field: &Field<'_>) -> Option<syn::Attribute> {
    let property = field.property;
    docs::deprecated(property.is_some_and(|property| property.place.deprecated))
}

/// A constructor that takes what a request has to have.
fn constructor(model: &Model, schema: &Schema, fields: &[Field<'_>]) -> TokenStream {
    let (mut parameters, mut values) = (Vec::new(), Vec::new());
    let mut has_defaults = false;
    for field in fields {
        let ident = &field.ident;
        if let Some(value) = &field.default {
            values.push(quote!(#ident: #value));
            has_defaults = true;
            continue;
        }
        if !is_given(schema, field) {
            values.push(quote!(#ident: ::std::default::Default::default()));
            continue;
        }
        let Taken { ty, value } = Taken::of(model, schema, field);
        let value = held(field, value);
        parameters.push(quote!(#ident: #ty));
        values.push(if *ident == value.to_string() {
            value
        } else {
            quote!(#ident: #value)
        });
    }
    let made = if parameters.is_empty() && !has_defaults {
        quote!(Self::default())
    } else {
        quote!(Self { #(#values),* })
    };
    let docs = match (parameters.is_empty(), has_defaults) {
        (true, false) => " Creates a value without members.",
        (false, false) => " Creates a value from the required members.",
        (true, true) => " Creates a value with the defaults of the document for required members.",
        (false, true) => {
            " Creates a value from the required members. Those with a default in the document have it, and a setter."
        }
    };
    quote! {
        #[doc = #docs]
        #[must_use]
        pub fn new(#(#parameters),*) -> Self {
            #made
        }
    }
}

fn setter(model: &Model, schema: &Schema, field: &Field<'_>, name: &syn::Ident) -> TokenStream {
    let ident = &field.ident;
    let Taken { ty, value } = Taken::of(model, schema, field);
    let value = held(field, value);
    let docs = match field.property {
        Some(_) => format!(" Sets `{}`.", wire(field)),
        None => " Sets the other members.".to_owned(),
    };
    let deprecated = deprecated(field);
    quote! {
        #[doc = #docs]
        #deprecated
        pub fn #name(mut self, #ident: #ty) -> Self {
            self.#ident = #value;
            self
        }
    }
}

/// Returns the content of a field that holds a value.
fn held(field: &Field<'_>, value: TokenStream) -> TokenStream {
    match field.hold {
        Hold::Plain => value,
        Hold::Option => quote!(Some(#value)),
        Hold::Nullable => quote!(::generated_client::values::Nullable::Value(#value)),
    }
}

fn is_given(schema: &Schema, field: &Field<'_>) -> bool {
    let property = field.property;
    field.is_required || property.is_some_and(|property| schema.is_only_sent(&property.name))
}

/// How a caller gives the value of a field.
struct Taken {
    /// The type of the argument.
    ty: TokenStream,
    /// The value of the field.
    value: TokenStream,
}

impl Taken {
    fn of(model: &Model, schema: &Schema, field: &Field<'_>) -> Self {
        let (ident, inner) = (&field.ident, &field.inner);
        let place = field.property.map(|property| &property.place);
        let (ty, value) = match (field.kind, place) {
            (Kind::Loose, _) => into(inner, ident),
            (Kind::Plain, Some(place)) if is_made_from_text(model, place) => into(inner, ident),
            (Kind::List, Some(place)) => match place.items() {
                Some(items) if is_made_from_text(model, items) && !items.nullable => {
                    let item = element(items, TypeLocation::Types(schema.usage));
                    (
                        quote!(impl ::std::iter::IntoIterator<Item = impl ::std::convert::Into<#item>>),
                        quote!(#ident.into_iter().map(::std::convert::Into::into).collect()),
                    )
                }
                _ => (quote!(#inner), quote!(#ident)),
            },
            _ => (quote!(#inner), quote!(#ident)),
        };
        let value = if field.is_boxed {
            quote!(::std::boxed::Box::new(#value))
        } else {
            value
        };
        Self { ty, value }
    }
}

fn into(ty: &TokenStream, ident: &syn::Ident) -> (TokenStream, TokenStream) {
    (
        quote!(impl ::std::convert::Into<#ty>),
        quote!(#ident.into()),
    )
}

/// Returns whether the type of a place is made from a string: a `String`, the type of a string schema, or one of the runtime for a format.
fn is_made_from_text(model: &Model, place: &Place) -> bool {
    match instead(place) {
        Some(runtime) => !runtime.formats.is_empty(),
        None => model.resolved(place).is_string() && instead(model.resolved(place)).is_none(),
    }
}
