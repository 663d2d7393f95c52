//! Named string types: a newtype over `String`, to which the runtime gives what a string has.

use openapi_model::names;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(name: &str) -> TokenStream {
    let name = names::ident(name);
    quote! {
        #[derive(::serde::Serialize, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[serde(transparent)]
        pub struct #name(::std::string::String);

        ::generated_client::wire::string!(#name);
    }
}
