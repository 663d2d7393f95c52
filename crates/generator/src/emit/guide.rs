//! The guide of a crate, for its README: the first call, pages, money, errors and tests, each with an example that compiles.

use openapi_model::Model;

use super::cargo_toml::RUST_VERSION;
use crate::operations::{paged_sample, sample};

/// The sections that lead to a first program.
pub(super) fn emit(model: &Model) -> String {
    let name = model.package.name.replace('-', "_");
    let call = sample(model).map(|sample| sample.call);
    let call = call.as_deref();
    [
        first_call(&name, call),
        pages(model, &name),
        money(&name, call),
        errors(&name, call),
        tests(model, &name, call),
    ]
    .concat()
}

fn first_call(name: &str, call: Option<&str>) -> String {
    let call = call.map_or(String::new(), |call| {
        format!(
            "    let response = client.{call}.send().await?;\n    println!(\"{{:?}}\", response.body);\n    \
             println!(\"{{:?}}\", response.meta.outcome);   // what it cost\n"
        )
    });
    let client = match call.is_empty() {
        true => "_client",
        false => "client",
    };
    format!(
        "## First call

```rust,no_run
use {name}::{{Client, Error}};

async fn first() -> Result<(), Error> {{
    let {client} = Client::from_env()?;
{call}    Ok(())
}}
```
"
    )
}

fn pages(model: &Model, name: &str) -> String {
    let Some(sample) = paged_sample(model) else {
        return String::new();
    };
    format!(
        "
## Pages

`items()` is a stream of records, and `pages()` one of responses. A page is requested, and billed, when the stream needs it.

```rust,no_run
async fn read(client: {name}::Client) -> Result<(), {name}::Error> {{
    let mut items = client.{call}.items().take(100);
    while let Some(item) = items.next().await {{
        println!(\"{{:?}}\", item?);
    }}
    Ok(())
}}
```

`take` bounds the records, `at_most` the credits, and `quote()` says what a run may cost. An error that ends the stream says where to resume:
`Error::resume_offset`.
",
        call = sample.call
    )
}

fn money(name: &str, call: Option<&str>) -> String {
    let call = call.map_or(String::new(), |call| {
        format!("    client.{call}.send().await?;\n")
    });
    format!(
        "
## Budget

```rust,no_run
use {name}::{{Client, Credits, Error}};

async fn spend() -> Result<(), Error> {{
    let client = Client::builder_from_env()?.budget(Credits::new(25)).build()?;
{call}    println!(\"{{:?}}\", client.ledger().usage());   // spent, reserved, at risk
    Ok(())
}}
```

Each attempt reserves its price first; one that does not fit is not sent. `client.scoped(credits)` is a client with a part of the budget. A
call of unknown price reserves all that is left, unless `assume_price` says how much. A paid call is attempted again only when a second charge
is impossible; [`RetryPolicy`] has the table.
"
    )
}

fn errors(name: &str, call: Option<&str>) -> String {
    let Some(call) = call else {
        return String::new();
    };
    format!(
        "
## Errors

```rust,no_run
use {name}::{{Client, Error, StatusCode}};

async fn look(client: Client) -> Result<(), Error> {{
    match client.{call}.send().await {{
        Ok(response) => println!(\"{{:?}}\", response.body),
        Err(error) if error.status() == Some(StatusCode::NOT_FOUND) => println!(\"there is none\"),
        Err(error @ Error::Budget(_)) => return Err(error),              // nothing was sent
        Err(error) if error.may_have_been_charged() => {{
            eprintln!(\"{{error}}: {{:?}}\", error.outcome());
            eprintln!(\"{{:?}}\", error.body());                          // paid bytes are kept
        }}
        Err(error) => return Err(error),
    }}
    Ok(())
}}
```
"
    )
}

/// An example for a client that needs at most one key.
fn tests(model: &Model, name: &str, call: Option<&str>) -> String {
    let has_key = model.auth.simple().is_some();
    let Some(call) = call.filter(|_| has_key || model.auth.schemes.is_empty()) else {
        return String::new();
    };
    let key = if has_key { ".api_key(\"k\")" } else { "" };
    format!(
        "
## Tests of your program

With the feature `test-util`, a scripted service takes the place of the network. It costs no time and no credits:

```rust,no_run
#[cfg(feature = \"test-util\")]
async fn what_is_missing_is_an_error() -> Result<(), {name}::Error> {{
    use {name}::testing::{{Reply, Script}};
    use {name}::{{Client, StatusCode}};

    let script = Script::new([Reply::new(404, \"{{}}\")]);
    let client = Client::builder(\"https://api.example.com\"){key}.transport(script.clone()).build()?;
    let error = client.{call}.send().await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
    assert_eq!(script.sent().len(), 1);
    Ok(())
}}
```
"
    )
}

/// What holds for all calls.
pub(super) fn defaults() -> String {
    format!(
        "
The root of the crate has what most programs name, and modules have the rest: [`operations`] the builders, [`error`] what the variants of an
error hold, [`money`] quotes and calls at risk, [`account`] one budget for many processes, [`paging`], [`waiting`] and [`stream`] the streams,
[`request`] and [`response`] what is sent and received, [`values`] dates and numbers that are texts, [`credentials`], [`transport`], [`drift`],
and `testing` with the feature `test-util`.

## Defaults

[`ClientBuilder`] lists the defaults in one table: timeouts, sizes, calls in flight, proxy and headers. Every response keeps the bytes it was
read from ([`Response::raw`]). Unknown fields are ignored, and unknown enum values are kept as `Unrecognized`. A record that does not decode is
among the `rejects` of its [`Records`], and the others arrive. `Response::drift` lists what a response has and the document lacks.

Calls and attempts are spans of `tracing`, and retries, cool-downs and unknown prices are events; their targets begin with `metered_client`,
whose documentation lists all names and fields. None shows an argument or the key.

The crate needs Rust {RUST_VERSION} and Tokio.
"
    )
}
