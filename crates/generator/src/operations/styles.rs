//! The style of a parameter, as an expression of the runtime.

use openapi_model::{Location, Style, names};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn style(location: Location, style: &Style) -> TokenStream {
    let place = names::ident(match location {
        Location::Path => "Path",
        Location::Query => "Query",
        Location::Header => "Header",
        Location::Cookie => "Cookie",
    });
    let name = names::ident(style.name);
    let explode = style.explode.then(|| quote!(.explode(true)));
    let reserved = style.reserved.then(|| quote!(.allow_reserved(true)));
    quote! {
        ::generated_client::request::ParameterStyle::new(::generated_client::request::Place::#place, ::generated_client::request::Style::#name)
            #explode
            #reserved
    }
}
