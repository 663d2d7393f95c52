//! Files that are written once, and belong to the person then: the changelog and the licences.

use client_generator::generate::Generated;
use openapi_document::readable;
use serde_json::Value;

use crate::install::Changes;
use crate::layout::Layout;

const CHANGELOG: &str = "# Changelog\n";

/// The licences, by file name.
const LICENCES: [(&str, &str); 2] = [
    ("Apache-2.0", include_str!("../../LICENSE-APACHE")),
    ("MIT", include_str!("../../LICENSE-MIT")),
];

/// The files that the crate lacks.
pub(super) fn missing(layout: &Layout, made: &Generated) -> Changes {
    let package = made.reconciled.value().pointer("/info/x-rust-package");
    let text = |key: &str| {
        package
            .and_then(|package| package.get(key))
            .cloned()
            .unwrap_or_default()
    };
    let mut files = vec![(layout.changelog.clone(), CHANGELOG.to_owned())];
    let license = text("license");
    let license = license.as_str().unwrap_or_default();
    let holders = match text("authors") {
        Value::Array(authors) if !authors.is_empty() => {
            let names = authors.iter().filter_map(Value::as_str);
            names.collect::<Vec<_>>().join(", ")
        }
        _ => format!("the authors of {}", made.package),
    };
    for (name, text) in LICENCES
        .iter()
        .filter(|(name, _)| license.split(' ').any(|one| one == *name))
    {
        let ending = name.split('-').next().unwrap_or(name).to_uppercase();
        let held = |line: &str| {
            if line.starts_with("Copyright (c)") {
                format!("Copyright (c) {}\n", readable::line(&holders))
            } else {
                format!("{line}\n")
            }
        };
        let path = format!("{}/LICENSE-{ending}", layout.generated);
        files.push((path, text.lines().map(held).collect()));
    }
    files.retain(|(path, _)| !layout.root.join(path).exists());
    files
        .into_iter()
        .map(|(path, text)| (path, Some(text)))
        .collect()
}
