//! The version that is due since the last release: the tag with the greatest version among those that the present commit builds on.

use std::collections::BTreeMap;

use client_generator::emit::DOCUMENT;
use client_generator::surface::{self, Bump};
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::git::{git, show};
use openapi_document::program::generate;
use openapi_document::source::{self, Source};
use semver::Version;

use super::update::changes::text;
use super::update::moves::Moves;
use super::update::version::{self, Step};
use crate::layout::Layout;

/// Returns a message if the generated version is less than the changes since the last release require. Without a release in git, nothing is
/// missing.
///
/// # Errors
///
/// The released crate cannot be read.
pub(super) fn missing_bump(layout: &Layout) -> Result<Option<String>, DocumentError> {
    let Some(last) = last(layout) else {
        return Ok(None);
    };
    if last.is_same(layout) {
        return Ok(None);
    }
    let now = committed(layout)?;
    let due = due(&last, &last.read(layout)?, &now)?;
    let version = text(&now.document, "/info/x-rust-package/version");
    if Version::parse(&version).is_ok_and(|version| version >= due.to) {
        return Ok(None);
    }
    Ok(Some(format!(
        "{version} is too low for the changes since {} (due: {due}): write the version and its changelog entry, then run `{}`",
        last.tag,
        generate()
    )))
}

/// A generated crate as far as callers know it: its code and its README, with the document that it was generated from.
struct Known {
    files: BTreeMap<String, String>,
    document: Source,
}

/// Returns the version that is due where one crate follows another.
fn due(last: &Release, released: &Known, now: &Known) -> Result<Step, DocumentError> {
    let moves = Moves::between(&released.document.value, &now.document.value);
    let before = surface::emitted(&released.files, &released.document)?;
    let after = surface::emitted(&now.files, &now.document)?;
    let surface = surface::compare(&before, &after);
    // A moved operation counts once.
    let others = surface.iter().filter(|one| {
        let is_moved = one.new.as_ref().is_some_and(|new| moves.has(new));
        one.bump != Bump::Patch || !is_moved
    });
    let bump = others.map(|one| one.bump).max();
    version::step(&last.version.to_string(), None, bump, moves.bump())
}

/// Reads the crate on disk, of which git knows the files.
fn committed(layout: &Layout) -> Result<Known, DocumentError> {
    let listed = git(
        &layout.root,
        &[
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--",
            &layout.generated,
        ],
    );
    let mut files = BTreeMap::new();
    for (inner, path) in read_files(layout, &listed.unwrap_or_default()) {
        if let Ok(text) = source::string(&layout.root.join(path)) {
            files.insert(inner, text);
        }
    }
    let text = files.get(DOCUMENT).cloned().unwrap_or_default();
    let document = Source::parse(&format!("{}/{DOCUMENT}", layout.generated), text)?;
    Ok(Known { files, document })
}

/// Returns the listed files that determine the public items of a crate, each by its path in the crate and its own.
fn read_files(layout: &Layout, listed: &[u8]) -> Vec<(String, String)> {
    let listed = String::from_utf8_lossy(listed);
    let folder = format!("{}/", layout.generated);
    let files = listed.split('\0').filter_map(|path| {
        let inner = path.strip_prefix(&folder)?;
        let is_read = inner.ends_with(".rs") || inner == DOCUMENT || inner == "README.md";
        is_read.then(|| (inner.to_owned(), path.to_owned()))
    });
    files.collect()
}

/// A release that git knows.
struct Release {
    /// Its tag, as `v0.1.0`.
    tag: String,
    version: Version,
}

/// Finds the last release; `None` without one, or without git.
fn last(layout: &Layout) -> Option<Release> {
    let pattern = format!("{}*", layout.tag);
    let tags = git(
        &layout.root,
        &["tag", "--list", &pattern, "--merged", "HEAD"],
    );
    let tags = String::from_utf8_lossy(&tags.ok()?).into_owned();
    let releases = tags.lines().filter_map(|tag| {
        let version = Version::parse(tag.strip_prefix(&layout.tag)?).ok()?;
        Some(Release {
            tag: tag.to_owned(),
            version,
        })
    });
    releases.max_by(|one, other| one.version.cmp(&other.version))
}

impl Release {
    /// Returns whether the generated crate is that of the release, to the byte.
    fn is_same(&self, layout: &Layout) -> bool {
        let differing = git(
            &layout.root,
            &["diff", "--name-only", &self.tag, "--", &layout.generated],
        );
        differing.is_ok_and(|files| files.is_empty())
    }

    /// Reads the crate as it was released.
    ///
    /// # Errors
    ///
    /// A crate that git does not have at the tag.
    fn read(&self, layout: &Layout) -> Result<Known, DocumentError> {
        let list = ["ls-tree", "-r", "-z", "--name-only", &self.tag, "--"];
        let listed = git(&layout.root, &[&list[..], &[&layout.generated]].concat())
            .map_err(|message| self.unreadable(layout, &message))?;
        let mut files = BTreeMap::new();
        for (inner, path) in read_files(layout, &listed) {
            let text = show(&layout.root, &format!("{}:./{path}", self.tag))
                .map_err(|message| self.unreadable(layout, &message))?;
            files.insert(inner, text);
        }
        let text = files
            .get(DOCUMENT)
            .cloned()
            .ok_or_else(|| self.unreadable(layout, &format!("it has no {DOCUMENT}")))?;
        let file = format!("{}:{}/{DOCUMENT}", self.tag, layout.generated);
        let document = Source::parse(&file, text)?;
        Ok(Known { files, document })
    }

    fn unreadable(&self, layout: &Layout, message: &str) -> DocumentError {
        let Layout { generated, tag, .. } = layout;
        DocumentError::Unreadable(vec![Finding::about(
            "release",
            &self.tag,
            format!("cannot read the crate of the last release: {message}"),
            format!(
                "`git show {}:./{generated}` has to be a generated crate; a tag `{tag}*` that is no release of it needs another name",
                self.tag
            ),
        )])
    }
}
