//! The manifest of the generated crate.

use std::collections::BTreeSet;

use openapi_model::extensions::{Metadata, Package};
use openapi_model::{Model, TextFormat};

use super::features;
use super::packaging::{Packaging, Runtime};
use crate::operations;

/// What the workspace gives its members, for a crate that has none. A test compares both.
const EDITION: &str = "2024";
pub(super) const RUST_VERSION: &str = "1.88";
/// The version of the runtime that emitted code is written for.
pub const RUNTIME_VERSION: &str = "0.1.0";
const SERDE: &str = r#"{ version = "1", features = ["derive"] }"#;
const SERDE_JSON: &str = r#""1""#;

/// The features of a crate whose calls cost credits.
const METERED: &str = r#"# One budget for many processes, kept in Redis or Valkey, and periods of it.
redis = ["metered-client/redis", "generated-cli?/redis"]
redis-tls = ["metered-client/redis-tls"]
periods = ["metered-client/periods"]
# Counters of what calls cost.
metrics = ["metered-client/metrics"]
"#;

pub(super) fn emit(model: &Model, packaging: &Packaging) -> String {
    let package = &model.package;
    let has_patterns = operations::has_patterns(model);
    let types = package.types;
    let formats = [TextFormat::Date, TextFormat::DateTime, TextFormat::Uuid];
    let native = formats.into_iter().filter_map(|one| types.feature(one));
    let patterns = has_patterns.then_some("patterns");
    let features: BTreeSet<&str> = native
        .chain(patterns)
        .filter(|one| !one.is_empty())
        .collect();
    let crates = runtime(model.is_metered, &features);
    let (inherited, dependencies) = match &packaging.runtime {
        Runtime::Workspace => workspace(package, &crates),
        runtime => alone(runtime, package, &crates),
    };
    // Metering has features of its own by these names.
    let (no_provider, test_util) = match model.is_metered {
        true => (
            r#""generated-client/rustls-no-provider", "metered-client/rustls-no-provider""#,
            r#""generated-client/test-util", "metered-client/test-util""#,
        ),
        false => (
            r#""generated-client/rustls-no-provider""#,
            r#""generated-client/test-util""#,
        ),
    };
    format!(
        r#"[package]
name = {name}
version = {version}
description = {description}
{documentation}{metadata}{inherited}
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
rustls = ["generated-client/rustls"]
# TLS by rustls, with the provider that the caller installs.
rustls-no-provider = [{no_provider}]
# Compressed responses, and HTTP/2, for clients that ask for them.
compression = ["generated-client/compression"]
http2 = ["generated-client/http2"]
# Services and layers of tower as transports.
tower = ["generated-client/tower"]
# The command line.
cli = ["dep:generated-cli"]
# Conversions of dates to and from the types of these crates.
chrono = ["generated-client/chrono"]
jiff = ["generated-client/jiff"]
# Conversions of UUIDs to and from the type of this crate.
uuid = ["generated-client/uuid"]
# reqwest, for `ClientBuilder::http`. It is below 1.0: its version may change with any version of this crate.
unstable-reqwest = ["generated-client/unstable-reqwest"]
{metered}# For tests: a scripted service, and tokio's clock that can be paused.
test-util = [{test_util}]
{groups}
[dependencies]
{dependencies}{configured}"#,
        name = toml_string(&package.name),
        default = features::default(model),
        documentation = documentation(model),
        metadata = metadata(&package.metadata),
        metered = if model.is_metered { METERED } else { "" },
        groups = features::manifest(model),
        configured = configured(package),
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

/// What a registry shows beside the description.
fn metadata(metadata: &Metadata) -> String {
    let one = |key: &str, text: &Option<String>| match text {
        Some(text) => format!("{key} = {}\n", toml_string(text)),
        None => String::new(),
    };
    let several = |key: &str, texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| toml_string(text)).collect();
        match texts.is_empty() {
            true => String::new(),
            false => format!("{key} = [{}]\n", texts.join(", ")),
        }
    };
    [
        one("repository", &metadata.repository),
        one("homepage", &metadata.homepage),
        several("authors", &metadata.authors),
        several("keywords", &metadata.keywords),
        several("categories", &metadata.categories),
        one("license", &metadata.license),
        one("license-file", &metadata.license_file),
    ]
    .concat()
}

fn publish(package: &Package) -> &'static str {
    match package.publish {
        true => "",
        false => "publish = false\n",
    }
}

/// A crate of the runtime that the emitted crate depends on.
struct Dependency {
    name: &'static str,
    /// Its folder below that of the runtime.
    folder: &'static str,
    /// What else its line says.
    settings: Vec<String>,
}

/// The crates of the runtime, with the features of the core that the code needs.
fn runtime(is_metered: bool, features: &BTreeSet<&str>) -> Vec<Dependency> {
    let features: Vec<String> = features.iter().map(|one| toml_string(one)).collect();
    let features = (!features.is_empty()).then(|| format!("features = [{}]", features.join(", ")));
    let cli = Dependency {
        name: "generated-cli",
        folder: "cli",
        settings: vec!["optional = true".to_owned()],
    };
    let core = Dependency {
        name: "generated-client",
        folder: "core",
        settings: features.into_iter().collect(),
    };
    let metering = Dependency {
        name: "metered-client",
        folder: "metering",
        settings: Vec::new(),
    };
    [Some(cli), Some(core), is_metered.then_some(metering)]
        .into_iter()
        .flatten()
        .collect()
}

/// The lines of a member of the workspace.
fn workspace(package: &Package, crates: &[Dependency]) -> (String, String) {
    let metadata = &package.metadata;
    let license = match metadata.license.is_some() || metadata.license_file.is_some() {
        true => "",
        false => "license.workspace = true\n",
    };
    let inherited = format!(
        "edition.workspace = true\n\
         {license}\
         rust-version.workspace = true\n\
         readme = \"README.md\"\n\
         {publish}\n\
         [lints]\n\
         workspace = true\n",
        publish = publish(package),
    );
    let line = |one: &Dependency| match one.settings.is_empty() {
        true => format!("{}.workspace = true\n", one.name),
        false => format!(
            "{} = {{ workspace = true, {} }}\n",
            one.name,
            one.settings.join(", ")
        ),
    };
    let runtime: String = crates.iter().map(line).collect();
    let others = ["serde", "serde_json"].map(|name| format!("{name}.workspace = true\n"));
    (inherited, runtime + &others.concat())
}

/// The same lines written out.
fn alone(runtime: &Runtime, package: &Package, crates: &[Dependency]) -> (String, String) {
    let inherited = format!(
        "edition = \"{EDITION}\"\n\
         rust-version = \"{RUST_VERSION}\"\n\
         readme = \"README.md\"\n\
         {publish}",
        publish = publish(package),
    );
    let line = |one: &Dependency| {
        let from = match runtime {
            Runtime::Path(folder) => {
                let path = toml_string(&format!("{folder}/{}", one.folder));
                format!(", path = {path}")
            }
            Runtime::Git { url, tag } => {
                format!(", git = {}, tag = {}", toml_string(url), toml_string(tag))
            }
            Runtime::Workspace | Runtime::Version | Runtime::Vendored(_) => String::new(),
        };
        let settings = one.settings.iter().map(|setting| format!(", {setting}"));
        format!(
            "{} = {{ version = \"{RUNTIME_VERSION}\"{}, default-features = false{} }}\n",
            one.name,
            from,
            settings.collect::<String>(),
        )
    };
    let runtime: String = crates.iter().map(line).collect();
    (
        inherited,
        format!("{runtime}serde = {SERDE}\nserde_json = {SERDE_JSON}\n"),
    )
}

/// The crates that the configured derives are of.
fn configured(package: &Package) -> String {
    let lines = package.dependencies.iter().map(|(name, dependency)| {
        let version = toml_string(dependency.version());
        let features = dependency.features().iter();
        let features: Vec<String> = features.map(|one| toml_string(one)).collect();
        match features.is_empty() {
            true => format!("{name} = {version}\n"),
            false => format!(
                "{name} = {{ version = {version}, features = [{}] }}\n",
                features.join(", ")
            ),
        }
    });
    lines.collect()
}

fn toml_string(text: &str) -> String {
    // JSON's escapes are a subset of those of a basic TOML string, which has to escape DEL too.
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{7f}', "\\u007f")
}
