//! Credentials in emitted code: the schemes of the API, those that an operation needs, and a function for each scheme.

use openapi_model::{Auth, Carrier, Model, Operation, Scheme, Security, names};
use proc_macro2::TokenStream;
use quote::quote;

use crate::types::docs::{attributes, paragraphs, text};

/// The value of `auth` in the declaration of the API.
pub(super) fn auth(auth: &Auth) -> TokenStream {
    match auth.simple() {
        Some(Carrier::Header(name)) => {
            return quote!(::generated_client::document::Auth::Header(#name));
        }
        Some(_) => return quote!(::generated_client::document::Auth::Bearer),
        None if auth.schemes.is_empty() => return quote!(::generated_client::document::Auth::None),
        None => {}
    }
    let all = auth.schemes.iter().map(|scheme| {
        let (name, variable) = (&scheme.name, &scheme.variable);
        let carrier = carrier(&scheme.carrier);
        quote! {
            ::generated_client::document::Scheme { name: #name, variable: #variable, carrier: ::generated_client::document::Carrier::#carrier }
        }
    });
    let usual = security(&auth.usual);
    quote!(::generated_client::document::Auth::Schemes { all: &[#(#all),*], usual: #usual })
}

fn carrier(carrier: &Carrier) -> TokenStream {
    match carrier {
        Carrier::Header(name) => quote!(Header(#name)),
        Carrier::Query(name) => quote!(Query(#name)),
        Carrier::Cookie(name) => quote!(Cookie(#name)),
        Carrier::Bearer => quote!(Bearer),
        Carrier::Basic => quote!(Basic),
        Carrier::Authorization => quote!(Authorization),
    }
}

fn security(security: &Security) -> TokenStream {
    let alternatives = security.iter().map(|names| quote!(&[#(#names),*]));
    quote!(&[#(#alternatives),*])
}

/// Returns the statements that set the credentials of a request, and its address if it is not the base URL.
pub(super) fn statements(model: &Model, operation: &Operation) -> TokenStream {
    let needed = model.auth.of.get(&operation.pointer).map(|needed| {
        let needed = security(needed);
        quote!(request.security(#needed);)
    });
    let server = model.servers.own.get(&operation.pointer).map(|url| {
        let beside = &model.servers.origins;
        quote! {
            static SERVER: ::generated_client::document::OwnServer = ::generated_client::document::OwnServer {
                url: #url,
                beside: &[#(#beside),*],
            };
            request.server(&SERVER);
        }
    });
    quote!(#needed #server)
}

/// Documents the unusual credentials and the address of an operation.
pub(super) fn docs(model: &Model, operation: &Operation) -> Vec<String> {
    let needed = model.auth.of.get(&operation.pointer).map(needs);
    let server = model.servers.own.get(&operation.pointer).map(|url| {
        format!(
            "Its address is `{url}`. Name it, or another one, with `ClientBuilder::server` before credentials \
             go there."
        )
    });
    paragraphs(
        [needed, server]
            .into_iter()
            .flatten()
            .map(|line| text(&line)),
    )
}

/// ``Credentials: `a` and `b`, or `c`.``
fn needs(security: &Security) -> String {
    let named = security.iter().filter(|names| !names.is_empty());
    let named: Vec<String> = named
        .map(|names| format!("`{}`", names.join("` and `")))
        .collect();
    let optional = if security.len() == named.len() {
        "."
    } else {
        "; optional."
    };
    if named.is_empty() {
        "Credentials: none.".to_owned()
    } else {
        format!("Credentials: {}{optional}", named.join(", or "))
    }
}

/// Returns whether the crate has functions that make credentials.
pub(crate) fn has_credentials(model: &Model) -> bool {
    model.auth.simple().is_none() && !model.auth.schemes.is_empty()
}

/// Lists the variables that configure a client, for the documentation of `from_env`.
pub(super) fn from_env(model: &Model) -> String {
    let environment = &model.package.environment;
    let variable = format!("`{environment}_BASE_URL`");
    let key = if has_credentials(model) {
        Some("the variables of its [`credentials`]".to_owned())
    } else {
        let has_key = !model.auth.schemes.is_empty();
        has_key.then(|| format!("`{environment}_API_KEY`"))
    };
    let text = match (&model.servers.first, key) {
        (None, None) => variable,
        (None, Some(key)) => format!("{variable}, and {key}"),
        (Some(url), None) => format!("{variable}. Without it, the base URL is `{url}`"),
        (Some(url), Some(key)) => {
            format!("{key}, and {variable}. Without the latter, the base URL is `{url}`")
        }
    };
    format!("Configures a client from the environment: {text}.")
}

/// Emits the module with a function for each scheme; nothing for an API with a single key.
pub(super) fn credentials(model: &Model) -> Option<TokenStream> {
    if !has_credentials(model) {
        return None;
    }
    let functions = model
        .auth
        .schemes
        .iter()
        .map(|scheme| functions(scheme, &model.package.environment));
    Some(quote! {
        /// Credentials of the API, for `ClientBuilder::credential`. A call uses the first alternative of its
        /// operation whose credentials are all set.
        pub mod credentials {
            pub use generated_client::credentials::{Credential, Token, TokenProvider, TokenReason};

            #(#functions)*
        }
    })
}

fn functions(scheme: &Scheme, environment: &str) -> TokenStream {
    let name = names::ident(&scheme.rust_name);
    let wire = &scheme.name;
    let variable = format!("{environment}_{}", scheme.variable);
    let (sent, variables) = match &scheme.carrier {
        Carrier::Header(name) => (format!("in the header `{name}`"), None),
        Carrier::Query(name) => (format!("in the query parameter `{name}`"), None),
        Carrier::Cookie(name) => (format!("in the cookie `{name}`"), None),
        Carrier::Bearer => ("as `Authorization: Bearer`".to_owned(), None),
        Carrier::Basic => (
            "as `Authorization: Basic`".to_owned(),
            Some(format!("`{variable}_USER` and `{variable}_PASSWORD`")),
        ),
        Carrier::Authorization => (
            "as the whole value of `Authorization`, which the caller composes".to_owned(),
            None,
        ),
    };
    let variables = variables.unwrap_or_else(|| format!("`{variable}`"));
    let about = paragraphs(
        [
            format!("Makes a credential for `{wire}`, sent {sent}."),
            format!("`Client::from_env` reads {variables}."),
        ]
        .iter()
        .chain(&scheme.text)
        .map(|part| text(part)),
    );
    let docs = attributes(&about);
    let function = match scheme.carrier {
        Carrier::Basic => quote! {
            #(#docs)*
            #[must_use]
            pub fn #name(
                user: impl Into<::generated_client::values::SecretText>,
                password: impl Into<::generated_client::values::SecretText>,
            ) -> Credential {
                Credential::basic(#wire, user, password)
            }
        },
        _ => quote! {
            #(#docs)*
            #[must_use]
            pub fn #name(secret: impl Into<::generated_client::values::SecretText>) -> Credential {
                Credential::text(#wire, secret)
            }
        },
    };
    let provider = scheme.provider.as_ref().map(|provider| {
        let docs = attributes(&text(&format!(
            "Makes a credential for `{wire}` from a token provider, which obtains and refreshes tokens on demand."
        )));
        let provider = names::ident(provider);
        quote! {
            #(#docs)*
            #[must_use]
            pub fn #provider(provider: impl TokenProvider) -> Credential {
                Credential::provider(#wire, provider)
            }
        }
    });
    quote!(#function #provider)
}
