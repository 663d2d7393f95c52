//! The README of the generated crate, which is also its front page in rustdoc.

use openapi_model::Model;

use super::cargo_toml::RUST_VERSION;
use super::left_out::one_line;
use super::parts::Parts;
use super::{access, catalogue, guide};

/// The origin of a crate with overrides.
const FROM_OVERRIDES: &str = "Generated from the provider's OpenAPI document and from overrides that
correct or complete it. OVERRIDES.md lists them, and the documentation of a field links to its entry.";
const AS_PUBLISHED: &str = "Generated from the provider's OpenAPI document.";

pub(crate) fn emit(model: &Model, has_overrides: bool, parts: &Parts) -> String {
    let start = start(model, has_overrides);
    if model.package.types_only {
        return format!("{start}```\n{}", types(model));
    }
    format!(
        r#"{start}cargo add tokio --features macros,rt-multi-thread
```

{guide}
## Address and credentials

{access}

## Operations

{operations}
Required parameters and a required body are arguments of the method. Optional ones, and call options such as `deadline`, are setters of its builder.
{defaults}"#,
        operations = catalogue::emit(model),
        guide = guide::emit(model),
        defaults = guide::defaults(parts),
        access = access::emit(model),
    )
}

/// The title, and how the crate is added; the code block is open.
fn start(model: &Model, has_overrides: bool) -> String {
    let package = &model.package;
    format!(
        r#"# {name}

{description}, interface version {version}. {origin}

```text
{add}
"#,
        add = if package.publish {
            format!(
                "cargo add {}    # with --path PATH or --git URL if it is not published",
                package.name
            )
        } else {
            format!(
                "cargo add {} --path PATH    # or --git URL: the crate is on no registry",
                package.name
            )
        },
        origin = if has_overrides {
            FROM_OVERRIDES
        } else {
            AS_PUBLISHED
        },
        name = package.name,
        description = one_line(&package.description),
        version = one_line(&model.version),
    )
}

/// The section of a crate of the types alone.
fn types(model: &Model) -> String {
    let mut visible = model.schemas.iter().filter(|schema| schema.is_visible);
    let example = visible.find(|schema| !schema.properties().is_empty());
    let example = example.map_or_else(String::new, |schema| {
        format!(
            "

```rust
use {package}::types::{name};

fn read(body: &str) -> serde_json::Result<{name}> {{
    serde_json::from_str(body)
}}
```",
            package = model.package.name.replace('-', "_"),
            name = schema.name,
        )
    });
    format!(
        "
## Types

The crate has the types of requests and responses, and no client. Serde reads and writes them.{example}

A missing string or list is empty; a missing number, boolean, date or identifier is never made up. Unknown fields are ignored, and unknown enum values
are `Unrecognized`. The crate needs Rust {RUST_VERSION}.
"
    )
}
