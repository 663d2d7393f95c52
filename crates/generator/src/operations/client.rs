//! The client: a thin wrapper that adds the operations to the runtime's client.

use openapi_model::{Model, Operation, names};
use openapi_overrides::OverrideReport;
use proc_macro2::TokenStream;
use quote::quote;

use super::value::{self, Argument};
use super::{access, charge, docs, examples, option, prices, servers};
use crate::types::docs::{attributes, condition, deprecated, paragraphs, provenance, text};

pub(super) fn emit(model: &Model, report: &OverrideReport) -> TokenStream {
    let core = quote!(self.core);
    let flat = model.operations.iter();
    let flat = flat.filter(|operation| operation.handle.is_none());
    let methods: Vec<TokenStream> = flat
        .map(|operation| {
            let condition = condition(model.feature(operation));
            let method = method(model, operation, &core);
            quote!(#condition #method)
        })
        .collect();
    let uses = (!methods.is_empty()).then(|| {
        quote!(
            use crate::operations;
        )
    });
    // The modules of handles make builders too.
    let seen = (!model.handles.is_empty()).then(|| quote!(pub(crate)));
    let credentials = access::credentials(model);
    let servers = servers::emit(model);
    let api = api(model);
    let (account, metered) = if model.is_metered {
        (
            Some(account()),
            Some(quote!(::generated_client::metered_client!(Client);)),
        )
    } else {
        (None, None)
    };
    let title = format!(
        " A client of the {}. Cheap to clone; clones share connections.",
        model.title
    );
    let builder_docs = builder_docs(model, report);
    let from_env = from_env(model);
    quote! {
        #uses

        #api

        #[doc = #title]
        #[derive(Clone, Debug)]
        pub struct Client {
            #seen core: ::generated_client::Client,
        }

        ::generated_client::client_type!(Client);
        #metered

        impl Client {
            #(#builder_docs)*
            pub fn builder(base_url: impl Into<String>) -> ::generated_client::ClientBuilder<Self> {
                ::generated_client::ClientBuilder::new(&API, base_url)
            }

            #from_env

            #account

            #(#methods)*
        }

        #servers

        #credentials
    }
}

/// The constructors that read the variables of the environment.
fn from_env(model: &Model) -> TokenStream {
    let from_env_docs = attributes(&[
        access::from_env(model),
        String::new(),
        "# Errors".to_owned(),
        String::new(),
        "A variable is missing, or its value is invalid as in [`Self::builder`].".to_owned(),
    ]);
    let builder_from_env = if model.is_metered {
        " Starts the configuration of a client from the variables of `from_env`, for a budget or other settings."
    } else {
        " Starts the configuration of a client from the variables of `from_env`, for other settings."
    };
    quote! {
        #(#from_env_docs)*
        pub fn from_env() -> Result<Self, ::generated_client::Error> {
            Self::builder_from_env()?.build()
        }

        #[doc = #builder_from_env]
        ///
        /// # Errors
        ///
        /// A variable is missing, empty or not Unicode.
        pub fn builder_from_env()
            -> Result<::generated_client::ClientBuilder<Self>, ::generated_client::Error>
        {
            ::generated_client::ClientBuilder::from_env(&API)
        }
    }
}

/// The declaration of the API.
fn api(model: &Model) -> TokenStream {
    let environment = &model.package.environment;
    let base_url = option(model.servers.first.as_ref());
    let auth = access::auth(&model.auth);
    let interceptor = option(model.is_metered.then(|| {
        let charge = option(charge::shared(model));
        let dearest = prices::dearest(model);
        quote!(|| ::generated_client::meter(#charge, #dearest))
    }));
    let ids = model.operations.iter().map(|operation| &operation.known_as);
    quote! {
        pub(crate) static API: ::generated_client::document::Api = ::generated_client::document::Api {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            environment: #environment,
            base_url: #base_url,
            auth: #auth,
            interceptor: #interceptor,
            operations: &[#(#ids),*],
        };
    }
}

/// Documents the method that starts a builder.
fn builder_docs(model: &Model, report: &OverrideReport) -> Vec<syn::Attribute> {
    let mut docs = vec![text(
        "Starts the configuration of a client. The paths of the document are appended to `base_url`, \
         with or without a trailing slash. Plain `http` is refused except to this machine.",
    )];
    if model.servers.all.is_empty() {
        // Otherwise it is documented at the variants of `Server`.
        docs.push(text(&model.server));
    }
    docs.extend(servers::relative(model).map(|relative| text(&relative)));
    if !model.servers.all.is_empty() {
        docs.push(text("[`Server`] has the documented addresses."));
    }
    docs.extend(provenance(report, "/servers", |_| true));
    attributes(&paragraphs(docs))
}

/// The method that makes the builder of an operation. `core` is the client of the runtime.
pub(super) fn method(model: &Model, operation: &Operation, core: &TokenStream) -> TokenStream {
    let crate_name = model.package.name.replace('-', "_");
    let arguments = value::arguments(model, operation);
    let docs = attributes(&paragraphs([
        docs::method(model, operation),
        examples::example(model, &crate_name, operation, &arguments),
    ]));
    let name = names::ident(&operation.rust_name);
    let builder = names::ident(&operation.type_name);
    let parameters = value::required(&arguments).map(|argument| {
        let (name, taken) = (&argument.name, argument.taken_anywhere());
        quote!(#name: #taken)
    });
    let values = value::required(&arguments).map(Argument::convert);
    let deprecated = deprecated(operation.is_deprecated);
    quote! {
        #(#docs)*
        #deprecated
        pub fn #name(&self, #(#parameters),*) -> operations::#builder {
            operations::#builder::new(#core.clone(), #(#values),*)
        }
    }
}

/// The methods about the account of a client whose calls cost credits.
fn account() -> TokenStream {
    quote! {
        /// Returns the account that calls share with other processes; `None` without one.
        #[cfg(feature = "redis")]
        #[must_use]
        pub fn account(&self) -> Option<&generated_client::account::Account> {
            self.core.account()
        }

        /// Returns a client whose calls use this account, such as a scope of it. It shares everything else.
        #[cfg(feature = "redis")]
        #[must_use]
        pub fn with_account(&self, account: generated_client::account::Account) -> Self {
            Self { core: self.core.with_account(account) }
        }
    }
}
