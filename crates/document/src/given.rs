//! A document as named on the command line: a file, `-` for standard input, or `git-rev:path`. Never a URL: a document is reviewed by a person
//! before it is compared with the committed one, and all commands work offline.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::finding::DocumentError;
use crate::git;
use crate::source::{self, LARGEST, Reading, Refused, Root, Source};

/// Name of standard input.
pub const INPUT: &str = "-";

/// Bytes above which a file is first searched for required members, because parsing of some files takes minutes.
const LARGE: usize = 16 << 20;

/// Origin of a document, and its content.
pub struct Given {
    text: String,
    from: From,
    /// Folder that the other files of the document must be below.
    root: Root,
}

/// Origin of the document's other files.
enum From {
    /// A folder.
    Folder(PathBuf),
    /// A revision, and a folder of the repository.
    Revision {
        root: PathBuf,
        revision: String,
        folder: String,
    },
    /// None: the document is standard input, a pipe or a device.
    Input,
}

impl Given {
    /// Reads the document that `name` refers to; files are relative to `root`.
    ///
    /// # Errors
    ///
    /// The name is a URL, the file cannot be read, or the revision does not have it.
    pub fn read(root: &Path, name: &str) -> Result<Self, DocumentError> {
        if name == INPUT {
            return Self::input(std::io::stdin().lock());
        }
        if is_url(name) {
            return Err(refused_url(name));
        }
        if let Some((revision, path)) = revision(root, name) {
            return Self::at_revision(root, name, revision, path);
        }
        let (text, folder) = source::first(root, name)?;
        Ok(Self {
            text,
            from: folder.map_or(From::Input, From::Folder),
            root: Root::Own,
        })
    }

    /// Reads standard input to its end.
    fn input(input: impl Read) -> Result<Self, DocumentError> {
        let text = source::limited(input)
            .and_then(source::utf8)
            .map_err(|error| {
                let message = format!("cannot read standard input: {error}");
                let help = "pipe a document in UTF-8 into the command";
                DocumentError::unreadable("standard input", message, help)
            })?;
        Ok(Self {
            text,
            from: From::Input,
            root: Root::Own,
        })
    }

    fn at_revision(
        root: &Path,
        name: &str,
        revision: &str,
        path: &str,
    ) -> Result<Self, DocumentError> {
        const HELP: &str = "give a file, or a revision and a path from the top of the repository, as `HEAD:spec/openapi.yaml`";
        let text = git::show(root, name)
            .map_err(|message| DocumentError::unreadable(name, message, HELP))?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        Ok(Self {
            text,
            from: From::Revision {
                root: root.to_owned(),
                revision: revision.to_owned(),
                folder: folder.to_owned(),
            },
            root: Root::Own,
        })
    }

    /// Parses the document, under this name in messages.
    ///
    /// # Errors
    ///
    /// One of its files is not valid YAML or JSON, or is ambiguous.
    pub fn source(&self, name: &str) -> Result<Source, DocumentError> {
        self.with_text(name, self.text.clone())
    }

    /// Parses the document as other tools do, with warnings.
    ///
    /// # Errors
    ///
    /// One of its files is not valid YAML or JSON.
    fn tolerant(&self, name: &str) -> Result<Source, DocumentError> {
        let mut members = ["openapi", "swagger"].iter();
        if self.text.len() > LARGE && !members.any(|member| self.text.contains(member)) {
            let message = "this is not an OpenAPI document: it lacks `openapi`".to_owned();
            let help = "give an OpenAPI 3 document";
            return Err(DocumentError::unreadable(name, message, help));
        }
        let text = self.text.clone();
        self.bundled(name, text, Reading::Tolerant)
    }

    /// Parses the document with other contents of its first file.
    pub fn with_text(&self, name: &str, text: String) -> Result<Source, DocumentError> {
        self.bundled(name, text, Reading::Strict)
    }

    fn bundled(&self, name: &str, text: String, reading: Reading) -> Result<Source, DocumentError> {
        source::bundled(name, text, reading, &self.root, &|path| self.other(path))
    }

    /// Parses the first file only.
    pub fn first(&self, name: &str) -> Result<Source, DocumentError> {
        Source::parse(name, self.text.clone())
    }

    /// Returns the contents of another file of the document, by its path from the folder of the first.
    fn other(&self, path: &str) -> Result<Option<String>, Refused> {
        match &self.from {
            From::Folder(folder) => source::below(folder, &self.root, path),
            From::Revision {
                root,
                revision,
                folder,
            } => {
                // Git knows no paths with `..`, and follows no links.
                let path = source::joined(&format!("{folder}/"), path);
                let object = format!("{revision}:{path}");
                let Ok(text) = git::show(root, &object) else {
                    return Ok(None);
                };
                let allowed = match self.root.named() {
                    Some(named) => git::folder(root, named).unwrap_or_else(|| folder.clone()),
                    None => source::joined(&format!("{folder}/"), ""),
                };
                if !Path::new(&path).starts_with(&allowed) {
                    return Err(Refused::outside(object, &format!("{revision}:{allowed}")));
                }
                if text.len() as u64 > LARGEST {
                    Err(Refused::large(object))
                } else {
                    Ok(Some(text))
                }
            }
            From::Input => Ok(None),
        }
    }
}

/// Returns the revision and the path in a name, unless there is a file of this name.
fn revision<'n>(root: &Path, name: &'n str) -> Option<(&'n str, &'n str)> {
    let parts = name.split_once(':')?;
    (!root.join(name).exists()).then_some(parts)
}

/// Returns the file in a name, without its revision.
pub fn file<'n>(root: &Path, name: &'n str) -> &'n str {
    revision(root, name).map_or(name, |(_, path)| path)
}

/// Reads a document from a file, standard input or `git-rev:path`, under the name that the user gave it.
///
/// # Errors
///
/// The name is a URL, or the document cannot be read.
pub fn document(root: &Path, name: &str) -> Result<Source, DocumentError> {
    Given::read(root, name)?.source(name)
}

/// Reads a document that is only inspected, as `document` does: ambiguous parts are read as other tools do, with a warning.
///
/// # Errors
///
/// The name is a URL, or the document cannot be read.
pub fn tolerant(root: &Path, name: &str, files: &Root) -> Result<Source, DocumentError> {
    read(root, name, Reading::Tolerant, files)
}

/// Reads a document strictly or tolerantly, with its other files below this folder.
///
/// # Errors
///
/// The name is a URL, or the document cannot be read.
pub fn read(
    root: &Path,
    name: &str,
    reading: Reading,
    files: &Root,
) -> Result<Source, DocumentError> {
    let given = Given {
        root: files.clone(),
        ..Given::read(root, name)?
    };
    match reading {
        Reading::Strict => given.source(name),
        Reading::Tolerant => given.tolerant(name),
    }
}

/// Makes the name of a file absolute, so that it holds in any folder.
///
/// # Errors
///
/// The current folder cannot be determined.
pub fn absolute(name: &str) -> std::io::Result<String> {
    let is_file = Path::new(name).exists();
    if !is_file && (name == INPUT || name.contains(':')) {
        return Ok(name.to_owned());
    }
    let path = std::path::absolute(name)?;
    Ok(path.to_string_lossy().into_owned())
}

fn is_url(name: &str) -> bool {
    let scheme = name.split_once("://").map_or("", |(scheme, _)| scheme);
    !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Returns the name of a document for messages: a path unchanged, and a URL without its credentials, query and fragment, which may be secret.
pub fn shown(name: &str) -> String {
    if is_url(name) {
        without_secrets(name)
    } else {
        name.to_owned()
    }
}

fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    match scheme {
        "" => format!("{host}{path}"),
        scheme => format!("{scheme}://{host}{path}"),
    }
}

fn refused_url(url: &str) -> DocumentError {
    let end = url.rsplit('/').next().unwrap_or_default();
    let end = end.split(['?', '#']).next().unwrap_or_default();
    let mut characters = end.chars();
    let is_plain = characters.all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    let is_host = url.ends_with(&format!("//{end}"));
    let file = if is_plain && end.contains('.') && !is_host {
        end
    } else {
        "new-document.yaml"
    };
    let plain = without_secrets(url);
    let quoted = if plain == url {
        url.replace('\'', "%27")
    } else {
        "ADDRESS".to_owned()
    };
    DocumentError::unreadable(
        &plain,
        "this is a URL, and documents are read from files".to_owned(),
        &format!(
            "`curl --fail --location --output {file} '{quoted}'` fetches it; then give {file}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_refused_with_the_line_that_fetches_it() {
        for (url, file, shown) in [
            (
                "https://api.example.com/v1/openapi.json?key=secret",
                "openapi.json",
                "ADDRESS",
            ),
            (
                "https://api.example.com",
                "new-document.yaml",
                "https://api.example.com",
            ),
            (
                "http://api.example.com/schema/",
                "new-document.yaml",
                "http://api.example.com/schema/",
            ),
            (
                "http://api.example.com/$(x).json",
                "new-document.yaml",
                "http://api.example.com/$(x).json",
            ),
        ] {
            let Err(stop) = document(Path::new(""), url) else {
                panic!("{url} was read");
            };
            let help = format!(
                "`curl --fail --location --output {file} '{shown}'` fetches it; then give {file}"
            );
            assert!(!format!("{:?}", stop.findings()).contains("secret"));
            assert!(matches!(stop, DocumentError::Unreadable(_)));
            assert_eq!(stop.findings()[0].help, help);
        }
    }

    #[test]
    fn a_large_text_that_is_no_document_is_refused_before_it_is_parsed() {
        let text = "- [".repeat(LARGE / 3 + 1);
        let given = Given::input(text.as_bytes()).unwrap();
        let stop = given.tolerant("large.yaml").unwrap_err();
        let finding = &stop.findings()[0];
        assert_eq!(finding.file, "large.yaml");
        assert!(finding.message.contains("lacks `openapi`"));
    }

    #[test]
    fn standard_input_that_does_not_end_is_an_error() {
        let Err(stop) = Given::input(std::io::repeat(b'a')) else {
            panic!("all of it was read");
        };
        let message = &stop.findings()[0].message;
        assert!(
            message.ends_with("it is larger than the 64 MiB for one file"),
            "{message}"
        );
    }

    #[test]
    fn standard_input_is_one_file() {
        let given = Given::input(b"openapi: 3.0.3\nx: {$ref: other.yaml}\n".as_slice()).unwrap();
        let source = given.source("standard input").unwrap();
        assert_eq!(source.files().count(), 1);
        assert_eq!(source.path, "standard input");
    }

    #[test]
    fn a_file_is_named_without_its_revision() {
        for (name, path) in [
            ("origin/main:api.json", "api.json"),
            ("HEAD:spec/openapi.yaml", "spec/openapi.yaml"),
            ("api.json", "api.json"),
            ("-", "-"),
        ] {
            assert_eq!(file(Path::new(""), name), path);
        }
    }

    #[test]
    fn names_that_are_no_files_stay_as_they_are() {
        for name in ["-", "HEAD:spec/openapi.yaml", "https://a.example/b"] {
            assert_eq!(absolute(name).unwrap(), name);
        }
        assert!(absolute("new.yaml").unwrap().ends_with("/new.yaml"));
    }
}
