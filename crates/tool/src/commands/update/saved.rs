//! Files that git can restore. An update replaces and deletes files that people wrote, so it starts only if git has their current
//! state, in a commit or staged. Reads git's state, and never changes it.

use std::collections::BTreeSet;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::pointer::is_within;
use openapi_document::program::generate;

use crate::install::{self, Changes};
use client_generator::generate::Layout;

/// The files that git has as they are on the disk, by their paths below the workspace.
pub(super) struct Saved {
    files: BTreeSet<String>,
}

impl Saved {
    /// Reads the list from git.
    ///
    /// # Errors
    ///
    /// Git fails, or a file that an update may change differs from git's version.
    pub(super) fn read(layout: &Layout, all: &[String]) -> Result<Self, DocumentError> {
        let listed = listed(layout, all)?;
        let (mut saved, mut changed) = (BTreeSet::new(), BTreeSet::new());
        for entry in listed.split('\0') {
            // A letter for the state, and the path. Lower-case letters and S: git is configured to ignore changes of the file.
            match entry.split_once(' ') {
                Some(("H", path)) => saved.insert(path.to_owned()),
                Some(("C" | "R" | "M", path)) => changed.insert(path.to_owned()),
                _ => continue,
            };
        }
        if changed.is_empty() {
            return Ok(Self { files: saved });
        }
        let places = all.iter().map(String::as_str);
        let places = places.filter(|place| changed.iter().any(|path| is_within(path, place)));
        let places = places.collect::<Vec<_>>().join(" ");
        let regenerate = generate();
        let interrupted = install::was_interrupted(&layout.root);
        let next = if interrupted {
            // Staged, a half of an update would be what the next one starts from.
            format!(
                "save a copy of your own edits, undo everything with `git restore -- {places}` and `{regenerate}`, and make your edits again"
            )
        } else {
            format!(
                "keep them with `git add --update -- {places}` (no commit is needed), or drop them with `git restore -- {places}` and \
                 `{regenerate}`"
            )
        };
        let mut finding = about(
            &changed,
            "unsaved-changes",
            "the file has changes that git does not have, and an update could lose them",
            format!("`git diff -- {places}` shows them; {next}; then run the update again"),
        );
        if interrupted {
            finding = finding.note(
                "a command was interrupted while it changed files: some are new, some are old, and some may have been edited since",
            );
        }
        Err(DocumentError::Findings(vec![finding]))
    }

    /// Refuses changes of existing files that git does not have.
    pub(super) fn has_all_of(
        &self,
        layout: &Layout,
        changes: &Changes,
    ) -> Result<(), DocumentError> {
        let unknown: BTreeSet<String> = changes
            .iter()
            .map(|(path, _)| path)
            .filter(|path| !self.files.contains(*path) && layout.root.join(path).exists())
            .cloned()
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let add: Vec<&str> = unknown.iter().map(String::as_str).collect();
        Err(DocumentError::Findings(vec![about(
            &unknown,
            "untracked-file",
            "git does not have this file, and the update would replace or delete it",
            format!(
                "`git add --force -- {}` (no commit is needed), or move it away; then run the update again",
                add.join(" ")
            ),
        )]))
    }
}

/// Returns the files that a new version changes.
pub(super) fn places(layout: &Layout) -> Vec<String> {
    let mut places = vec![
        layout.changelog.clone(),
        layout.lock.clone(),
        layout.generated.clone(),
        layout.overrides.clone(),
    ];
    places.extend(
        layout
            .version
            .is_some()
            .then(|| layout.package_file.clone()),
    );
    places
}

/// Lists all files of these places that git knows, with their states; those that differ are listed a second time with that state.
#[expect(clippy::disallowed_methods, reason = "it asks git")]
fn listed(layout: &Layout, places: &[String]) -> Result<String, DocumentError> {
    let output = std::process::Command::new("git")
        .current_dir(&layout.root)
        .args(["--literal-pathspecs", "ls-files", "-z", "-v"])
        .args(["--cached", "--modified", "--deleted", "--"])
        .args(places)
        .output()
        .map_err(|error| no_git(layout, &error.to_string()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let message = String::from_utf8_lossy(&output.stderr);
        Err(no_git(layout, message.trim()))
    }
}

fn no_git(layout: &Layout, message: &str) -> DocumentError {
    DocumentError::Unreadable(vec![Finding::about(
        "no-git",
        layout.root.display().to_string(),
        format!("cannot ask git which files it has: {message}"),
        "an update replaces files, and git is what restores them: install it, `git init`, `git add .`, and run the update again; with \
         `--dry-run` it needs no git, and changes nothing",
    )])
}

/// One finding about the first of these files, with the others as notes.
fn about(files: &BTreeSet<String>, rule: &'static str, message: &str, help: String) -> Finding {
    let mut files = files.iter();
    let first = files.next().cloned().unwrap_or_default();
    let finding = Finding::about(rule, first, message, help);
    files.fold(finding, |finding, file| {
        finding.note(format!("the same holds for {file}"))
    })
}
