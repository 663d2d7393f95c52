//! The struct of a multipart body: its parts as the document types them.

use openapi_model::{Body, Model, Operation};
use proc_macro2::TokenStream;
use quote::quote;

use super::builder::Builder;
use super::value::Argument;
use super::{bodies, body_type, checks, value};

/// Emits the struct; nothing for an operation without a multipart body.
pub(super) fn emit(builder: &Builder<'_>) -> Option<TokenStream> {
    let mut bodies = builder.operation.bodies.iter();
    bodies.find_map(|body| declared(builder, body))
}

/// Its name.
pub(super) fn type_name(model: &Model, operation: &Operation) -> syn::Ident {
    body_type::free(model, format!("{}Multipart", operation.type_name))
}

fn declared(builder: &Builder<'_>, body: &Body) -> Option<TokenStream> {
    let (model, operation) = (builder.model, builder.operation);
    let schema = model.parts(body)?;
    let parts = value::parts(model, body)?;
    let name = type_name(model, operation);
    let docs = format!(
        " The body of [`{}`] as `multipart/form-data`, part by part.",
        operation.type_name
    );
    let fields = parts.iter().map(|part| {
        let (name, ty) = (&part.name, part.field_type());
        quote!(#name: #ty)
    });
    let (required, optional): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.required);
    let default = required.is_empty().then(|| quote!(, Default));
    let taken = required.iter().map(|part| {
        let (name, taken) = (&part.name, part.taken());
        quote!(#name: #taken)
    });
    let converted = required.iter().filter_map(|part| {
        let (name, value) = (&part.name, part.convert());
        (*name != value.to_string()).then(|| quote!(let #name = #value;))
    });
    let initial = parts.iter().map(Argument::initial);
    let setters = optional.iter().map(|part| builder.setter(part));
    let statements = bodies::parts_of(body, schema, &parts);
    let bounds = checks::all(&parts, &quote!(parts));
    Some(quote! {
        #[doc = #docs]
        #[derive(Clone, Debug #default)]
        #[must_use = "the body is sent when it is given to a call"]
        pub struct #name {
            #(#fields),*
        }

        impl #name {
            /// The body with what it has to have.
            pub fn new(#(#taken),*) -> Self {
                #(#converted)*
                Self { #(#initial),* }
            }

            #(#setters)*

            fn to_multipart(&self) -> ::generated_client::request::Multipart {
                #statements
                #bounds
                parts
            }
        }
    })
}
