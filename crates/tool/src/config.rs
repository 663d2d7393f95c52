//! `openapi-crate.toml`: which crates there are, where their files are, and how they are made.
//!
//! ```toml
//! [crates.petstore]
//! document = "petstore.yaml"
//! output = "petstore"
//! runtime = "vendored"
//!
//! [crates.petstore.package]
//! version = "0.1.0"
//! license = "MIT"
//! ```

mod file;
mod reader;

use std::path::Path;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::{readable, source};

use client_generator::generate::Layout;
use file::File;
use reader::Reader;

pub use file::{FILE, RuntimeName};
pub(crate) use reader::{below, fits, slashes};

/// The command that headers name without another one.
const GENERATE: &str = "openapi-crate generate";

/// The content of the file.
#[derive(Clone, Debug)]
pub struct Config {
    /// The crates, by their names.
    pub crates: Vec<Layout>,
}

impl Config {
    /// Reads the file of the nearest folder that has one, from `folder` upwards, as cargo looks for its file.
    ///
    /// # Errors
    ///
    /// There is no such file, or [`Config::parse`] fails.
    pub fn around(folder: &Path) -> Result<Self, DocumentError> {
        let root = folder.ancestors().find(|root| root.join(FILE).is_file());
        let Some(root) = root else {
            return Err(DocumentError::Unreadable(vec![Finding::about(
                "no-config",
                folder.to_string_lossy(),
                format!("neither this folder nor one above it has a file {FILE}"),
                format!(
                    "`{}` writes one, or run the command in the folder of one",
                    openapi_document::program::command("init DOCUMENT --output DIR")
                ),
            )]));
        };
        Self::read(&root.join(FILE))
    }

    /// Reads this file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, and those of [`Config::parse`].
    pub fn read(file: &Path) -> Result<Self, DocumentError> {
        // A path without a folder starts here, and what is relative to it does too.
        let file = &std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let text = source::string(file).map_err(|error| {
            DocumentError::unreadable(
                file.to_string_lossy(),
                format!("cannot read the file: {error}"),
                "check its path, and that it is valid UTF-8",
            )
        })?;
        let name = file
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let root = file.parent().unwrap_or(Path::new(""));
        Self::parse(root, name.as_deref().unwrap_or(FILE), &text)
    }

    /// Parses the file `name` in the folder `root`.
    ///
    /// # Errors
    ///
    /// The file is not TOML, a key is unknown, a path leads out of the folder, two crates are in one folder, or a file is missing: each
    /// with its place.
    pub fn parse(root: &Path, name: &str, text: &str) -> Result<Self, DocumentError> {
        let read = Reader { root, name, text };
        let file: File = toml::from_str(text).map_err(|error| read.syntax(&error))?;
        let mut findings = Vec::new();
        if file.crates.is_empty() {
            let help = "say of each crate its document and its output: `[crates.NAME]`, `document = \"…\"`, `output = \"…\"`";
            findings.push(read.finding(0..0, "the file has no crate", help));
        }
        let command = match &file.command {
            None => GENERATE,
            Some(command) => {
                if !is_quotable(command.get_ref()) {
                    let message = "`command` has a line break, a hidden character, a backtick or `-->`, and every file quotes it in a comment";
                    let help = "write the command as it is typed, on one line";
                    findings.push(read.finding(command.span(), message, help));
                }
                command.get_ref()
            }
        };
        let is_one = file.crates.len() == 1;
        let mut crates: Vec<Layout> = Vec::new();
        for (key, entry) in file.crates {
            let output = entry.output.span();
            let layout = match read.layout(command, &key, entry, is_one, &mut findings) {
                Ok(layout) => layout,
                Err(stop) => {
                    findings.extend_from_slice(stop.findings());
                    continue;
                }
            };
            crates.push(layout);
            if let Some(other) = clash(&crates).filter(|_| findings.is_empty()) {
                let message = format!(
                    "a folder of this crate clashes with one of the crate `{}`",
                    other.name()
                );
                let help = "give each crate its own `output` and its own `overrides`";
                findings.push(read.finding(output, &message, help));
            }
        }
        if findings.is_empty() {
            Ok(Self { crates })
        } else {
            Err(DocumentError::Unreadable(findings))
        }
    }

    /// The crates of these names, or all where none is given.
    ///
    /// # Errors
    ///
    /// A name that no crate has.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<Layout>, DocumentError> {
        if names.is_empty() {
            return Ok(self.crates.clone());
        }
        let mut chosen = Vec::new();
        for name in names {
            let Some(found) = self.crates.iter().find(|one| one.name() == name) else {
                return Err(DocumentError::Unreadable(vec![self.unknown(name)]));
            };
            chosen.push(found.clone());
        }
        Ok(chosen)
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.crates.iter().map(Layout::name).collect()
    }

    fn unknown(&self, name: &str) -> Finding {
        let known = self.names();
        let finding = Finding::about(
            "unknown-crate",
            FILE,
            format!("the file has no crate `{name}`"),
            format!("the crates are {}", known.join(", ")),
        );
        finding.suggest(name, known)
    }

    /// The one crate of this name, or the only one.
    ///
    /// # Errors
    ///
    /// Several crates match, and one has to be chosen.
    pub fn one(&self, names: &[String]) -> Result<Layout, DocumentError> {
        let mut chosen = self.chosen(names)?;
        match (chosen.pop(), chosen.is_empty()) {
            (Some(one), true) => Ok(one),
            _ => Err(DocumentError::Unreadable(vec![Finding::about(
                "several-crates",
                FILE,
                "the file has several crates, and the command works on one",
                format!("choose one with `--crate`: {}", self.names().join(", ")),
            )])),
        }
    }
}

/// Returns whether the comments of all kinds of files can quote a command.
fn is_quotable(command: &str) -> bool {
    readable::is_plain(command)
        && !command.trim().is_empty()
        && !command.contains('`')
        && !command.contains("-->")
}

/// Returns an earlier crate whose folder is in one of the last crate, or around it.
fn clash(crates: &[Layout]) -> Option<&Layout> {
    let (last, earlier) = crates.split_last()?;
    earlier.iter().find(|one| {
        is_nested(&one.generated, &last.generated) || is_nested(&one.overrides, &last.overrides)
    })
}

/// Returns whether one of two folders is in the other, or is it.
fn is_nested(one: &str, other: &str) -> bool {
    Path::new(one).starts_with(other) || Path::new(other).starts_with(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_no_comment_can_quote_is_an_error_with_its_place() {
        for command in ["a\nfn main() {}", "a`b", "a --> <b>", "a\u{200b}b", " "] {
            let text = format!(
                "command = {command:?}\n[crates.a]\ndocument = \"a.yaml\"\noutput = \"a\"\n"
            );
            let text = text.replace("\\u{200b}", "\u{200b}");
            let stop = Config::parse(Path::new(""), FILE, &text).unwrap_err();
            let finding = &stop.findings()[0];
            assert!(
                finding.message.starts_with("`command` has a line break"),
                "{command:?}"
            );
            assert!(
                finding
                    .excerpt
                    .as_ref()
                    .is_some_and(|excerpt| excerpt.line == 1)
            );
        }
    }
}
