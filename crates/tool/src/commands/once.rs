//! Files that are written once, and belong to the person then: the changelog and the licences.

use client_generator::generate::Generated;
use openapi_document::readable;
use serde_json::Value;

use crate::install::Changes;
use client_generator::generate::Layout;

const CHANGELOG: &str = "# Changelog\n";

/// The licences, by file name.
const LICENCES: [(&str, &str); 2] = [
    ("Apache-2.0", include_str!("../../LICENSE-APACHE")),
    ("MIT", include_str!("../../LICENSE-MIT")),
];

/// The files that the crate lacks.
pub(super) fn missing(layout: &Layout, made: &Generated) -> Changes {
    let package = made.reconciled.value().pointer("/info/x-rust-package");
    let mut files = vec![(layout.changelog.clone(), CHANGELOG.to_owned())];
    let license = package.and_then(|package| package.get("license")?.as_str());
    let authors = package.and_then(|package| package.get("authors")?.as_array());
    let holders = match authors {
        Some(authors) if !authors.is_empty() => {
            let names = authors.iter().filter_map(Value::as_str);
            names.collect::<Vec<_>>().join(", ")
        }
        _ => format!("the authors of {}", made.package),
    };
    let chosen: Vec<&str> = license.unwrap_or_default().split(' ').collect();
    for (name, text) in LICENCES.iter().filter(|(name, _)| chosen.contains(name)) {
        let ending = name.split('-').next().unwrap_or(name).to_uppercase();
        let mut held = String::new();
        for line in text.lines() {
            if line.starts_with("Copyright (c)") {
                held.push_str(&format!("Copyright (c) {}\n", readable::line(&holders)));
            } else {
                held.push_str(&format!("{line}\n"));
            }
        }
        files.push((format!("{}/LICENSE-{ending}", layout.generated), held));
    }
    files.retain(|(path, _)| !layout.root.join(path).exists());
    files
        .into_iter()
        .map(|(path, text)| (path, Some(text)))
        .collect()
}
