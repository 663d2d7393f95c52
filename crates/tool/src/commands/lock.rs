//! `Cargo.lock` after a new version of a package of this workspace. Cargo would write the same line at the next build; until then,
//! `--locked` fails.

use std::io::ErrorKind;

use openapi_document::finding::DocumentError;
use openapi_document::source;

use crate::install::Changes;
use client_generator::generate::Layout;

/// Returns the change of the file; empty without such a file, or such a package in it.
///
/// # Errors
///
/// The file cannot be read.
pub(super) fn changes(
    layout: &Layout,
    package: &str,
    version: &str,
) -> Result<Changes, DocumentError> {
    let text = match source::string(&layout.root.join(&layout.lock)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Changes::new()),
        read => read.map_err(|error| {
            let message = format!(
                "the file cannot be read, but it contains the version of the package: {error}"
            );
            let help = "make it readable, or delete it: cargo writes it again";
            DocumentError::unreadable(&layout.lock, message, help)
        })?,
    };
    let changed = with_version(&text, package, version).filter(|new| *new != text);
    Ok(changed
        .map(|text| (layout.lock.clone(), Some(text)))
        .into_iter()
        .collect())
}

/// Returns the file with another version of a package without a source, which is one of the workspace.
fn with_version(text: &str, package: &str, version: &str) -> Option<String> {
    let head = format!("\n[[package]]\nname = \"{package}\"\nversion = \"");
    let mut from = 0;
    loop {
        let at = text.get(from..)?.find(&head)? + from + head.len();
        let rest = text.get(at..)?;
        let (_, behind) = rest.split_once('"')?;
        if !behind.trim_start().starts_with("source =") {
            return Some(format!("{}{version}\"{behind}", text.get(..at)?));
        }
        from = at;
    }
}

#[cfg(test)]
mod tests {
    use super::with_version;

    #[test]
    fn only_the_package_of_the_workspace_gets_the_version() {
        let lock = |version: &str| {
            format!(
                "version = 4\n\n[[package]]\nname = \"other\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"small\"\nversion = \"0.1.0\"\n\
                 source = \"registry\"\n\n[[package]]\nname = \"small\"\nversion = \"{version}\"\ndependencies = [\n \"other\",\n]\n"
            )
        };
        assert_eq!(
            with_version(&lock("0.1.0"), "small", "0.2.0"),
            Some(lock("0.2.0"))
        );
        assert_eq!(with_version(&lock("0.1.0"), "large", "0.2.0"), None);
    }
}
