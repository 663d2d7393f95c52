//! The client of a run: where the service is, with which key, on which budget.

use std::env;

use clap::ArgMatches;

use crate::arguments::read;
#[cfg(feature = "cache")]
use crate::cache;
use crate::ended::Ended;
use crate::money::{self, Journal};
use crate::visible::visible;
use generated_client::Client;
use generated_client::ClientBuilder;
use generated_client::Error;
use generated_client::document::{Api, Auth};
use generated_client::internal;

/// The settings from which a client is built.
pub(crate) struct Settings {
    pub(crate) base_url: String,
    builder: ClientBuilder<Client>,
    is_metered: bool,
}

impl Settings {
    pub(crate) fn read(
        api: &'static Api,
        given: &ArgMatches,
        in_flight: usize,
    ) -> Result<Self, Ended> {
        let base_url = given.get_one::<String>("base-url").cloned();
        let key = given.get_one::<String>("key-file");
        let key = key.map(|path| key_of(api, path)).transpose()?;
        let of = |suffix: &str| format!("{}_{suffix}", api.environment);
        let (base_url_variable, key_variable) = (of("BASE_URL"), of("API_KEY"));
        let read = |name: &str| {
            let given = match name {
                name if name == base_url_variable => base_url.clone(),
                name if name == key_variable => key.clone(),
                _ => None,
            };
            given.map_or_else(|| env::var(name), Ok)
        };
        let refused = |error: Error| {
            let where_else = match &error {
                Error::Configuration(_) => "\nOr give `--base-url` and `--key-file`.",
                _ => "",
            };
            Ended::Usage(format!("{error}{where_else}"))
        };
        let mut builder = ClientBuilder::<Client>::from_variables(api, read)
            .map_err(refused)?
            .max_in_flight(in_flight);
        for server in given.get_many::<String>("server").into_iter().flatten() {
            let (documented, address) = server.split_once('=').unwrap_or((server, server));
            builder = builder.server(documented, address);
        }
        let base_url = read(&base_url_variable).unwrap_or_default();
        let base_url = match (base_url.as_str(), api.base_url) {
            ("", Some(documented)) => documented,
            (given, _) => given,
        };
        let base_url = internal::base_url(base_url);
        #[cfg(feature = "cache")]
        if let Some(cache) = cache::open(given)? {
            builder = builder.cache(cache);
        }
        Ok(Self {
            base_url: base_url.map_err(|error| Ended::Usage(error.to_string()))?,
            builder,
            is_metered: api.interceptor.is_some(),
        })
    }

    /// Draws on an account too.
    #[cfg(feature = "redis")]
    pub(crate) fn account(self, account: Option<generated_client::account::Account>) -> Self {
        let builder = match account {
            Some(account) => self.builder.account(account),
            None => self.builder,
        };
        Self { builder, ..self }
    }

    /// Makes the client, on the budget that its journal keeps.
    pub(crate) fn client(self, given: &ArgMatches, journal: &Journal) -> Result<Client, Ended> {
        let builder = if self.is_metered {
            money::bounded(self.builder, given, journal)
        } else {
            self.builder
        };
        builder
            .build()
            .map_err(|error| Ended::Usage(error.to_string()))
    }
}

fn key_of(api: &Api, path: &str) -> Result<String, Ended> {
    if matches!(api.auth, Auth::Schemes { .. }) {
        return Err(Ended::usage(
            "this API has several keys: set the environment variables that `--help` lists, and leave `--key-file` out",
        ));
    }
    let bytes = read(path).map_err(|error| Ended::Usage(error.to_string()))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Ended::Usage(format!("{}: the key is not valid UTF-8", visible(path))))?;
    Ok(text.trim().to_owned())
}
