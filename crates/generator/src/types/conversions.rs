//! Conversions from OpenAPI Links: a field of one response is an argument of another call.

use std::collections::BTreeSet;

use openapi_model::{Conversion, Model, PathMember, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::docs;

pub(super) fn conversions(model: &Model) -> TokenStream {
    let mut items = TokenStream::new();
    let mut written = BTreeSet::new();
    for conversion in &model.conversions {
        let target = names::ident(&conversion.parameter_type);
        let conditions = conditions(model, conversion);
        let from_value = conversion
            .value_type
            .as_ref()
            .filter(|value_type| **value_type != conversion.parameter_type);
        if let Some(value_type) = from_value
            && written.insert((value_type.clone(), target.to_string()))
        {
            let value_type = names::ident(value_type);
            items.extend(quote! {
                #(#conditions)*
                impl ::std::convert::From<#value_type> for #target {
                    fn from(value: #value_type) -> Self {
                        Self(value.0)
                    }
                }

                #(#conditions)*
                impl ::std::convert::From<&#value_type> for #target {
                    fn from(value: &#value_type) -> Self {
                        Self(value.0.clone())
                    }
                }
            });
        }
        if written.insert((conversion.owner.clone(), target.to_string())) {
            let owner = names::ident(&conversion.owner);
            let member = PathMember::to(&conversion.owner, &conversion.property);
            let field = names::ident(&model.field(&member));
            let is_plain = model.presence_at(&member).is_plain();
            let found = if is_plain {
                quote!(value.#field.as_str())
            } else {
                quote!(value.#field.as_ref().map_or("", |value| value.as_str()))
            };
            let property = &conversion.property;
            let docs = docs::attributes(&[
                format!("Takes `{property}`."),
                String::new(),
                "# Errors".to_owned(),
                String::new(),
                format!("The response has no `{property}`, or an empty string there."),
            ]);
            let owner_name = &conversion.owner;
            items.extend(quote! {
                #(#conditions)*
                impl ::std::convert::TryFrom<&#owner> for #target {
                    type Error = ::generated_client::error::MissingValue;

                    #(#docs)*
                    fn try_from(value: &#owner) -> ::std::result::Result<Self, Self::Error> {
                        match #found {
                            "" => Err(::generated_client::error::MissingValue::new(#owner_name, #property)),
                            found => Ok(Self::from(found)),
                        }
                    }
                }
            });
        }
    }
    items
}

/// The features of the types that a conversion joins.
fn conditions(model: &Model, conversion: &Conversion) -> Vec<syn::Attribute> {
    let (owner, parameter) = (&conversion.owner, &conversion.parameter_type);
    let types = [Some(owner), conversion.value_type.as_ref(), Some(parameter)];
    let schemas = types
        .into_iter()
        .flatten()
        .filter_map(|name| model.schema(name));
    let features: BTreeSet<_> = schemas.map(|schema| schema.feature.as_deref()).collect();
    features.into_iter().filter_map(docs::condition).collect()
}
