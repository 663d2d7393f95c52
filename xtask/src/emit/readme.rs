//! The README of the generated crate, which is also its front page in rustdoc.

use super::access;
use crate::names;
use crate::openapi::Model;

/// Where the differences from the published document are listed, for a crate that has any.
const FROM_OVERRIDES: &str = "Generated from the provider's OpenAPI document and from overrides that
correct or complete it. OVERRIDES.md lists every difference, and the documentation of a field says how far to trust it.";
const AS_PUBLISHED: &str = "Generated from the provider's OpenAPI document.";

pub(crate) fn emit(model: &Model, has_overrides: bool) -> String {
    let package = &model.package;
    let crate_name = package.name.replace('-', "_");
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

```no_run
# async fn example() -> Result<(), {crate_name}::Error> {{
let client = {crate_name}::Client::from_env()?;
# let _ = client;
# Ok(()) }}
```

{access}

| method | request | what it returns |{feature}
|---|---|---|{line}
{rows}
Every response keeps the bytes it was read from (`Response::raw`) and says what it cost
(`Response::meta.reported_charge`). Unknown fields are ignored, and unknown enum values are kept as `Unrecognized`. A
record that does not decode is among the `rejects` of its [`Records`], and the others arrive.
"#,
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
