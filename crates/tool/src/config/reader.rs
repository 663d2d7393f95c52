//! Reads a crate of the file: its paths, its runtime and its package, each error with its place.

use std::ops::Range;
use std::path::{Component, Path};

use client_generator::emit::{Packaging, RUNTIME_VERSION, Runtime};
use openapi_document::finding::{DocumentError, Excerpt, Finding};
use openapi_document::source::{self, Root};
use openapi_model::names;
use serde_json::{Map, Value};
use toml::Spanned;

use super::file::{Entry, RuntimeEntry};
use client_generator::generate::Layout;

/// Returns a path with forward slashes.
pub(crate) fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
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

/// The file that is read.
pub(super) struct Reader<'f> {
    pub(super) root: &'f Path,
    pub(super) name: &'f str,
    pub(super) text: &'f str,
}

impl Reader<'_> {
    pub(super) fn finding(&self, span: Range<usize>, message: &str, help: &str) -> Finding {
        let mut finding = Finding::about("config", self.name, message, help);
        finding.excerpt = Excerpt::of(self.text, span);
        finding
    }

    pub(super) fn syntax(&self, error: &toml::de::Error) -> DocumentError {
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

    pub(super) fn layout(
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
            },
            strict: entry.strict,
            package,
            package_file: self.name.to_owned(),
            version,
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
pub(crate) fn fits(runtime: &Path) -> Result<(), String> {
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
    there.map_or_else(|| "Cargo.lock".to_owned(), |file| slashes(&file))
}
