//! The guide of a crate, for its README: the first call, errors, pages, money and tests, each with an example that compiles.

use openapi_model::{Carrier, Detection, Model, PageStyle, Pages, Scheme, names};

use super::cargo_toml::RUST_VERSION;
use crate::operations::{has_credentials, paged_samples, sample};

/// Operations that page for one reason, of which so many are named.
const NAMED: usize = 5;

/// The sections that lead to a first program.
pub(super) fn emit(model: &Model) -> String {
    let name = model.package.name.replace('-', "_");
    let call = sample(model).map(|sample| sample.call);
    let call = call.as_deref();
    [
        first_call(model, &name, call),
        errors(model, &name, call),
        pages(model, &name),
        money(model, &name, call),
        tests(model, &name, call),
    ]
    .concat()
}

fn first_call(model: &Model, name: &str, call: Option<&str>) -> String {
    let outcome = match model.is_metered {
        true => "    println!(\"{:?}\", response.outcome());   // what it cost\n",
        false => "",
    };
    let prelude = match model.is_metered && call.is_some() {
        true => format!("use {name}::prelude::*;\n"),
        false => String::new(),
    };
    let call = call.map_or(String::new(), |call| {
        format!(
            "    let response = client.{call}.send().await?;\n    println!(\"{{:?}}\", response.body);\n{outcome}"
        )
    });
    let client = match call.is_empty() {
        true => "_client",
        false => "client",
    };
    format!(
        "## First call

```rust,no_run
{prelude}use {name}::{{Client, Error}};

async fn first() -> Result<(), Error> {{
    let {client} = Client::from_env()?;
{call}    Ok(())
}}
```
"
    )
}

fn pages(model: &Model, name: &str) -> String {
    let samples = paged_samples(model);
    let Some((_, sample)) = samples.first() else {
        return String::new();
    };
    let ways = samples.iter().filter(|_| samples.len() > 1);
    let ways = ways.map(|(way, sample)| format!("| `client.{}.items()` | {way} |\n", sample.call));
    let ways = match ways.collect::<String>() {
        rows if rows.is_empty() => rows,
        rows => format!("\n| A call | The next page is asked for by |\n|---|---|\n{rows}"),
    };
    let by_offset = |pages: &Pages| matches!(pages.style, PageStyle::Offset { .. });
    let resume = match model.pages.iter().all(by_offset) {
        true => "resume_offset",
        false => "position",
    };
    let (billed, bounds) = match model.is_metered {
        true => (
            ", and billed,",
            format!(
                "`take` bounds the records, `at_most` the credits, and `quote()` says what a run may cost. An error that ends the stream says where to resume:\n\
                 `Error::{resume}`."
            ),
        ),
        false => (
            "",
            format!(
                "`take` bounds the records. An error that ends the stream says where to resume: `Error::{resume}`."
            ),
        ),
    };
    format!(
        "
## Pages

`items()` is a stream of records, and `pages()` one of responses. A page is requested{billed} when the stream needs it.

```rust,no_run
async fn read(client: {name}::Client) -> Result<(), {name}::Error> {{
    let mut items = client.{call}.items().take(100);
    while let Some(item) = items.next().await {{
        println!(\"{{:?}}\", item?);
    }}
    Ok(())
}}
```

{bounds}
{ways}{found}",
        call = sample.call,
        found = detected(model)
    )
}

/// Names the operations whose paging was detected without an extension, by the reason.
fn detected(model: &Model) -> String {
    let reasons = Detection::by_reason(&model.detections).into_iter();
    let lines = reasons.filter_map(|found| {
        let Detection { reason, .. } = found.first().filter(|one| one.doubt.is_none())?;
        let first = found
            .iter()
            .take(NAMED)
            .map(|one| format!("`{}`", one.operation));
        let first = first.collect::<Vec<_>>().join(", ");
        let more = match found.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("- {first}{more}: {reason}\n"))
    });
    let lines: String = lines.collect();
    match lines.is_empty() {
        true => lines,
        false => format!(
            "
Parameters and responses that agree say so of these operations, without an extension in the document. `x-pagination: false` in an
override takes it back.

{lines}"
        ),
    }
}

fn money(model: &Model, name: &str, call: Option<&str>) -> String {
    if !model.is_metered {
        return String::new();
    }
    let call = call.map_or(String::new(), |call| {
        format!("    client.{call}.send().await?;\n")
    });
    format!(
        "
## Budget

```rust,no_run
use {name}::prelude::*;
use {name}::{{Client, Credits, Error}};

async fn spend() -> Result<(), Error> {{
    let client = Client::builder_from_env()?.budget(Credits::new(25)).build()?;
{call}    println!(\"{{:?}}\", client.ledger().usage());   // spent, reserved, at risk
    Ok(())
}}
```

Each attempt reserves its price first; one that does not fit is not sent. `client.scoped(credits)` is a client with a part of the budget. A
call of unknown price reserves all that is left, unless `assume_price` says how much. A paid call is attempted again only when a second charge
is impossible; [`Outcome`] has the table.
"
    )
}

fn errors(model: &Model, name: &str, call: Option<&str>) -> String {
    let Some(call) = call else {
        return String::new();
    };
    let of_money = match model.is_metered {
        true => {
            "        Err(error) if error.budget().is_some() => return Err(error),      // nothing was sent
        Err(error) if error.may_have_been_charged() => {
            eprintln!(\"{error}: {:?}\", error.outcome());
            eprintln!(\"{:?}\", error.body());                          // paid bytes are kept
        }
"
        }
        false => "",
    };
    let prelude = match model.is_metered {
        true => format!("use {name}::prelude::*;\n"),
        false => String::new(),
    };
    format!(
        "
## Errors

```rust,no_run
{prelude}use {name}::{{Client, Error, StatusCode}};

async fn look(client: Client) -> Result<(), Error> {{
    match client.{call}.send().await {{
        Ok(response) => println!(\"{{:?}}\", response.body),
        Err(error) if error.status() == Some(StatusCode::NOT_FOUND) => println!(\"there is none\"),
{of_money}        Err(error) => return Err(error),
    }}
    Ok(())
}}
```
"
    )
}

/// An example for a client of one key, or of several credentials at one address. It has each credential of the API: which of them the call takes, its operation says.
fn tests(model: &Model, name: &str, call: Option<&str>) -> String {
    let has_own_address = has_credentials(model) && !model.servers.own.is_empty();
    let Some(call) = call.filter(|_| !has_own_address) else {
        return String::new();
    };
    let given: String = match model.auth.simple() {
        Some(_) => ".api_key(\"k\")".to_owned(),
        None => model.auth.schemes.iter().map(credential).collect(),
    };
    let import = match has_credentials(model) {
        true => "Client, StatusCode, credentials",
        false => "Client, StatusCode",
    };
    // A chain of several calls has a line for each.
    let client = match given.contains('\n') {
        true => format!("{given}\n        .transport(script.clone())\n        .build()?"),
        false => format!("{given}.transport(script.clone()).build()?"),
    };
    let costs = match model.is_metered {
        true => "It costs no time and no credits",
        false => "It takes no time",
    };
    format!(
        "
## Tests of your program

With the feature `test-util`, a scripted service takes the place of the network. {costs}:

```rust,no_run
#[cfg(feature = \"test-util\")]
async fn what_is_missing_is_an_error() -> Result<(), {name}::Error> {{
    use {name}::testing::{{Reply, Script}};
    use {name}::{{{import}}};

    let script = Script::new([Reply::new(404, \"{{}}\")]);
    let client = Client::builder(\"https://api.example.com\"){client};
    let error = client.{call}.send().await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
    assert_eq!(script.sent().len(), 1);
    Ok(())
}}
```
"
    )
}

/// The line that gives a made-up credential of a scheme.
fn credential(scheme: &Scheme) -> String {
    let name = names::ident(&scheme.rust_name);
    let values = match scheme.carrier {
        Carrier::Basic => "\"user\", \"k\"",
        _ => "\"k\"",
    };
    format!("\n        .credential(credentials::{name}({values}))")
}

/// Returns the defaults of all calls.
pub(super) fn defaults(model: &Model) -> String {
    let (modules, events) = match model.is_metered {
        true => (
            "[`money`] quotes and calls at risk, [`account`] one budget for many processes, [`paging`], [`waiting`] and [`stream`] the streams,\n",
            "retries, cool-downs and unknown prices are events",
        ),
        false => (
            "[`paging`], [`waiting`] and [`stream`] the streams,\n",
            "retries and cool-downs are events",
        ),
    };
    format!(
        "
The root of the crate has what most programs name, and modules have the rest: [`operations`] the builders, [`error`] what the variants of an
error hold, {modules}[`request`] and [`response`] what is sent and received, [`values`] dates and numbers that are texts, [`credentials`], [`transport`], [`drift`],
and `testing` with the feature `test-util`.

## Defaults

[`ClientBuilder`] lists the defaults in one table: timeouts, sizes, calls in flight, proxy and headers. Every response keeps the bytes it was
read from ([`Response::raw`]). Unknown fields are ignored, and unknown enum values are kept as `Unrecognized`. A record that does not decode is
among the `rejects` of its [`Records`], and the others arrive. `Response::drift` lists what a response has and the document lacks.

Calls and attempts are spans of `tracing`, and {events}; their targets begin with `generated_client`,
whose documentation lists all names and fields. None shows an argument or the key.

The crate needs Rust {RUST_VERSION} and Tokio.
"
    )
}
