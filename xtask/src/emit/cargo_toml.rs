//! The manifest of the generated crate.

use crate::openapi::Model;

pub(super) fn emit(model: &Model) -> String {
    let package = &model.package;
    format!(
        r#"[package]
name = {name}
version = {version}
description = {description}
edition.workspace = true
license.workspace = true
rust-version.workspace = true
readme = "README.md"
{publish}
[lints]
workspace = true

[features]
default = ["rustls"]
# TLS by rustls, with its default provider.
rustls = ["metered-client/rustls"]
# TLS by rustls, with the provider that the caller installs.
rustls-no-provider = ["metered-client/rustls-no-provider"]
# Conversions of dates to the types of these crates.
chrono = ["metered-client/chrono"]
jiff = ["metered-client/jiff"]
# For tests: a scripted service, and tokio's clock that can be paused.
test-util = ["metered-client/test-util"]

[dependencies]
metered-client.workspace = true
serde.workspace = true
serde_json.workspace = true
"#,
        name = toml_string(&package.name),
        version = toml_string(&package.version),
        description = toml_string(&package.description),
        publish = if package.publish {
            ""
        } else {
            "publish = false\n"
        },
    )
}

fn toml_string(text: &str) -> String {
    // JSON's escapes are a subset of those of a basic TOML string.
    serde_json::Value::from(text).to_string()
}
