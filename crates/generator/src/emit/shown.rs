//! The sections of a README that show one thing that the document has, each with an example that compiles.

use openapi_model::Model;

use crate::operations::{DocumentedError, Shown, Stream, shown};

pub(super) fn sections(model: &Model, name: &str) -> String {
    let shown = shown(model);
    [
        documented(name, &shown),
        union(name, &shown),
        null(name, &shown),
        upload(name, &shown),
        stream(name, &shown),
    ]
    .concat()
}

/// A section with a function that makes a call.
fn section(title: &str, text: &str, name: &str, function: &str, body: &str) -> String {
    let modules = ["operations", "request", "types"];
    let used = modules
        .iter()
        .filter(|module| body.contains(&format!("{module}::")));
    let used: String = used.map(|module| format!(", {module}")).collect();
    format!(
        "
## {title}

{text}

```rust,no_run
use {name}::{{Client, Error{used}}};

async fn {function}(client: Client) -> Result<(), Error> {{
{body}    Ok(())
}}
```
"
    )
}

fn documented(name: &str, shown: &Shown) -> String {
    let Some(DocumentedError { call, type_name }) = &shown.error else {
        return String::new();
    };
    let body = format!(
        "    if let Err(error) = client.{call}.send().await {{
        match error.documented::<types::{type_name}>() {{
            Some(documented) => println!(\"{{documented:?}}\"),
            None => return Err(error),
        }}
    }}
"
    );
    let text = "`documented` reads the body of an error, if the document has this type for the operation and the status code.";
    section("Documented errors", text, name, "look_closer", &body)
}

fn union(name: &str, shown: &Shown) -> String {
    let Some(union) = &shown.union else {
        return String::new();
    };
    let ty = &union.type_name;
    let arms = union.variants.iter().take(2).map(|variant| {
        format!("        types::{ty}::{variant}(value) => println!(\"{{value:?}}\"),\n")
    });
    let body = format!(
        "    match client.{}.send().await?.body {{\n{}        other => println!(\"{{other:?}}\"),\n    }}\n",
        union.call,
        arms.collect::<String>()
    );
    let text = "A value of one of several schemas is an enum; `From` makes it of a variant's value. `Unrecognized` keeps a value of none of them.";
    section("One of several", text, name, "tell_apart", &body)
}

fn null(name: &str, shown: &Shown) -> String {
    let Some(call) = &shown.cleared else {
        return String::new();
    };
    let text = "A property that is not set is not sent. `clear_…` sends null.";
    let body = format!("    client.{call}.send().await?;\n");
    section("Null", text, name, "clear", &body)
}

fn upload(name: &str, shown: &Shown) -> String {
    let Some(call) = &shown.upload else {
        return String::new();
    };
    let text = "A file is read while it is sent. Bytes in memory can be sent too: `From` makes a body or a part of them.";
    let body = format!("    client.{call}.send().await?;\n");
    section("Uploads", text, name, "upload", &body)
}

fn stream(name: &str, shown: &Shown) -> String {
    let Some(Stream { call, is_typed }) = &shown.stream else {
        return String::new();
    };
    let (text, parts) = if *is_typed {
        (
            "`send_stream` returns when the head of the response has arrived. `items()` decodes what follows.",
            ".items()",
        )
    } else {
        (
            "`send_stream` returns when the head of the response has arrived. Its bytes follow as they come; `copy_to` writes them.",
            "",
        )
    };
    let shown = if *is_typed {
        "println!(\"{:?}\", part?);"
    } else {
        "println!(\"{} bytes\", part?.len());"
    };
    let body = format!(
        "    let mut parts = client.{call}.send_stream().await?{parts};
    while let Some(part) = parts.next().await {{
        {shown}
    }}
"
    );
    section("Streams", text, name, "follow", &body)
}
