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

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path};

use client_generator::emit::{Packaging, RUNTIME_VERSION, Runtime};
use openapi_document::finding::{DocumentError, Excerpt, Finding, near};
use openapi_document::readable;
use openapi_document::source::{self, Root};
use openapi_model::names;
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

use crate::layout::Layout;

/// The name of the file.
pub const FILE: &str = "openapi-crate.toml";

/// The content of the file.
#[derive(Clone, Debug)]
pub struct Config {
    /// The crates, by their names.
    pub crates: Vec<Layout>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    /// The command that the headers of files name.
    command: Option<Spanned<String>>,
    #[serde(default)]
    crates: BTreeMap<Spanned<String>, Entry>,
}

/// The command that headers name without another one.
const GENERATE: &str = "openapi-crate generate";

/// A crate. Paths are relative to the folder of the file, and have forward slashes.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Entry {
    document: Spanned<String>,
    /// The folder below which references to other files are followed, if not that of the document.
    root: Option<String>,
    overrides: Option<Spanned<String>>,
    #[serde(default)]
    overlays: Vec<Spanned<String>>,
    output: Spanned<String>,
    changelog: Option<Spanned<String>>,
    runtime: Option<Spanned<RuntimeEntry>>,
    #[serde(default)]
    strict: bool,
    /// The members of `x-rust-package`.
    #[serde(default)]
    package: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

/// The source of the emitted crate's runtime.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "`runtime` is \"registry\", \"vendored\", \"workspace\", { path = \"…\" } or { git = \"…\", tag = \"…\" }"
)]
enum RuntimeEntry {
    Named(RuntimeName),
    #[serde(rename_all = "kebab-case")]
    Path {
        path: String,
    },
    Git {
        git: String,
        tag: String,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
/// The source of the emitted crate's runtime, as one word.
pub enum RuntimeName {
    /// The registry, by version.
    Registry,
    /// From the crate itself: its sources are written into the output.
    #[default]
    Vendored,
    /// The workspace that the crate is a member of, which also provides edition, licence and lints.
    Workspace,
}

impl Default for RuntimeEntry {
    fn default() -> Self {
        Self::Named(RuntimeName::default())
    }
}

impl RuntimeName {
    /// The runtime as the generator takes it.
    ///
    /// # Errors
    ///
    /// The sources of the runtime, in a program that was built without them.
    pub fn runtime(self) -> Result<Runtime, DocumentError> {
        match self {
            Self::Registry => Ok(Runtime::Version),
            Self::Workspace => Ok(Runtime::Workspace),
            Self::Vendored => vendored(),
        }
    }
}

/// The sources of the runtime that this program was built with.
fn vendored() -> Result<Runtime, DocumentError> {
    #[cfg(feature = "vendored")]
    return Ok(Runtime::Vendored(openapi_runtime_sources::SOURCES));
    #[cfg(not(feature = "vendored"))]
    Err(DocumentError::Unreadable(vec![Finding::about(
        "no-runtime",
        FILE,
        "this program was built without the sources of the runtime",
        "build it with the feature `vendored`, or choose another runtime",
    )]))
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

    fn names(&self) -> Vec<&str> {
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
        match near(name, known) {
            Some(near) => finding.note(format!("did you mean `{near}`?")),
            None => finding,
        }
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

/// A path that leads into a folder, written in the one way that it has; `None` for any other.
pub(crate) fn below(path: &str) -> Option<String> {
    let steps = Path::new(path).components().filter_map(|step| match step {
        Component::CurDir => None,
        Component::Normal(name) => Some(name.to_str()),
        _ => Some(None),
    });
    let steps = steps.collect::<Option<Vec<&str>>>()?;
    let is_plain = steps.iter().all(|step| !step.contains(['\\', ':']));
    (is_plain && !steps.is_empty()).then(|| steps.join("/"))
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

/// The file that is read.
struct Reader<'f> {
    root: &'f Path,
    name: &'f str,
    text: &'f str,
}

impl Reader<'_> {
    fn finding(&self, span: Range<usize>, message: &str, help: &str) -> Finding {
        let mut finding = Finding::about("config", self.name, message, help);
        finding.excerpt = Excerpt::of(self.text, span);
        finding
    }

    fn syntax(&self, error: &toml::de::Error) -> DocumentError {
        let span = error.span().unwrap_or(0..0);
        let help = "correct the file: a table `[crates.NAME]` has the keys `document` and `output`";
        DocumentError::Unreadable(vec![self.finding(span, error.message(), help)])
    }

    /// A path below the folder of the file.
    fn path(&self, path: Spanned<String>, findings: &mut Vec<Finding>) -> String {
        below(path.get_ref()).unwrap_or_else(|| {
            let message = format!(
                "`{}` is not a path below the folder of this file",
                path.get_ref()
            );
            let help = "move the file, or put this one above it; paths have forward slashes";
            findings.push(self.finding(path.span(), &message, help));
            String::new()
        })
    }

    /// Checks that a path exists.
    fn present(&self, path: Spanned<String>, findings: &mut Vec<Finding>) -> String {
        let span = path.span();
        let path = self.path(path, findings);
        if findings.is_empty() && !self.root.join(&path).exists() {
            let message = format!("there is no {path}");
            findings.push(self.finding(
                span,
                &message,
                "correct the path: it starts at the folder of this file",
            ));
        }
        path
    }

    fn runtime(
        &self,
        entry: Option<Spanned<RuntimeEntry>>,
        generated: &str,
        findings: &mut Vec<Finding>,
    ) -> Result<Runtime, DocumentError> {
        let span = entry.as_ref().map_or(0..0, Spanned::span);
        let entered = entry.map(Spanned::into_inner);
        Ok(match entered.unwrap_or_default() {
            RuntimeEntry::Named(name) => name.runtime()?,
            RuntimeEntry::Path { path } => {
                if let Err(message) = fits(&self.root.join(&path)) {
                    let help =
                        "give the folder `runtime` of the repository that this program is from";
                    findings.push(self.finding(span, &message, help));
                }
                Runtime::Path(as_seen_from(&path, generated))
            }
            RuntimeEntry::Git { git, tag } => Runtime::Git { url: git, tag },
        })
    }

    /// Returns the folder of a crate's overrides, if the file has several crates.
    fn own_overrides(&self, key: &Spanned<String>, findings: &mut Vec<Finding>) -> String {
        let name = key.get_ref();
        let mut kinds = ["upstream", "assumed", "generator"].iter();
        let all = self.root.join("overrides");
        if kinds.any(|kind| all.join(kind).is_dir()) {
            let message = format!(
                "the folder `overrides` is of one crate, and that of `{name}` is `overrides/{name}`"
            );
            let help = "move the overrides there, or name the folder of each crate by `overrides`";
            findings.push(self.finding(key.span(), &message, help));
        }
        format!("overrides/{name}")
    }

    fn layout(
        &self,
        command: &str,
        key: &Spanned<String>,
        entry: Entry,
        is_one: bool,
        findings: &mut Vec<Finding>,
    ) -> Result<Layout, DocumentError> {
        let name = key.get_ref();
        if !names::is_package(name) {
            let message = format!(
                "`{name}` cannot be the name of a crate: `{}` can",
                names::package(name)
            );
            findings.push(self.finding(key.span(), &message, "correct the name"));
        }
        let generated = self.path(entry.output, findings);
        let runtime = self.runtime(entry.runtime, &generated, findings)?;
        let version = entry
            .package
            .iter()
            .find(|(key, _)| key.get_ref() == "version");
        let version = version.map(|(_, value)| value.span());
        let mut package = Map::from_iter([("name".to_owned(), Value::from(name.clone()))]);
        for (key, value) in entry.package {
            if key.get_ref() == "name" {
                findings.push(self.finding(
                    key.span(),
                    "the name of a crate is that of its table",
                    "rename the table",
                ));
            }
            let value = serde_json::to_value(value.get_ref()).unwrap_or_default();
            package.insert(key.into_inner(), value);
        }
        let changelog = match entry.changelog {
            Some(path) => self.path(path, findings),
            None => format!("{generated}/CHANGELOG.md"),
        };
        let overrides = match entry.overrides {
            Some(path) => self.present(path, findings),
            None if is_one => "overrides".to_owned(),
            None => self.own_overrides(key, findings),
        };
        Ok(Layout {
            document: self.path(entry.document, findings),
            files: entry
                .root
                .map_or(Root::Own, |root| Root::Option(Some(self.root.join(root)))),
            overlays: entry
                .overlays
                .into_iter()
                .map(|one| self.present(one, findings))
                .collect(),
            changelog,
            lock: lock(self.root, &generated),
            packaging: Packaging {
                command: command.to_owned(),
                runtime,
                overrides: None,
            },
            strict: entry.strict,
            package,
            package_file: self.name.to_owned(),
            version,
            tag: if is_one {
                "v".to_owned()
            } else {
                format!("{name}-v")
            },
            root: self.root.to_owned(),
            overrides,
            generated,
        })
    }
}

/// Checks that emitted code can be built with the runtime in a folder.
///
/// # Errors
///
/// The reason why it cannot, for a person.
pub fn fits(runtime: &Path) -> Result<(), String> {
    let manifest = runtime.join("core/Cargo.toml");
    let text = source::string(&manifest)
        .map_err(|error| format!("there is no runtime: {}: {error}", manifest.display()))?;
    let table: toml::Table = text.parse().unwrap_or_default();
    let version = table
        .get("package")
        .and_then(|package| package.get("version"));
    match version.and_then(toml::Value::as_str) {
        Some(RUNTIME_VERSION) => Ok(()),
        other => Err(format!(
            "the runtime has the version {}, and crates are made for {RUNTIME_VERSION}",
            other.unwrap_or("of no package")
        )),
    }
}

/// The path of the runtime as the manifest of a crate names it.
fn as_seen_from(path: &str, output: &str) -> String {
    if Path::new(path).is_absolute() {
        path.to_owned()
    } else {
        "../".repeat(output.split('/').count()) + path.trim_start_matches("./")
    }
}

/// The lock file that names the crate: its own, that of a workspace around it, or none yet.
fn lock(root: &Path, output: &str) -> String {
    let mut folders = Path::new(output)
        .ancestors()
        .map(|folder| folder.join("Cargo.lock"));
    let there = folders.find(|file| root.join(file).is_file());
    let there = there.map(|file| file.to_string_lossy().replace('\\', "/"));
    there.unwrap_or_else(|| "Cargo.lock".to_owned())
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
