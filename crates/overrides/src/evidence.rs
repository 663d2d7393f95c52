//! Evidence files: the smallest payload that shows a disagreement, and the same fact as the document describes it. They are read as strictly
//! as overrides, and change nothing.

use std::path::Path;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The folder below that of the overrides.
pub(super) const FOLDER: &str = "evidence";

const RULE: &str = "override-evidence";
const HELP: &str = "an evidence file has the strings `note` (what it is built from) and `schema`, and the values `payload` and `published`";

/// One evidence file.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The file.
    pub source: Source,
    /// Its members.
    pub said: Said,
}

/// The members of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
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
        let said = members(&source, &source.value, "", RULE, HELP);
        let said = said.map_err(|finding| DocumentError::Findings(vec![*finding]))?;
        Ok(Self { source, said })
    }
}

/// Reads the members of a value at a place of a file. The error is a finding at the member that is wrong.
pub(super) fn members<T: DeserializeOwned>(
    source: &Source,
    value: &Value,
    at: &str,
    rule: &'static str,
    help: &str,
) -> Result<T, Box<Finding>> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let segments = error.path().iter().map(|segment| format!("/{segment}"));
        let at = format!("{at}{}", segments.collect::<String>());
        Box::new(source.finding(rule, at, error.inner().to_string(), help))
    })
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
