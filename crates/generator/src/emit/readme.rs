//! The README of the generated crate, which is also its front page in rustdoc.

use openapi_model::Model;

use super::left_out::one_line;
use super::parts::Parts;
use super::{access, catalogue, guide};

/// The origin of a crate with overrides.
const FROM_OVERRIDES: &str = "Generated from the provider's OpenAPI document and from overrides that
correct or complete it. OVERRIDES.md lists them, and the documentation of a field links to its entry.";
const AS_PUBLISHED: &str = "Generated from the provider's OpenAPI document.";

pub(crate) fn emit(model: &Model, has_overrides: bool, parts: &Parts) -> String {
    let package = &model.package;
    format!(
        r#"# {name}

{description}, interface version {version}. {origin}

```text
{add}
cargo add tokio --features macros,rt-multi-thread
```

{guide}
## Address and credentials

{access}

## Operations

{operations}
Required parameters and a required body are arguments of the method. The builder that it returns has setters for optional ones, and call options such
as `deadline`, `retry` and `header`.
{defaults}"#,
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
        operations = catalogue::emit(model),
        guide = guide::emit(model),
        defaults = guide::defaults(parts),
        access = access::emit(model),
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
