//! The last release: the tag with the greatest version among those that the present commit builds on.

use std::collections::BTreeMap;

use client_generator::emit::DOCUMENT;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::git::{git, show};
use openapi_document::source::Source;
use semver::Version;

use super::known::{Known, is_read};
use crate::layout::Layout;

/// Returns git's pattern for the tags of releases.
pub(super) fn pattern(layout: &Layout) -> String {
    format!("{}*", layout.tag)
}

/// A release that git knows.
pub(super) struct Release {
    /// Its tag, as `v0.1.0`.
    pub(super) tag: String,
    pub(super) version: Version,
}

/// Finds the last release; `None` without one, or without git.
pub(super) fn last(layout: &Layout) -> Result<Option<Release>, DocumentError> {
    let tags = git(
        &layout.root,
        &["tag", "--list", &pattern(layout), "--merged", "HEAD"],
    );
    let Ok(tags) = tags else { return Ok(None) };
    let tags = String::from_utf8_lossy(&tags).into_owned();
    let versions = tags.lines().filter_map(|tag| {
        let version = Version::parse(tag.strip_prefix(&layout.tag)?).ok()?;
        Some(Release {
            tag: tag.to_owned(),
            version,
        })
    });
    Ok(versions.max_by(|one, other| one.version.cmp(&other.version)))
}

/// Returns whether a commit has this tag.
pub(super) fn is_taken(layout: &Layout, tag: &str) -> bool {
    let tags = git(&layout.root, &["tag", "--list", tag]);
    tags.is_ok_and(|tags| !tags.is_empty())
}

impl Release {
    /// Returns whether the generated crate is that of the release, to the byte.
    pub(super) fn is_same(&self, layout: &Layout) -> bool {
        let differing = git(
            &layout.root,
            &["diff", "--name-only", &self.tag, "--", &layout.generated],
        );
        differing.is_ok_and(|files| files.is_empty())
    }

    /// The crate as it was released.
    ///
    /// # Errors
    ///
    /// A crate that git does not have at the tag.
    pub(super) fn read(&self, layout: &Layout) -> Result<Known, DocumentError> {
        let unreadable = |message: String| {
            DocumentError::Unreadable(vec![Finding::about(
                "release",
                &self.tag,
                format!("cannot read the crate of the last release: {message}"),
                format!(
                    "`git show {}:./{}` has to be a generated crate; a tag `{}` that is no release of it needs another name",
                    self.tag,
                    layout.generated,
                    pattern(layout)
                ),
            )])
        };
        let listed = git(
            &layout.root,
            &[
                "ls-tree",
                "-r",
                "-z",
                "--name-only",
                &self.tag,
                "--",
                &layout.generated,
            ],
        )
        .map_err(unreadable)?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let folder = format!("{}/", layout.generated);
        let mut files = BTreeMap::new();
        for path in listed.split('\0') {
            let Some(inner) = path.strip_prefix(&folder).filter(|path| is_read(path)) else {
                continue;
            };
            let text = show(&layout.root, &format!("{}:./{path}", self.tag)).map_err(unreadable)?;
            files.insert(inner.to_owned(), text);
        }
        let document = files
            .get(DOCUMENT)
            .cloned()
            .ok_or_else(|| unreadable(format!("it has no {DOCUMENT}")))?;
        let document = Source::parse(
            &format!("{}:{}/{DOCUMENT}", self.tag, layout.generated),
            document,
        )?;
        Ok(Known { files, document })
    }
}
