//! The version that an update gives the package.

use std::fmt;
use std::path::Path;

use client_generator::surface::Bump;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::pointer;
use openapi_document::source::{self, Source};
use openapi_overrides::{Override, OverrideSet, Plain};
use semver::Version;
use serde_json::Value;

use client_generator::generate::Layout;

/// A version, and the one after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: Version,
    pub(super) to: Version,
    /// The reason; `None` if the crate stays unchanged.
    pub(super) bump: Option<Bump>,
    /// True if the bump is due only because operations moved to other paths.
    pub(super) is_for_moves: bool,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            from,
            to,
            bump,
            is_for_moves,
        } = self;
        match bump {
            Some(_) if *is_for_moves => write!(f, "{from} to {to}: paths of calls changed"),
            None => write!(f, "{from} stays: the crate is the same"),
            Some(bump) => {
                let why = match bump {
                    Bump::Major => "callers' code may not build",
                    Bump::Minor => "there is more to use",
                    Bump::Patch => "documentation or behaviour",
                };
                write!(f, "{from} to {to}: {why}")
            }
        }
    }
}

/// Returns the step that is due, or the requested larger one. `moved` is the bump of moved operations.
pub(super) fn step(
    from: &str,
    asked: Option<&str>,
    bump: Option<Bump>,
    moved: Option<Bump>,
) -> Result<Step, DocumentError> {
    let from = parse(from, "x-rust-package")?;
    let is_for_moves = moved > bump;
    let bump = bump.max(moved);
    let due = bump.map_or_else(|| from.clone(), |bump| after(&from, bump));
    let to = match asked {
        None => due,
        Some(asked) => {
            let to = parse(asked, "--version")?;
            if to < due {
                return Err(DocumentError::Findings(vec![Finding::about(
                    "version-too-small",
                    "--version",
                    format!("{to} is too low for this document after {from}"),
                    format!("give {due} or a greater one"),
                )]));
            }
            to
        }
    };
    Ok(Step {
        from,
        to,
        bump,
        is_for_moves,
    })
}

fn parse(text: &str, from: &str) -> Result<Version, DocumentError> {
    Version::parse(text).map_err(|error| {
        DocumentError::Unreadable(vec![Finding::about(
            "version",
            from,
            format!("`{text}` is not a version: {error}"),
            "give three numbers, as 0.2.0",
        )])
    })
}

/// Returns the next version by Cargo's rules: before 1.0 the second number is the breaking one, and before 0.1 every number is.
fn after(from: &Version, bump: Bump) -> Version {
    match (from.major, from.minor, bump) {
        (0, 0, _) => Version::new(0, 0, from.patch.saturating_add(1)),
        (0, minor, Bump::Major) => Version::new(0, minor.saturating_add(1), 0),
        (0, minor, _) => Version::new(0, minor, from.patch.saturating_add(1)),
        (major, _, Bump::Major) => Version::new(major.saturating_add(1), 0, 0),
        (major, minor, Bump::Minor) => Version::new(major, minor.saturating_add(1), 0),
        (major, minor, Bump::Patch) => Version::new(major, minor, from.patch.saturating_add(1)),
    }
}

/// Writes the version into its file, and into the set: the file of the crates, or an override. Returns the file that changes.
pub(super) fn write(
    layout: &Layout,
    set: &mut OverrideSet,
    step: &Step,
) -> Result<Option<(String, Option<String>)>, DocumentError> {
    if step.to == step.from {
        return Ok(None);
    }
    let to = step.to.to_string();
    if let Some(span) = layout.version.clone() {
        let mut text = read(&layout.root, &layout.package_file)?;
        if text.get(span.clone()).is_some() {
            text.replace_range(span, &Value::from(to.clone()).to_string());
        }
        let mut package = layout.package.clone();
        package.insert("version".to_owned(), Value::from(to));
        set.package = Some(Plain::package(&layout.package_file, &package)?);
        return Ok(Some((layout.package_file.clone(), Some(text))));
    }
    let (index, text) = written(set, step).ok_or_else(|| nowhere(layout))?;
    let Some(one) = set.overrides.get_mut(index) else {
        return Ok(None);
    };
    let path = one.source.path.clone();
    let evidence = std::mem::take(&mut one.evidence);
    *one = Override::parse(one.family, Source::parse(&path, text.clone())?)
        .map_err(DocumentError::Findings)?;
    one.evidence = evidence;
    Ok(Some((path, Some(text))))
}

/// Returns the content of the file of the crates, which was read before.
fn read(root: &Path, file: &str) -> Result<String, DocumentError> {
    source::string(&root.join(file)).map_err(|error| {
        let message = format!("cannot read the file: {error}");
        DocumentError::unreadable(file, message, "run the command again")
    })
}

pub(super) fn nowhere(layout: &Layout) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "package-version",
        &layout.package_file,
        "no file declares the version of the package",
        format!(
            "write it into `[crates.{}.package]`, as `version = \"0.1.0\"`, or as `x-rust-package` into `$.info` by an override",
            layout.name()
        ),
    )])
}

/// Returns the override that declares the version: its position in the set, and its content with the version replaced.
fn written(set: &OverrideSet, step: &Step) -> Option<(usize, String)> {
    set.overrides.iter().enumerate().find_map(|(index, one)| {
        let mut place = None;
        pointer::walk(&one.source.value, "", &mut |at, value| {
            let version = value.get("version").and_then(|version| version.as_str());
            if at.ends_with("/x-rust-package") && version.is_some() && at.contains("/update") {
                place = Some(format!("{at}/version"));
            }
        });
        let text = &one.source.text;
        let span = one.source.place(&place?)?;
        let (before, rest) = text.split_at_checked(span.start)?;
        let replaced = rest.replacen(&step.from.to_string(), &step.to.to_string(), 1);
        Some((index, format!("{before}{replaced}")))
    })
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )]

    use super::*;

    #[test]
    fn the_next_version_is_the_one_that_cargo_takes_for_such_a_change() {
        use Bump::{Major, Minor, Patch};
        for (from, bump, to) in [
            ("1.2.3", Major, "2.0.0"),
            ("1.2.3", Minor, "1.3.0"),
            ("1.2.3", Patch, "1.2.4"),
            ("0.2.3", Major, "0.3.0"),
            ("0.2.3", Minor, "0.2.4"),
            ("0.2.3", Patch, "0.2.4"),
            ("0.0.3", Patch, "0.0.4"),
        ] {
            let step = step(from, None, Some(bump), None).unwrap();
            assert_eq!(step.to.to_string(), to, "{from} {bump:?}");
        }
        assert_eq!(
            step("0.1.0", None, None, None).unwrap().to.to_string(),
            "0.1.0"
        );
    }

    #[test]
    fn a_version_may_be_greater_than_due_and_not_smaller() {
        let major = Some(Bump::Major);
        assert_eq!(
            step("0.1.0", Some("1.0.0"), major, None)
                .unwrap()
                .to
                .to_string(),
            "1.0.0"
        );
        assert_eq!(
            step("0.1.0", Some("0.2.0"), major, None)
                .unwrap()
                .to
                .to_string(),
            "0.2.0"
        );
        assert!(matches!(
            step("0.1.0", Some("0.1.9"), major, None),
            Err(DocumentError::Findings(_))
        ));
        assert!(matches!(
            step("0.1.0", Some("two"), major, None),
            Err(DocumentError::Unreadable(_))
        ));
    }

    #[test]
    fn moved_operations_are_named_only_where_nothing_weighs_more() {
        let minor = Some(Bump::Minor);
        let moved = step("0.1.0", None, minor, Some(Bump::Major)).unwrap();
        assert_eq!(moved.to_string(), "0.1.0 to 0.2.0: paths of calls changed");
        let both = step("0.1.0", None, Some(Bump::Major), Some(Bump::Major)).unwrap();
        assert_eq!(
            both.to_string(),
            "0.1.0 to 0.2.0: callers' code may not build"
        );
    }
}
