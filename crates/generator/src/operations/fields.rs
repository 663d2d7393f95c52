//! The fields of a builder: its arguments, and its own, which step aside for an argument of the same name.

use openapi_model::Operation;
use openapi_model::names;
use proc_macro2::TokenStream;
use quote::quote;

use super::input::Required;
use super::value::Argument;

/// The names of the fields that are no arguments.
pub(super) struct Fields {
    pub(super) client: syn::Ident,
    pub(super) options: syn::Ident,
    /// True if there is one for a body that is given by its media type.
    has_body: bool,
}

impl Fields {
    pub(super) fn of(operation: &Operation, arguments: &[Argument<'_>]) -> Self {
        // No argument ends with an underscore but a keyword.
        let free = |name: &str| {
            let is_taken = arguments.iter().any(|argument| argument.name == name);
            names::ident(&format!("{name}{}", if is_taken { "_" } else { "" }))
        };
        Self {
            client: free("client"),
            options: free("options"),
            has_body: !operation.bodies.is_empty(),
        }
    }

    /// The fields as the struct declares them.
    pub(super) fn declared(&self, arguments: &[Argument<'_>]) -> TokenStream {
        let Self {
            client, options, ..
        } = self;
        let body = self
            .has_body
            .then(|| quote!(body: Option<::generated_client::request::Body>,));
        let arguments = arguments.iter().map(|argument| {
            let (name, ty) = (&argument.name, argument.field_type());
            quote!(#name: #ty)
        });
        quote! {
            #client: ::generated_client::Client,
            #options: ::generated_client::request::CallOptions,
            #body
            #(#arguments),*
        }
    }

    /// The constructor.
    pub(super) fn constructor(
        &self,
        arguments: &[Argument<'_>],
        required: &Required<'_, '_>,
    ) -> TokenStream {
        let Self {
            client, options, ..
        } = self;
        let body = self.has_body.then(|| quote!(body: None,));
        let parameters = required.kept();
        let initial = arguments.iter().map(|argument| required.field(argument));
        quote! {
            pub(crate) fn new(#client: ::generated_client::Client, #(#parameters),*) -> Self {
                Self {
                    #client,
                    #options: ::generated_client::request::CallOptions::default(),
                    #body
                    #(#initial),*
                }
            }
        }
    }

    /// The traits that every call implements.
    pub(super) fn options(&self, builder: &syn::Ident) -> TokenStream {
        let Self {
            client, options, ..
        } = self;
        quote!(::generated_client::call!(#builder, #client, #options);)
    }
}
