//! The guide of a crate, for its README: the first call, errors, pages, money and tests, each with an example that compiles.

use openapi_model::{Carrier, Detection, Model, PageStyle, Scheme, names};

use super::cargo_toml::RUST_VERSION;
use super::parts::Parts;
use super::shown;
use crate::operations::{has_credentials, paged_samples, sample};

/// The number of operations that are named for each reason of paging.
const NAMED: usize = 5;

/// The sections that lead to a first program.
pub(super) fn emit(model: &Model, parts: &Parts) -> String {
    let name = model.package.name.replace('-', "_");
    let call = sample(model).map(|sample| sample.call);
    let call = call.as_deref();
    let shown = shown::sections(model, &name);
    [
        first_call(model, &name, call),
        errors(model, &name, call),
        shown,
        pages(model, &name),
        money(model).to_owned(),
        if parts.has("test-util") {
            tests(model, &name, call)
        } else {
            String::new()
        },
    ]
    .concat()
}

fn first_call(model: &Model, name: &str, call: Option<&str>) -> String {
    let (imported, built, outcome) = if model.is_metered {
        (
            "Client, Credits, Error",
            "Client::builder_from_env()?.budget(Credits::new(25)).build()?",
            "    println!(\"{:?}\", response.outcome());          // what it cost\n    \
             println!(\"{:?}\", client.budget().usage());     // spent, reserved, at risk\n",
        )
    } else {
        ("Client, Error", "Client::from_env()?", "")
    };
    let call = call.map_or(String::new(), |call| {
        format!(
            "    let response = client.{call}.send().await?;\n    println!(\"{{:?}}\", response.body);\n{outcome}"
        )
    });
    let client = if call.is_empty() { "_client" } else { "client" };
    format!(
        "## First call

```rust,no_run
use {name}::{{{imported}}};

async fn first() -> Result<(), Error> {{
    let {client} = {built};
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
    let styles = samples.iter().filter(|_| samples.len() > 1);
    let styles =
        styles.map(|(style, sample)| format!("| `client.{}.items()` | {style} |\n", sample.call));
    let styles = match styles.collect::<String>() {
        rows if rows.is_empty() => rows,
        rows => format!("\n| Call | The next page is requested by |\n|---|---|\n{rows}"),
    };
    let mut styles_of_pages = model.pages.iter().map(|pages| &pages.style);
    let resume = if styles_of_pages.all(|style| matches!(style, PageStyle::Offset { .. })) {
        "resume_offset"
    } else {
        "position"
    };
    let mut styles_of_pages = model.pages.iter().map(|pages| &pages.style);
    let has_links = styles_of_pages
        .any(|style| matches!(style, PageStyle::Link { .. } | PageStyle::LinkHeader { .. }));
    let by_hand = if has_links {
        " A link can be\nfollowed by hand, too: `client.raw(Method::GET, \"/\").link(next)`."
    } else {
        ""
    };
    let (billed, bounds) = if model.is_metered {
        (
            ", and billed,",
            format!(
                "`take` limits the records, `at_most` the credits, and `quote()` returns the maximum cost. After an error, resume at `Error::{resume}`."
            ),
        )
    } else {
        (
            "",
            format!("`take` limits the records. After an error, resume at `Error::{resume}`."),
        )
    };
    format!(
        "
## Pages

`items()` streams records, and `pages()` responses. A page is requested{billed} only when the stream needs it.

```rust,no_run
async fn read(client: {name}::Client) -> Result<(), {name}::Error> {{
    let mut items = client.{call}.items().take(100);
    while let Some(item) = items.next().await {{
        println!(\"{{:?}}\", item?);
    }}
    Ok(())
}}
```

{bounds}{by_hand}
{styles}{found}",
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
    if lines.is_empty() {
        lines
    } else {
        format!(
            "
The paging of these operations was detected from their parameters and responses. `x-pagination: false` in an override disables it.

{lines}"
        )
    }
}

fn money(model: &Model) -> &'static str {
    if !model.is_metered {
        return "";
    }
    "
## Budget

Each attempt reserves its price before it is sent, and fails if the budget is too small. `client.scoped(credits)` is a client with a part of the budget.
A call without a known price reserves an estimate, or what `assume_price` states. Paid calls are retried only if a second charge is impossible;
[`Outcome`] has the table.
"
}

fn errors(model: &Model, name: &str, call: Option<&str>) -> String {
    let Some(call) = call else {
        return String::new();
    };
    let of_money = if model.is_metered {
        "        Err(error) if error.budget().is_some() => return Err(error),      // nothing was sent
        Err(error) if error.may_have_been_charged() => {
            eprintln!(\"{error}: {:?}\", error.outcome());
            eprintln!(\"{:?}\", error.body());                          // the paid bytes
        }
"
    } else {
        ""
    };
    format!(
        "
## Errors

```rust,no_run
use {name}::{{Client, Error, StatusCode}};

async fn look(client: Client) -> Result<(), Error> {{
    match client.{call}.send().await {{
        Ok(response) => println!(\"{{:?}}\", response.body),
        Err(error) if error.status() == Some(StatusCode::NOT_FOUND) => println!(\"not found\"),
{of_money}        Err(error) => return Err(error),
    }}
    Ok(())
}}
```
"
    )
}

/// An example for a client of one key, or of several credentials at one address. It has each credential of the API, and the call uses those of its operation.
fn tests(model: &Model, name: &str, call: Option<&str>) -> String {
    let has_own_address = has_credentials(model) && !model.servers.own.is_empty();
    let Some(call) = call.filter(|_| !has_own_address) else {
        return String::new();
    };
    let given: String = match model.auth.simple() {
        Some(_) => ".api_key(\"k\")".to_owned(),
        None => model.auth.schemes.iter().map(credential).collect(),
    };
    let import = if has_credentials(model) {
        "Client, StatusCode, credentials"
    } else {
        "Client, StatusCode"
    };
    // A chain of several calls has a line for each.
    let client = if given.contains('\n') {
        format!("{given}\n        .transport(script.clone())\n        .build()?")
    } else {
        format!("{given}.transport(script.clone()).build()?")
    };
    let costs = if model.is_metered {
        "It costs no time and no credits"
    } else {
        "It takes no time"
    };
    format!(
        "
## Testing your program

The feature `test-util` replaces the network with a scripted service. {costs}:

```rust,no_run
#[cfg(feature = \"test-util\")]
async fn a_missing_resource_is_an_error() -> Result<(), {name}::Error> {{
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

/// The defaults of all calls.
pub(super) fn defaults(parts: &Parts) -> String {
    let records = if parts.has("records") {
        " Records that do not decode\nare in `rejects` of [`Records`]."
    } else {
        ""
    };
    let drift = if parts.has("drift") {
        " `Response::drift` lists differences from the document."
    } else {
        ""
    };
    format!(
        "
The documentation is a guide that begins at [`request`]: each page leads to the next one.

## Defaults

[`ClientBuilder`] lists the defaults. Every response keeps its raw bytes ([`Response::raw`]). A missing string or list is empty; a number, a boolean,
a date or an identifier is never made up. Unknown fields are ignored, and unknown enum values are kept as `Unrecognized`.{records}{drift}

Calls and attempts are spans of `tracing`, without arguments and keys; their targets begin with `generated_client`. The crate needs Rust {RUST_VERSION}
and Tokio.
"
    )
}
