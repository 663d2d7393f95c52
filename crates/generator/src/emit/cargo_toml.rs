//! The manifest of the generated crate.

use std::collections::BTreeSet;

use openapi_document::readable;
use openapi_model::Model;
use openapi_model::extensions::{Metadata, Package};

use super::packaging::{Packaging, Runtime};
use super::parts::{Parts, native};
use super::vendored::Merged;
use super::{cargo_features, features};
use crate::operations;

/// The edition and version that workspace members inherit, for a standalone crate. A test compares both.
const EDITION: &str = "2024";
pub(super) const RUST_VERSION: &str = "1.88";
/// The version of the runtime that emitted code is written for.
pub const RUNTIME_VERSION: &str = "0.1.0";
const SERDE: &str = r#"{ version = "1", features = ["derive"] }"#;
const SERDE_JSON: &str = r#""1""#;
const FOR_TESTS: &str = "
# For asynchronous tests.
[dev-dependencies]
tokio = { version = \"1\", features = [\"macros\", \"rt\"] }
";

/// Writes the manifest. A crate that contains the runtime has what was `merged`.
pub(super) fn emit(model: &Model, packaging: &Packaging, merged: Option<&Merged>) -> String {
    let package = &model.package;
    let parts = Parts::new(model, &packaging.runtime);
    let crates = runtime(model, &parts);
    let (inherited, dependencies) = match (&packaging.runtime, merged) {
        (_, Some(merged)) => (
            alone(package),
            format!("{}{}", merged.dependencies, for_tests(package)),
        ),
        (Runtime::Workspace, None) => workspace(package, &crates),
        (runtime, None) => {
            let lines = crates.iter().map(|one| written_out(one, runtime));
            let lines: String = lines.collect();
            (
                alone(package),
                format!("{lines}{}{}", own(package), for_tests(package)),
            )
        }
    };
    let features = match merged {
        Some(merged) => cargo_features::lines(&merged.features),
        None => cargo_features::lines(&cargo_features::all(model, &parts)),
    };
    format!(
        r#"[package]
name = {name}
version = {version}
description = {description}
{documentation}{metadata}exclude = ["/manifest.yaml"]
{inherited}
[package.metadata.docs.rs]
all-features = true
rustdoc-args = ["--cfg", "docsrs"]

# Its examples are tests, and it has no others.
[lib]
test = false
{program}
[features]
default = {default}
{features}{groups}
[dependencies]
{dependencies}"#,
        name = toml_string(&package.name),
        default = features::default(model),
        program = program(package),
        documentation = documentation(model),
        metadata = metadata(&package.metadata),
        groups = features::manifest(model),
        version = toml_string(&package.version),
        description = toml_string(&package.description),
    )
}

/// The dependencies of tests that people write beside a standalone crate.
fn for_tests(package: &Package) -> &'static str {
    if package.types_only { "" } else { FOR_TESTS }
}

/// The program, of a crate with a command line.
fn program(package: &Package) -> String {
    if !package.cli {
        return String::new();
    }
    format!(
        r#"
[[bin]]
name = {name}
path = "src/main.rs"
required-features = ["cli"]
doc = false
test = false
"#,
        name = toml_string(&package.name)
    )
}

/// The link to docs.rs, of a crate that may be published.
fn documentation(model: &Model) -> String {
    let package = &model.package;
    let address = toml_string(&format!("https://docs.rs/{}", package.name));
    if package.publish {
        format!("documentation = {address}\n")
    } else {
        String::new()
    }
}

/// Returns the lines that a registry shows beside the description.
fn metadata(metadata: &Metadata) -> String {
    [
        text_line("repository", &metadata.repository),
        text_line("homepage", &metadata.homepage),
        list_line("authors", &metadata.authors),
        list_line("keywords", &metadata.keywords),
        list_line("categories", &metadata.categories),
        text_line("license", &metadata.license),
        text_line("license-file", &metadata.license_file),
    ]
    .concat()
}

fn text_line(key: &str, text: &Option<String>) -> String {
    match text {
        Some(text) => format!("{key} = {}\n", toml_string(text)),
        None => String::new(),
    }
}

fn list_line(key: &str, texts: &[String]) -> String {
    if texts.is_empty() {
        String::new()
    } else {
        format!("{key} = {}\n", toml_list(texts))
    }
}

fn publish(package: &Package) -> &'static str {
    if package.publish {
        ""
    } else {
        "publish = false\n"
    }
}

/// A crate of the runtime that the emitted crate depends on.
struct Dependency {
    name: &'static str,
    /// Its folder below that of the runtime.
    folder: &'static str,
    /// The other settings of its line.
    settings: Vec<String>,
}

/// The features of the core that the code needs.
pub(super) fn needed(model: &Model, parts: &Parts) -> BTreeSet<&'static str> {
    let patterns = operations::has_patterns(model).then_some("patterns");
    let webhooks = model.has_webhooks().then_some("webhooks");
    let all = native(model).chain(patterns).chain(webhooks);
    if model.is_metered {
        all.chain(["metered"]).collect()
    } else {
        all.chain(parts.of_core()).collect()
    }
}

/// The crates of the runtime, with the features of the core that the code needs.
fn runtime(model: &Model, parts: &Parts) -> Vec<Dependency> {
    let features = needed(model, parts);
    let features = (!features.is_empty()).then(|| format!("features = {}", toml_list(features)));
    let cli = model.package.cli.then(|| Dependency {
        name: "generated-cli",
        folder: "cli",
        settings: vec!["optional = true".to_owned()],
    });
    let core = Dependency {
        name: "generated-client",
        folder: "core",
        settings: features.into_iter().collect(),
    };
    cli.into_iter().chain([core]).collect()
}

/// The lines of a member of the workspace.
fn workspace(package: &Package, crates: &[Dependency]) -> (String, String) {
    let metadata = &package.metadata;
    let license = if metadata.license.is_some() || metadata.license_file.is_some() {
        ""
    } else {
        "license.workspace = true\n"
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
    let runtime: String = crates.iter().map(inherited_line).collect();
    let others = ["serde", "serde_json"].map(|name| format!("{name}.workspace = true\n"));
    (inherited, runtime + &others.concat() + &configured(package))
}

/// Returns the line of a runtime crate in a member of the workspace.
fn inherited_line(one: &Dependency) -> String {
    let (name, settings) = (one.name, one.settings.join(", "));
    if settings.is_empty() {
        format!("{name}.workspace = true\n")
    } else {
        format!("{name} = {{ workspace = true, {settings} }}\n")
    }
}

/// Returns the package fields of a standalone crate.
fn alone(package: &Package) -> String {
    format!(
        "edition = \"{EDITION}\"\n\
         rust-version = \"{RUST_VERSION}\"\n\
         readme = \"README.md\"\n\
         {publish}",
        publish = publish(package),
    )
}

/// Returns the line of a runtime crate in a standalone manifest.
fn written_out(one: &Dependency, runtime: &Runtime) -> String {
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
        "{} = {{ version = \"{RUNTIME_VERSION}\"{from}, default-features = false{} }}\n",
        one.name,
        settings.collect::<String>(),
    )
}

/// Returns the dependencies of a standalone crate, without the runtime.
pub(super) fn own(package: &Package) -> String {
    format!(
        "serde = {SERDE}\nserde_json = {SERDE_JSON}\n{}",
        configured(package)
    )
}

/// The crates that the configured derives are of.
fn configured(package: &Package) -> String {
    let lines = package.dependencies.iter().map(|(name, dependency)| {
        let version = toml_string(dependency.version());
        if dependency.features().is_empty() {
            format!("{name} = {version}\n")
        } else {
            let features = toml_list(dependency.features());
            format!("{name} = {{ version = {version}, features = {features} }}\n")
        }
    });
    lines.collect()
}

/// Returns a list of strings.
pub(super) fn toml_list(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let texts = texts.into_iter().map(|text| toml_string(text.as_ref()));
    format!("[{}]", texts.collect::<Vec<_>>().join(", "))
}

pub(super) fn toml_string(text: &str) -> String {
    // JSON's escapes are a subset of those of a basic TOML string, which has to escape DEL too.
    serde_json::Value::from(readable::line(text))
        .to_string()
        .replace('\u{7f}', "\\u007f")
}
