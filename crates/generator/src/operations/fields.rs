//! The fields of a builder: its arguments, and its own, which step aside for an argument of the same name.

use openapi_model::names;
use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::builder::Builder;
use super::output;
use super::value::Argument;

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

    /// The table of the constructor, the options and the response. An option that has the name of an argument is left out.
    pub(super) fn table(&self, builder: &syn::Ident) -> TokenStream {
        let (client, options) = (&self.client, &self.options);
        let (required, optional): (Vec<_>, Vec<_>) = self
            .arguments
            .iter()
            .partition(|argument| argument.required);
        let required = required.into_iter().map(|argument| {
            let (name, kept) = (&argument.name, argument.kept());
            quote!(, #name: #kept)
        });
        let optional = optional.into_iter().map(|argument| &argument.name);
        let is_metered = self.model.is_metered;
        let metered: &[&str] = if is_metered { &METERED } else { &[] };
        let all = OPTIONS.iter().chain(metered);
        let own: Vec<syn::Ident> = all
            .clone()
            .filter(|option| !is_taken(option, &self.arguments))
            .map(|option| syn::Ident::new(option, Span::call_site()))
            .collect();
        let methods = if own.len() < all.count() {
            Some(quote!([#(#own)*]))
        } else {
            is_metered.then(|| quote!(metered))
        };
        let send = output::row(self.operation);
        quote! {
            ::generated_client::builder!(#builder {
                new(#client, #options #(#required)*) #(#optional)*,
                options #methods,
                #send
            });
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
