//! The policy file. Accepting a change adds a waiver to it.

use std::path::Path;

use anyhow::{Context, Result};
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::given;
use openapi_document::source::Source;
use serde_json::Value;

/// Reads a policy file. If it will be written, it may be missing, or contain only comments.
///
/// # Errors
///
/// The file cannot be read; or it will be written and is not a file.
pub(super) fn file(name: &str, is_written: bool) -> Result<Source, DocumentError> {
    let here = Path::new("");
    if !is_written {
        return given::document(here, name);
    }
    if name == given::INPUT || given::file(here, name) != name {
        let message = "this is not a file, and waivers are written into the policy";
        let help = "give the file of the policy; it may be new";
        return Err(DocumentError::Unreadable(vec![Finding::about(
            "policy", name, message, help,
        )]));
    }
    let mut text = if Path::new(name).exists() {
        given::text(name)?
    } else {
        String::new()
    };
    let says_nothing = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    if !text.lines().all(says_nothing) {
        return given::document(here, name);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(if name.ends_with(".json") {
        "{}\n"
    } else {
        "waivers: []\n"
    });
    Source::parse(name, text)
}

/// Adds waivers to the policy file.
///
/// # Errors
///
/// The reason or the date is invalid in a policy, or the file cannot be written.
#[expect(
    clippy::disallowed_methods,
    reason = "the file of the policy is named by a person, in no workspace"
)]
pub(super) fn write(policy: &Source, waivers: Vec<Value>, until: Option<&str>) -> Result<()> {
    let name = &policy.path;
    let text = crate::with_waivers(policy, waivers);
    crate::policy(&Source::parse(name, text.clone())?, until)?;
    std::fs::write(name, text).with_context(|| format!("writing the policy {name}"))
}
