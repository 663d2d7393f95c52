//! The features of the emitted crate, with what each turns on in the crates of the runtime.

use openapi_model::Model;

use super::cargo_toml::toml_list;
use super::parts::Parts;

const CORE: &str = "generated-client";

/// The features that turn on a part of the runtime, each with the comment above it.
const PARTS: [(&str, &str); 6] = [
    (
        "cache",
        "Stored responses, in memory and in an SQLite file.",
    ),
    ("cache-file", ""),
    (
        "chrono",
        "Conversions of dates to and from the types of these crates.",
    ),
    ("jiff", ""),
    (
        "uuid",
        "Conversions of UUIDs to and from the type of this crate.",
    ),
    (
        "unstable-reqwest",
        "reqwest, for `ClientBuilder::http`. It is below 1.0: its version may change with any version of this crate.",
    ),
];

/// The feature of the command line.
pub(super) const CLI: &str = "cli";

/// A feature of the crate.
pub(super) struct Feature {
    /// The comment above it, which may be about the features below it too; empty for these.
    comment: &'static str,
    pub(super) name: &'static str,
    /// As in a manifest: `CRATE/FEATURE`, `CRATE?/FEATURE`, `dep:CRATE`, or another feature.
    pub(super) turns_on: Vec<String>,
}

/// Returns a feature of the core.
fn of_core(comment: &'static str, name: &'static str) -> Feature {
    Feature {
        comment,
        name,
        turns_on: vec![format!("{CORE}/{name}")],
    }
}

/// Lists the features of a crate.
pub(super) fn all(model: &Model, parts: &Parts) -> Vec<Feature> {
    if model.package.types_only {
        return Vec::new();
    }
    let mut all = vec![
        of_core("TLS by rustls, with its default provider.", "rustls"),
        of_core(
            "TLS by rustls, with the provider that the caller installs.",
            "rustls-no-provider",
        ),
        of_core(
            "Compressed responses, and HTTP/2, for clients that ask for them.",
            "compression",
        ),
        of_core("", "http2"),
    ];
    all.extend(PARTS.map(|(name, comment)| of_core(comment, name)));
    for file in all.iter_mut().filter(|one| one.name == "cache-file") {
        file.turns_on.insert(0, "cache".to_owned());
        if model.package.cli {
            file.turns_on.push("generated-cli?/cache".to_owned());
        }
    }
    if model.package.cli {
        let metered = model.is_metered.then_some("generated-cli/metered");
        let turns_on = ["dep:generated-cli"].into_iter().chain(metered);
        all.extend([
            Feature {
                comment: "The command line.",
                name: CLI,
                turns_on: turns_on.map(str::to_owned).collect(),
            },
            Feature {
                comment: "A server for agents, in the command line: each operation is a tool of the Model Context Protocol.",
                name: "mcp",
                turns_on: vec![CLI.to_owned(), "generated-cli/mcp".to_owned()],
            },
        ]);
    }
    if model.is_metered {
        let mut redis = of_core(
            "One budget for many processes, kept in Redis or Valkey, and periods of it.",
            "redis",
        );
        if model.package.cli {
            redis.turns_on.push("generated-cli?/redis".to_owned());
        }
        all.extend([
            redis,
            of_core("", "redis-tls"),
            of_core("", "periods"),
            of_core(
                "A file that says what a batch has done and paid.",
                "journal",
            ),
        ]);
    }
    all.push(of_core(
        "For tests: a scripted service, and tokio's clock that can be paused.",
        "test-util",
    ));
    all.retain(|feature| !is_part(feature.name) || parts.has(feature.name));
    all
}

/// Returns whether a feature is a part of the runtime that a crate may lack.
fn is_part(name: &str) -> bool {
    name == "test-util" || PARTS.iter().any(|(part, _)| *part == name)
}

/// Writes the lines of features.
pub(super) fn lines(all: &[Feature]) -> String {
    let mut lines = String::new();
    for feature in all {
        if !feature.comment.is_empty() {
            lines.push_str(&format!("# {}\n", feature.comment));
        }
        lines.push_str(&format!(
            "{} = {}\n",
            feature.name,
            toml_list(&feature.turns_on)
        ));
    }
    lines
}
