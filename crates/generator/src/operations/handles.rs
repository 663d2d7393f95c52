//! The handles of a large client: for each tag a type with the methods of its operations, and the method of the client that makes it.

use openapi_model::{Handle, Model, Operation, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::client::method;
use crate::types::docs::{attributes, paragraphs, text};

pub(super) fn emit(model: &Model, handle: &Handle) -> TokenStream {
    let name = names::ident(&handle.name);
    let ty = names::ident(&handle.type_name);
    let operations = model.operations.iter();
    let operations: Vec<&Operation> = operations
        .filter(|operation| operation.handle.as_ref() == Some(&handle.name))
        .collect();
    let core = quote!(self.client.core);
    let methods = operations
        .iter()
        .map(|operation| method(model, operation, &core));
    let import = (!operations.is_empty()).then(|| {
        quote!(
            use crate::operations;
        )
    });
    let tags: Vec<String> = handle.tags.iter().map(|tag| format!("`{tag}`")).collect();
    let what = format!("The operations of {}.", tags.join(" and "));
    let described = handle.description.as_deref().map_or_else(Vec::new, text);
    let docs = attributes(&paragraphs([text(&what), described]));
    let of_client = attributes(&text(&format!(
        "Returns the handle of {}.",
        tags.join(" and ")
    )));
    quote! {
        #import

        #(#docs)*
        #[derive(Clone, Copy, Debug)]
        pub struct #ty<'c> {
            client: &'c crate::Client,
        }

        impl crate::Client {
            #(#of_client)*
            #[must_use]
            pub fn #name(&self) -> #ty<'_> {
                #ty { client: self }
            }
        }

        impl #ty<'_> {
            #(#methods)*
        }
    }
}
