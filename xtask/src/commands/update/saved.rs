//! What git could restore. An update replaces and deletes files that people wrote, so it starts only where git has them as they are: in a
//! commit or staged. Asks git, and changes nothing in it.

use std::collections::BTreeSet;
use std::process::Command;

use super::retired::NAMED;
use crate::finding::{Finding, Stop};
use crate::install::{self, Changes};
use crate::layout::Layout;

/// The files that git has as they are on the disk, by their paths below the workspace.
pub(super) struct Saved(BTreeSet<String>);

impl Saved {
    /// Reads the list from git.
    ///
    /// # Errors
    ///
    /// Where git cannot be asked, and where a file that an update may change differs from what git has of it.
    pub(super) fn read(layout: &Layout) -> Result<Self, Stop> {
        let listed = listed(layout)?;
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
            return Ok(Self(saved));
        }
        let is_changed = |place: &&str| {
            changed.iter().any(|path| {
                let rest = path.strip_prefix(*place);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let places: Vec<&str> = places(layout).into_iter().filter(is_changed).collect();
        let places = places.join(" ");
        let interrupted = install::was_interrupted(&layout.root);
        let next = if interrupted {
            // Staged, a half of an update would be what the next one starts from.
            format!(
                "copy what you wrote yourself, take all of it back with `git restore -- {places}` and `cargo xtask regen`, and write yours again"
            )
        } else {
            format!(
                "keep them with `git add --update -- {places}` (no commit is needed), or drop them with `git restore -- {places}` and \
                 `cargo xtask regen`"
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
        Err(Stop::Findings(vec![finding]))
    }

    /// Refuses changes of files that are there and that git does not have.
    pub(super) fn has_all_of(&self, layout: &Layout, changes: &Changes) -> Result<(), Stop> {
        let unknown: BTreeSet<String> = changes
            .iter()
            .map(|(path, _)| path)
            .filter(|path| !self.0.contains(*path) && layout.root.join(path).exists())
            .cloned()
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let add: Vec<&str> = unknown.iter().map(String::as_str).collect();
        Err(Stop::Findings(vec![about(
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

/// Everything that an update may change.
fn places(layout: &Layout) -> [&str; 6] {
    let [(snapshots, _), (forms, _)] = NAMED;
    [
        &layout.changelog,
        &layout.generated,
        &layout.overrides,
        &layout.document,
        snapshots,
        forms,
    ]
}

/// All files of these places that git knows, with their states; those that differ are there once more with the state that says it.
fn listed(layout: &Layout) -> Result<String, Stop> {
    let no_git = |message: String| {
        Stop::Unreadable(vec![Finding::about(
            "no-git",
            layout.root.display().to_string(),
            format!("cannot ask git which files it has: {message}"),
            "an update replaces files, and git is what restores them: install it, `git init`, `git add .`, and run the update again; with \
             `--dry-run` it needs no git, and changes nothing",
        )])
    };
    let output = Command::new("git")
        .current_dir(&layout.root)
        .args(["--literal-pathspecs", "ls-files", "-z", "-v"])
        .args(["--cached", "--modified", "--deleted", "--"])
        .args(places(layout))
        .output()
        .map_err(|error| no_git(error.to_string()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let message = String::from_utf8_lossy(&output.stderr);
        Err(no_git(message.trim().to_owned()))
    }
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
