//! The README of the generated crate, which is also its front page in rustdoc.

use openapi_model::Model;
use openapi_model::names;

use super::{access, guide};

/// Where the differences from the published document are listed, for a crate that has any.
const FROM_OVERRIDES: &str = "Generated from the provider's OpenAPI document and from overrides that
correct or complete it. OVERRIDES.md lists every difference, and the documentation of a field says how far to trust it.";
const AS_PUBLISHED: &str = "Generated from the provider's OpenAPI document.";

pub(crate) fn emit(model: &Model, has_overrides: bool) -> String {
    let package = &model.package;
    let mut rows = String::new();
    for operation in &model.operations {
        let what = operation
            .text
            .first()
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .unwrap_or_default();
        let feature = model.feature(operation);
        let feature = match (model.groups.is_empty(), feature) {
            (true, _) => String::new(),
            (false, None) => " |".to_owned(),
            (false, Some(feature)) => format!(" `{feature}` |"),
        };
        rows.push_str(&format!(
            "| `{}` | `{} {}` | {} |{feature}\n",
            names::snake(&operation.rust_name),
            operation.method,
            operation.path,
            what.replace('|', "\\|")
        ));
    }
    let (feature, line) = match model.groups.is_empty() {
        true => ("", ""),
        false => (" feature |", "---|"),
    };
    format!(
        r#"# {name}

{description}, interface version {version}. {origin}

```text
cargo add {name} --path PATH    # or --git URL: the crate is on no registry
cargo add tokio --features macros,rt-multi-thread
```

{guide}
## Address and credentials

{access}

## Operations

| method | request | what it returns |{feature}
|---|---|---|{line}
{rows}
Each is a method of [`Client`], and returns a builder: required parameters are its arguments, optional ones are setters, and `send` makes the
call.
{defaults}"#,
        guide = guide::emit(model),
        defaults = guide::defaults(),
        access = access::emit(model),
        origin = if has_overrides {
            FROM_OVERRIDES
        } else {
            AS_PUBLISHED
        },
        name = package.name,
        description = package.description,
        version = model.version,
    )
}
