//! The fields of a builder: its arguments, and its own, which step aside for an argument of the same name.

use openapi_model::names;
use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::builder::Builder;
use super::value::{self, Argument};

/// The options of a call, and those of a call that costs credits, which are methods of a builder unless an argument has their name.
const OPTIONS: [&str; 9] = [
    "header",
    "extra_query",
    "deadline",
    "retry",
    "detached",
    "max_age",
    "refresh",
    "only_if_cached",
    "send_as",
];
const METERED: [&str; 3] = ["price", "assume_price", "quote"];

impl Builder<'_> {
    /// The fields as the struct declares them.
    pub(super) fn declared(&self) -> TokenStream {
        let (client, options) = (&self.client, &self.options);
        let arguments = self.arguments.iter().map(|argument| {
            let (name, ty) = (&argument.name, argument.field_type());
            quote!(#name: #ty)
        });
        quote! {
            #client: ::generated_client::Client,
            #options: ::generated_client::request::CallOptions,
            #(#arguments),*
        }
    }

    /// The constructor.
    pub(super) fn constructor(&self) -> TokenStream {
        let (client, options) = (&self.client, &self.options);
        let parameters = value::required(&self.arguments).map(|argument| {
            let (name, kept) = (&argument.name, argument.kept());
            quote!(#name: #kept)
        });
        let initial = self.arguments.iter().map(Argument::initial);
        quote! {
            pub(crate) fn new(#client: ::generated_client::Client, #(#parameters),*) -> Self {
                Self {
                    #client,
                    #options: ::generated_client::request::CallOptions::default(),
                    #(#initial),*
                }
            }
        }
    }

    /// The trait that every call implements, and its methods except those that have the name of an argument.
    pub(super) fn call_options(&self, builder: &syn::Ident) -> TokenStream {
        let (client, options) = (&self.client, &self.options);
        let is_metered = self.model.is_metered;
        let metered: &[&str] = if is_metered { &METERED } else { &[] };
        let all: Vec<&str> = OPTIONS.iter().chain(metered).copied().collect();
        let own: Vec<_> = all
            .iter()
            .copied()
            .filter(|option| !is_taken(option, &self.arguments))
            .map(|option| syn::Ident::new(option, Span::call_site()))
            .collect();
        if own.len() < all.len() {
            quote!(::generated_client::call!(#builder, #client, #options, [#(#own)*]);)
        } else if is_metered {
            quote!(::generated_client::call!(#builder, #client, #options, metered);)
        } else {
            quote!(::generated_client::call!(#builder, #client, #options);)
        }
    }
}

fn is_taken(name: &str, arguments: &[Argument<'_>]) -> bool {
    arguments.iter().any(|argument| argument.name == name)
}

/// Returns the name of a field that no argument has. No argument ends with an underscore but a keyword.
pub(super) fn free(name: &str, arguments: &[Argument<'_>]) -> syn::Ident {
    if is_taken(name, arguments) {
        names::ident(&format!("{name}_"))
    } else {
        names::ident(name)
    }
}
