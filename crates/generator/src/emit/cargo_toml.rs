//! The manifest of the generated crate.

use openapi_model::Model;

use super::features;
use super::packaging::{Packaging, Standalone};
use crate::operations;

/// What the workspace gives its members, for a crate that has none. A test compares both.
const EDITION: &str = "2024";
pub(super) const RUST_VERSION: &str = "1.88";
const RUNTIME: &str = "metered-client";
const RUNTIME_VERSION: &str = "0.1.0";
const SERDE: &str = r#"{ version = "1", features = ["derive"] }"#;
const SERDE_JSON: &str = r#""1""#;

/// The features of a crate whose calls cost credits.
const METERED: &str = r#"# One budget for many processes, kept in Redis or Valkey, and periods of it.
redis = ["metered-client/redis"]
redis-tls = ["metered-client/redis-tls"]
periods = ["metered-client/periods"]
# Counters of what calls cost.
metrics = ["metered-client/metrics"]
"#;

pub(super) fn emit(model: &Model, packaging: &Packaging) -> String {
    let package = &model.package;
    let has_patterns = operations::has_patterns(model);
    let (inherited, dependencies) = match packaging {
        Packaging::Workspace => workspace(package.publish, has_patterns),
        Packaging::Standalone(standalone) => alone(standalone, has_patterns),
    };
    format!(
        r#"[package]
name = {name}
version = {version}
description = {description}
{documentation}keywords = ["api", "client", "openapi"]
categories = ["api-bindings", "web-programming::http-client"]
{inherited}
[package.metadata.docs.rs]
all-features = true
rustdoc-args = ["--cfg", "docsrs"]

[[bin]]
name = {name}
path = "src/main.rs"
required-features = ["cli"]
doc = false

[features]
default = [{default}]
# TLS by rustls, with its default provider.
rustls = ["metered-client/rustls"]
# TLS by rustls, with the provider that the caller installs.
rustls-no-provider = ["metered-client/rustls-no-provider"]
# Compressed responses, and HTTP/2, for clients that ask for them.
compression = ["metered-client/compression"]
http2 = ["metered-client/http2"]
# Services and layers of tower as transports.
tower = ["metered-client/tower"]
# The command line.
cli = ["metered-client/cli"]
# Conversions of dates to and from the types of these crates.
chrono = ["metered-client/chrono"]
jiff = ["metered-client/jiff"]
# Conversions of UUIDs to and from the type of this crate.
uuid = ["metered-client/uuid"]
{metered}# For tests: a scripted service, and tokio's clock that can be paused.
test-util = ["metered-client/test-util"]
{groups}
[dependencies]
{dependencies}"#,
        name = toml_string(&package.name),
        default = features::default(model),
        documentation = documentation(model),
        metered = if model.is_metered { METERED } else { "" },
        groups = features::manifest(model),
        version = toml_string(&package.version),
        description = toml_string(&package.description),
    )
}

/// The link to docs.rs, of a crate that may be published.
fn documentation(model: &Model) -> String {
    let package = &model.package;
    let address = toml_string(&format!("https://docs.rs/{}", package.name));
    match package.publish {
        true => format!("documentation = {address}\n"),
        false => String::new(),
    }
}

/// The lines of a member of the workspace.
fn workspace(publish: bool, has_patterns: bool) -> (String, String) {
    let publish = if publish { "" } else { "publish = false\n" };
    let inherited = format!(
        "edition.workspace = true\n\
         license.workspace = true\n\
         rust-version.workspace = true\n\
         readme = \"README.md\"\n\
         {publish}\n\
         [lints]\n\
         workspace = true\n"
    );
    let runtime = match has_patterns {
        true => format!("{RUNTIME} = {{ workspace = true, features = [\"patterns\"] }}\n"),
        false => format!("{RUNTIME}.workspace = true\n"),
    };
    let others = ["serde", "serde_json"].map(|name| format!("{name}.workspace = true\n"));
    (inherited, runtime + &others.concat())
}

/// The same lines written out.
fn alone(standalone: &Standalone, has_patterns: bool) -> (String, String) {
    let inherited = format!(
        "edition = \"{EDITION}\"\n\
         rust-version = \"{RUST_VERSION}\"\n\
         readme = \"README.md\"\n"
    );
    let path = standalone
        .runtime
        .as_deref()
        .map(|path| format!(", path = {}", toml_string(path)))
        .unwrap_or_default();
    let features = if has_patterns {
        ", features = [\"patterns\"]"
    } else {
        ""
    };
    let dependencies = format!(
        "{RUNTIME} = {{ version = \"{RUNTIME_VERSION}\"{path}, default-features = false{features} }}\n\
         serde = {SERDE}\n\
         serde_json = {SERDE_JSON}\n"
    );
    (inherited, dependencies)
}

fn toml_string(text: &str) -> String {
    // JSON's escapes are a subset of those of a basic TOML string, which has to escape DEL too.
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{7f}', "\\u007f")
}
