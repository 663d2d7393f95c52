//! Evidence files: the smallest payload that shows a disagreement, and the same fact as the document describes it. They are read as strictly
//! as overrides, and change nothing.

use std::path::Path;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::{Map, Value};

/// The folder below that of the overrides.
pub(super) const FOLDER: &str = "evidence";

const KNOWN: [&str; 4] = ["note", "schema", "payload", "published"];
const RULE: &str = "override-evidence";

/// One evidence file.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The file.
    pub source: Source,
    /// The source of the payload.
    pub note: String,
    /// The schema whose values it has.
    pub schema: String,
    /// A value as observed.
    pub payload: Value,
    /// The same fact in the form that the document has.
    pub published: Value,
}

impl Evidence {
    /// Reads one file, by its path in the workspace.
    ///
    /// # Errors
    ///
    /// The file is not JSON, or a member is missing, unknown or of another type.
    fn read(root: &Path, path: &str) -> Result<Self, DocumentError> {
        Self::of(Source::read(root, path)?)
    }

    /// Returns the same file with another content.
    pub fn with_text(&self, text: String) -> Result<Self, DocumentError> {
        Self::of(Source::parse(&self.source.path, text)?)
    }

    fn of(source: Source) -> Result<Self, DocumentError> {
        let findings = members(&source);
        let (Some(map), true) = (source.value.as_object(), findings.is_empty()) else {
            return Err(DocumentError::Findings(findings));
        };
        let value = |key: &str| map.get(key).cloned().unwrap_or_default();
        Ok(Self {
            note: value("note").as_str().unwrap_or_default().to_owned(),
            schema: value("schema").as_str().unwrap_or_default().to_owned(),
            payload: value("payload"),
            published: value("published"),
            source,
        })
    }
}

/// Returns the errors in the members of a file.
fn members(source: &Source) -> Vec<Finding> {
    let help = "an evidence file has the strings `note` (what it is built from) and `schema`, and the values `payload` and `published`";
    let empty = Map::new();
    let map = source.value.as_object().unwrap_or(&empty);
    let mut findings = Vec::new();
    for key in KNOWN {
        let is_text = ["note", "schema"].contains(&key);
        let message = match map.get(key) {
            None => format!("the evidence has no `{key}`"),
            Some(value) if is_text && !value.is_string() => {
                format!("`{key}` of the evidence is not a string")
            }
            Some(_) => continue,
        };
        let at = if map.contains_key(key) {
            pointer::join("", key)
        } else {
            String::new()
        };
        findings.push(source.finding(RULE, at, message, help));
    }
    for key in map.keys().filter(|key| !KNOWN.contains(&key.as_str())) {
        let message = format!("`{key}` is not a key of an evidence file");
        let finding = source.finding(RULE, pointer::join("", key), message, help);
        findings.push(finding.suggest(key, KNOWN));
    }
    findings
}

/// Returns the evidence of an override that lists these files, or the errors in the list and the files.
pub(super) fn listed(
    root: &Path,
    folder: &str,
    by: &Source,
    files: &[String],
) -> Result<Vec<Evidence>, Vec<Finding>> {
    let (mut all, mut findings) = (Vec::new(), Vec::new());
    for (index, file) in files.iter().enumerate() {
        let at = format!("/x-override/evidence/{index}");
        let path = format!("{folder}/{file}");
        let name = file
            .strip_prefix(FOLDER)
            .and_then(|rest| rest.strip_prefix('/'));
        if !name.is_some_and(|name| name.ends_with(".json") && !name.contains('/')) {
            findings.push(by.finding(
                RULE,
                at,
                format!("`{file}` is not an evidence file"),
                format!(
                    "evidence files are {folder}/{FOLDER}/NAME.json, listed as {FOLDER}/NAME.json"
                ),
            ));
        } else if files.iter().take(index).any(|earlier| earlier == file) {
            findings.push(by.finding(
                RULE,
                at,
                format!("the evidence {path} is listed twice"),
                "take one of the two off the list",
            ));
        } else if !root.join(&path).is_file() {
            findings.push(by.finding(
                RULE,
                at,
                format!("the evidence {path} does not exist"),
                "write it, or take it off the list",
            ));
        } else {
            match Evidence::read(root, &path) {
                Ok(evidence) => all.push(evidence),
                Err(stop) => findings.extend_from_slice(stop.findings()),
            }
        }
    }
    if findings.is_empty() {
        Ok(all)
    } else {
        Err(findings)
    }
}

/// Returns the evidence files that no override lists: their payloads are never checked.
pub(super) fn unlisted<'l>(
    files: &[String],
    folder: &str,
    lists: impl Iterator<Item = &'l [String]>,
) -> Vec<Finding> {
    let lists: Vec<&[String]> = lists.collect();
    let is_listed = |file: &String| {
        let name = file.strip_prefix(folder).unwrap_or_default();
        let name = name.trim_start_matches('/');
        lists
            .iter()
            .any(|list| list.iter().any(|listed| listed == name))
    };
    let unlisted = files.iter().filter(|file| !is_listed(file));
    unlisted
        .map(|file| {
            Finding::about(
                RULE,
                file,
                "no override lists this evidence",
                "list it under `evidence` of the override that it is for, or delete it",
            )
        })
        .collect()
}
