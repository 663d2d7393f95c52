//! The type of the documented addresses, with a variant for each.

use openapi_model::{Model, Server, Variable, names};
use proc_macro2::TokenStream;
use quote::quote;

use crate::types::docs::{attributes, paragraphs, text};

/// Emits `Server` and the types of its variables; nothing if the document names no address.
pub(super) fn emit(model: &Model) -> Option<TokenStream> {
    let servers = &model.servers.all;
    if servers.is_empty() {
        return None;
    }
    let variants = servers.iter().map(|server| {
        let name = names::ident(&server.rust_name);
        let docs = attributes(&docs(server));
        let fields = server.variables.iter().map(|variable| {
            let docs = attributes(&variable_docs(variable));
            let field = names::ident(&variable.rust_name);
            let ty = match values_type(server, variable) {
                Some(name) => names::ident(&name),
                None => names::ident("String"),
            };
            quote!(#(#docs)* #field: #ty)
        });
        if server.variables.is_empty() {
            quote!(#(#docs)* #name)
        } else {
            quote!(#(#docs)* #name { #(#fields),* })
        }
    });
    let addresses = servers.iter().map(|server| {
        let name = names::ident(&server.rust_name);
        let url = &server.url;
        if server.variables.is_empty() {
            return quote!(Server::#name => #url.to_owned());
        }
        let fields: Vec<_> = server
            .variables
            .iter()
            .map(|variable| names::ident(&variable.rust_name))
            .collect();
        let values = server
            .variables
            .iter()
            .zip(&fields)
            .map(|(variable, field)| {
                let wire = &variable.name;
                let default = variable.default.as_deref().unwrap_or_default();
                if variable.values.is_empty() {
quote!((#wire, &#field, #default))
} else {
// The values are the document's, which may be more than a name.
quote!((#wire, #field.as_str(), #field.as_str()))
}
            });
        quote! {
            Server::#name { #(#fields),* } => ::generated_client::transport::server_url(#url, &[#(#values),*])
        }
    });
    let types = servers.iter().flat_map(|server| {
        let variables = server.variables.iter();
        variables.filter_map(|variable| values(server, variable))
    });
    Some(quote! {
        /// The documented addresses of the API, for [`Client::builder`].
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Server {
            #(#variants),*
        }

        impl From<Server> for String {
            fn from(server: Server) -> Self {
                match server {
                    #(#addresses),*
                }
            }
        }

        #(#types)*
    })
}

/// Returns the names of the types of variables, which callers need to choose an address.
pub(crate) fn server_types(model: &Model) -> impl Iterator<Item = String> {
    model.servers.all.iter().flat_map(|server| {
        let variables = server.variables.iter();
        variables.filter_map(|variable| values_type(server, variable))
    })
}

/// The paths that the document gives as addresses, for the documentation of the builder.
pub(super) fn relative(model: &Model) -> Option<String> {
    let paths = &model.servers.relative;
    (!paths.is_empty()).then(|| {
        format!(
            "The document names no host. The base URL ends with its path of the API: `{}`.",
            paths.join("` or `")
        )
    })
}

fn docs(server: &Server) -> Vec<String> {
    let url = format!("`{}`", server.url);
    paragraphs([url].iter().chain(&server.text).map(|part| text(part)))
}

fn variable_docs(variable: &Variable) -> Vec<String> {
    let default = variable.default.iter().filter(|text| !text.is_empty());
    let default = default.map(|text| format!("Default in the document: `{text}`."));
    let free = variable.values.is_empty().then(|| {
        "Building the client fails if a value has a character that would change the host."
            .to_owned()
    });
    let about = variable.text.iter().cloned().chain(default).chain(free);
    let about: Vec<String> = about.collect();
    if about.is_empty() {
        vec![format!("`{}`.", variable.name)]
    } else {
        paragraphs(about.iter().map(|part| text(part)))
    }
}

fn values_type(server: &Server, variable: &Variable) -> Option<String> {
    let name = names::pascal(&variable.name);
    (!variable.values.is_empty()).then(|| format!("Server{}{name}", server.rust_name))
}

fn values(server: &Server, variable: &Variable) -> Option<TokenStream> {
    let ty = names::ident(&values_type(server, variable)?);
    let title = format!("The values of `{}` in `{}`.", variable.name, server.url);
    let docs = attributes(&text(&title));
    let variants = variable.values.iter().map(|(value, variant)| {
        let docs = attributes(&text(&format!("`{value}`")));
        let variant = names::ident(variant);
        quote!(#(#docs)* #variant)
    });
    let texts = variable.values.iter().map(|(value, variant)| {
        let variant = names::ident(variant);
        quote!(Self::#variant => #value)
    });
    Some(quote! {
        #(#docs)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum #ty {
            #(#variants),*
        }

        impl #ty {
            /// The value in the address.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    #(#texts),*
                }
            }
        }
    })
}
