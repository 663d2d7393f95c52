//! The guide of a crate, for its README: the first call, pages and money, with examples that compile.

use openapi_document::readable::listed;
use openapi_model::{Detection, Model, PageStyle};

use super::cargo_toml::RUST_VERSION;
use super::parts::Parts;
use super::shown;
use crate::operations::{paged_samples, sample};

/// The number of operations that are named for each reason of paging.
const NAMED: usize = 5;

/// The sections that lead to a first program.
pub(super) fn emit(model: &Model) -> String {
    let name = model.package.name.replace('-', "_");
    let call = sample(model).map(|sample| sample.call);
    let call = call.as_deref();
    let shown = shown::sections(model, &name);
    [
        first_call(model, &name, call),
        shown,
        pages(model, &name),
        money(model).to_owned(),
    ]
    .concat()
}

fn first_call(model: &Model, name: &str, call: Option<&str>) -> String {
    let built = if model.is_metered {
        "Client::builder_from_env()?.budget(Credits::new(25)).build()?"
    } else {
        "Client::from_env()?"
    };
    let credits = if model.is_metered { "Credits, " } else { "" };
    let (client, status_code, handled) = match call {
        Some(call) => ("client", ", StatusCode", handled(call, model.is_metered)),
        None => ("_client", "", String::new()),
    };
    format!(
        "## First call

```rust,no_run
use {name}::{{Client, {credits}Error{status_code}}};

async fn first() -> Result<(), Error> {{
    let {client} = {built};
{handled}    Ok(())
}}
```
"
    )
}

/// Returns the lines that make a call, and handle its errors.
fn handled(call: &str, is_metered: bool) -> String {
    let (of_money, usage) = if is_metered {
        (
            "        Err(error) if error.budget().is_some() => return Err(error),      // nothing was sent
        Err(error) if error.may_have_been_charged() => {
            eprintln!(\"{error}: {:?}\", error.outcome());
            eprintln!(\"{:?}\", error.body());                          // the paid bytes
        }
",
            "    println!(\"{:?}\", client.budget().usage());     // spent, reserved, at risk\n",
        )
    } else {
        ("", "")
    };
    format!(
        "    match client.{call}.send().await {{
        Ok(response) => println!(\"{{:?}}\", response.body),
        Err(error) if error.status() == Some(StatusCode::NOT_FOUND) => println!(\"not found\"),
{of_money}        Err(error) => return Err(error),
    }}
{usage}"
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
    let lines = reasons.map(|(reason, found)| format!("- {}: {reason}\n", listed(&found, NAMED)));
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

A call fails before it is sent if its price does not fit into the budget. A call without a known price reserves an estimate, or what `assume_price`
states. `client.scoped(credits)` has a part of the budget. Paid calls are retried only if a second charge is impossible: see [`Outcome`].
"
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
## Defaults

[`ClientBuilder`] lists the defaults. The documentation is a guide that begins at [`request`]. The crate needs Rust {RUST_VERSION} and Tokio.

Every response keeps its raw bytes. A missing string or list is empty; a missing number, boolean, date or identifier is never made up. Unknown fields
are ignored, and unknown enum values are `Unrecognized`.{records}{drift}

Targets of `tracing` begin with `generated_client`. Spans contain no arguments and no keys.
"
    )
}
