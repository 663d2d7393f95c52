//! The enums of error responses with several schemas. Operations with equal schemas share one.

use std::collections::BTreeSet;

use openapi_model::names;
use openapi_model::{Model, Usage};
use proc_macro2::TokenStream;
use quote::quote;

use super::docs::condition;
use super::rust_type::{TypeLocation, rust_type};

/// The enums of all operations, each once.
pub(super) fn enums(model: &Model) -> TokenStream {
    let mut seen = BTreeSet::new();
    let all = model.operations.iter().filter_map(|operation| {
        let errors = operation.errors.as_ref()?;
        let name = errors.enumeration.as_ref()?;
        seen.insert(name).then_some((name, errors))
    });
    let received = Usage {
        response: true,
        ..Usage::default()
    };
    let enums = all.map(|(original, errors)| {
        let name = names::ident(original);
        let variants = errors.variants.iter().map(|variant| {
            let name = names::ident(&variant.name);
            let ty = rust_type(&variant.schema, TypeLocation::Types(received));
            if variant.schema.nullable {
                quote!(#name(::std::option::Option<#ty>))
            } else {
                quote!(#name(#ty))
            }
        });
        let mut sharing = model.operations.iter().filter(|operation| {
            let errors = operation.errors.as_ref();
            errors.is_some_and(|errors| errors.enumeration.as_ref() == Some(original))
        });
        let feature = sharing.next().and_then(|first| model.feature(first));
        let condition =
            condition(feature.filter(|_| sharing.all(|one| model.feature(one) == feature)));
        quote! {
            #condition
            /// Documented errors, by what their bodies hold. [`Error::status`](crate::Error::status) has the status code.
            #[derive(Clone, Debug, PartialEq)]
            #[non_exhaustive]
            pub enum #name {
                #(#variants,)*
            }
        }
    });
    quote!(#(#enums)*)
}
