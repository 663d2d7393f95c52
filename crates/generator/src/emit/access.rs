//! How a caller gives a client its address and its credentials, for the README of a crate.

use openapi_model::{Carrier, Model, Scheme, names};

/// The address, the credentials, and how to choose one of several addresses.
pub(super) fn emit(model: &Model) -> String {
    credentials(model) + &servers(model)
}

/// Shows how another of several documented addresses is chosen.
fn servers(model: &Model) -> String {
    let others = model.servers.all.iter().skip(1);
    let Some(other) = others.rev().find(|one| one.variables.is_empty()) else {
        return String::new();
    };
    let name = model.package.name.replace('-', "_");
    let (parameter, given) = match model.auth.simple() {
        Some(_) => ("key: String", ".api_key(key)"),
        None => ("", ""),
    };
    format!(
        "

The document names {count} addresses, the variants of [`Server`]:

```rust,no_run
fn another({parameter}) -> Result<{name}::Client, {name}::Error> {{
    {name}::Client::builder({name}::Server::{other}){given}.build()
}}
```",
        count = model.servers.all.len(),
        other = names::ident(&other.rust_name),
    )
}

/// One paragraph, or one and a table of the credentials.
fn credentials(model: &Model) -> String {
    let environment = &model.package.environment;
    let crate_name = model.package.name.replace('-', "_");
    let instead = match &model.servers.first {
        Some(url) => {
            let first = if model.servers.all.len() > 1 {
                ", the first of the document"
            } else {
                ""
            };
            format!("\nWithout `{environment}_BASE_URL`, the address is `{url}`{first}.\n")
        }
        None => " ".to_owned(),
    };
    let redirects = if model.is_metered {
        "Redirects are not followed, because each request may be billed."
    } else {
        "Redirects of GET and HEAD are followed, and no credentials go to another host."
    };
    if model.auth.simple().is_some() {
        return format!(
            "`Client::from_env` reads `{environment}_BASE_URL` and `{environment}_API_KEY`; `Client::builder` takes the two as\n\
             values.{instead}`Debug` output and errors never contain the key. {redirects}"
        );
    }
    let schemes = &model.auth.schemes;
    if schemes.is_empty() {
        return format!(
            "`Client::from_env` reads `{environment}_BASE_URL`, and `Client::builder` takes it as a value.{instead}\n\
             No operation of the document asks for credentials, so none are sent."
        );
    }
    let after = instead.trim_end();
    let rows: String = schemes
        .iter()
        .map(|scheme| row(scheme, environment))
        .collect();
    format!(
        "`Client::from_env` reads `{environment}_BASE_URL` and the variables below; `Client::builder` takes the address, and\n\
         `ClientBuilder::credential` takes credentials from `{crate_name}::credentials`. A call uses the first\n\
         alternative of its operation whose credentials are all set, and otherwise fails before it is sent.{after}\n\
         `Debug` output and errors never contain credentials. {redirects}\n\n\
         | scheme | function | environment |\n|---|---|---|\n{rows}"
    )
    .trim_end()
    .to_owned()
}

fn row(scheme: &Scheme, environment: &str) -> String {
    let variable = format!("{environment}_{}", scheme.variable);
    let variables = match scheme.carrier {
        Carrier::Basic => format!("`{variable}_USER`, `{variable}_PASSWORD`"),
        _ => format!("`{variable}`"),
    };
    let name = scheme.name.replace('|', "\\|");
    let functions = match &scheme.provider {
        Some(provider) => format!("`{}`, `{provider}`", scheme.rust_name),
        None => format!("`{}`", scheme.rust_name),
    };
    format!("| `{name}` | {functions} | {variables} |\n")
}
