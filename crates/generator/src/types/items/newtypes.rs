//! Types with a name that hold one value: a number, a boolean, a list, a map or any JSON. They read lists and maps as any field does.

use openapi_model::{Model, Schema, Shape, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::fields::is_collection;
use crate::types::rust_type::{TypeLocation, rust_type};

pub(super) fn emit(model: &Model, schema: &Schema) -> TokenStream {
    let name = names::ident(&schema.name);
    let inner = rust_type(&schema.place, TypeLocation::Types(schema.usage));
    // The default if a response lacks the value.
    let has_default = schema.usage.response && model.is_defaulted(schema);
    let default = has_default.then(|| quote!(, Default));
    let is_scalar = matches!(schema.place.shape, Shape::Scalar { .. });
    let text = is_scalar.then(|| text_conversions(&name, &inner));
    // Within the allowance, and without what is `null`, unless the type has it.
    let read = if is_collection(&schema.place) {
        "collection"
    } else {
        "value"
    };
    let read = names::ident(read);
    quote! {
        #[derive(::serde::Serialize, Clone, Debug, PartialEq #default)]
        #[serde(transparent)]
        pub struct #name(pub #inner);

        impl ::std::ops::Deref for #name {
            type Target = #inner;

            fn deref(&self) -> &#inner {
                &self.0
            }
        }

        impl ::std::convert::From<#name> for #inner {
            fn from(value: #name) -> Self {
                value.0
            }
        }

        impl ::std::convert::From<#inner> for #name {
            fn from(value: #inner) -> Self {
                Self(value)
            }
        }

        #text

        ::generated_client::wire::newtype!(#name, #read);
    }
}

/// The conversions of a number or a boolean to and from strings.
fn text_conversions(name: &syn::Ident, inner: &TokenStream) -> TokenStream {
    let error = quote!(<#inner as ::std::str::FromStr>::Err);
    let from = [quote!(&str), quote!(::std::string::String)].map(|text| {
        quote! {
            impl ::std::convert::TryFrom<#text> for #name {
                type Error = #error;

                fn try_from(value: #text) -> ::std::result::Result<Self, Self::Error> {
                    value.parse()
                }
            }
        }
    });
    quote! {
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ::std::str::FromStr for #name {
            type Err = #error;

            fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
                Ok(Self(value.parse()?))
            }
        }

        #(#from)*
    }
}
