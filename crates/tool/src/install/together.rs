//! Files that change together: all of them, or none. The new files are staged first, beside the workspace's files, and then renamed into
//! place one by one. An error half-way is reverted at once. No state is kept: after a crash some files are new and some are old, each
//! complete, and no command reverts them.

#![expect(
    clippy::disallowed_methods,
    reason = "the only module that writes files"
)]

use std::io::{Error, ErrorKind};
use std::path::Path;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source;

/// Paths below the workspace, with the new content of each; `None` for a file that is deleted. They change in this order.
pub type Changes = Vec<(String, Option<String>)>;

/// Inside the workspace, because a rename must not cross file systems. In `.gitignore`.
pub const STAGING: &str = ".xtask.staging";

/// Changes all of these files, or none.
///
/// # Errors
///
/// The file that cannot be read or written, with what was done about the others.
pub fn change(root: &Path, changes: &Changes) -> Result<(), DocumentError> {
    let staging = root.join(STAGING);
    // From a run that crashed.
    delete_folder(&staging).map_err(|error| unwritable(STAGING, &error))?;
    let changed = stage(root, changes).and_then(|before| replace(root, &before));
    // The next change deletes the rest.
    let _ = delete_folder(&staging);
    changed
}

/// Returns whether a run crashed while it changed files, and nothing was changed since.
pub fn was_interrupted(root: &Path) -> bool {
    root.join(STAGING).exists()
}

/// A change whose content is staged, with the file that it replaces.
struct Staged<'c> {
    path: &'c str,
    stays: bool,
    before: Option<Vec<u8>>,
}

/// Writes all new files beside those that they replace; none of those changes.
fn stage<'c>(root: &Path, changes: &'c Changes) -> Result<Vec<Staged<'c>>, DocumentError> {
    let mut staged = Vec::with_capacity(changes.len());
    for (path, text) in changes {
        if let Some(link) = link_to(root, path) {
            return Err(DocumentError::Unreadable(vec![through_link(path, &link)]));
        }
        let before = match source::bytes(&root.join(path)) {
            Ok(bytes) => Some(bytes),
            Err(error) if is_absence(&error) => None,
            Err(error) => return Err(unwritable(path, &error)),
        };
        if let Some(text) = text {
            write(&root.join(STAGING).join(path), text.as_bytes())
                .map_err(|error| unwritable(path, &error))?;
        }
        staged.push(Staged {
            path,
            stays: text.is_some(),
            before,
        });
    }
    Ok(staged)
}

/// Returns the link in place of a file, or of a folder on the way to it. A run that fails could not restore the link.
fn link_to(root: &Path, path: &str) -> Option<String> {
    let mut steps = Path::new(path).ancestors();
    let link = steps.find(|step| !step.as_os_str().is_empty() && root.join(step).is_symlink())?;
    Some(link.to_string_lossy().into_owned())
}

fn through_link(path: &str, link: &str) -> Finding {
    Finding::about(
        "linked-file",
        path,
        format!("`{link}` is a link, and files are written through no link"),
        "put a file or folder in its place, or name its target in the configuration, then run the command again",
    )
    .note("no file was changed")
}

fn replace(root: &Path, all: &[Staged<'_>]) -> Result<(), DocumentError> {
    for (index, one) in all.iter().enumerate() {
        let there = root.join(one.path);
        let replaced = if one.stays {
            rename(&root.join(STAGING).join(one.path), &there)
        } else {
            delete(&there)
        };
        if let Err(error) = replaced {
            let done = all.get(..index).unwrap_or_default();
            return Err(take_back(root, done, one.path, &error));
        }
    }
    Ok(())
}

/// Puts back what stood there, the last change first.
fn take_back(root: &Path, done: &[Staged<'_>], failed: &str, error: &Error) -> DocumentError {
    let staged = root.join(STAGING).join(".before");
    let mut findings = Vec::new();
    for one in done.iter().rev() {
        let there = root.join(one.path);
        let back = match &one.before {
            Some(bytes) => write(&staged, bytes).and_then(|()| rename(&staged, &there)),
            None => delete(&there),
        };
        if let Err(error) = back {
            findings.push(Finding::about(
                "unwritable-file",
                one.path,
                format!(
                    "the file has its new content, and its old content cannot be restored: {error}"
                ),
                format!(
                    "`git restore -- {}` restores it; where git does not have it, delete it",
                    one.path
                ),
            ));
        }
    }
    if findings.is_empty() {
        return unwritable(failed, error);
    }
    findings.insert(0, cannot_be_written(failed, error));
    DocumentError::Unreadable(findings)
}

fn unwritable(path: &str, error: &Error) -> DocumentError {
    DocumentError::Unreadable(vec![
        cannot_be_written(path, error).note("no file was changed"),
    ])
}

fn cannot_be_written(path: &str, error: &Error) -> Finding {
    Finding::about(
        "unwritable-file",
        path,
        format!("the file cannot be changed: {error}"),
        "check that no program has the file open and that its folder is writable, then run the command again",
    )
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    create_parent(path)?;
    std::fs::write(path, bytes)
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    create_parent(to)?;
    std::fs::rename(from, to)
}

fn create_parent(path: &Path) -> Result<(), Error> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

fn delete(path: &Path) -> Result<(), Error> {
    absent(std::fs::remove_file(path))
}

fn delete_folder(path: &Path) -> Result<(), Error> {
    absent(std::fs::remove_dir_all(path))
}

/// Ignores that a file is absent: it is deleted already.
fn absent(deleted: Result<(), Error>) -> Result<(), Error> {
    match deleted {
        Err(error) if is_absence(&error) => Ok(()),
        deleted => deleted,
    }
}

fn is_absence(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a test that panics is a test that fails"
    )]

    use std::path::PathBuf;

    use super::*;

    fn workspace(name: &str) -> PathBuf {
        let root =
            std::env::temp_dir().join(format!("xtask-together-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("folder")).unwrap();
        std::fs::write(root.join("kept"), "old").unwrap();
        std::fs::write(root.join("folder/gone"), "old").unwrap();
        root
    }

    fn changes() -> Changes {
        vec![
            ("made/new".to_owned(), Some("new".to_owned())),
            ("folder/gone".to_owned(), None),
            ("kept".to_owned(), Some("new".to_owned())),
        ]
    }

    /// Returns the contents of the three places.
    fn texts(root: &Path) -> [Option<String>; 3] {
        ["made/new", "folder/gone", "kept"]
            .map(|path| std::fs::read_to_string(root.join(path)).ok())
    }

    fn old() -> [Option<String>; 3] {
        [None, Some("old".to_owned()), Some("old".to_owned())]
    }

    fn new() -> [Option<String>; 3] {
        [Some("new".to_owned()), None, Some("new".to_owned())]
    }

    #[test]
    fn all_files_change_and_nothing_is_left_beside_them() {
        let root = workspace("all");
        // From a run that crashed.
        std::fs::create_dir_all(root.join(STAGING).join("made/new")).unwrap();
        change(&root, &changes()).unwrap();
        assert_eq!(texts(&root), new());
        assert!(!was_interrupted(&root));
        std::fs::remove_dir_all(root).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn no_file_is_written_through_a_link() {
        use std::os::unix::fs::symlink;

        let root = workspace("link");
        let outside = workspace("link-outside");
        symlink(outside.join("folder"), root.join("made")).unwrap();
        let refused = |path: &str, link: &str| {
            let stop = change(&root, &changes()).unwrap_err();
            let finding = &stop.findings()[0];
            let found = (finding.rule, finding.file.as_str());
            assert_eq!(found, ("linked-file", path));
            let message = format!("`{link}` is a link");
            assert!(finding.message.starts_with(&message));
            assert!(root.join(link).is_symlink());
            assert_eq!((texts(&root), texts(&outside)), (old(), old()));
        };
        refused("made/new", "made");
        std::fs::remove_file(root.join("made")).unwrap();
        std::fs::remove_file(root.join("kept")).unwrap();
        symlink(outside.join("kept"), root.join("kept")).unwrap();
        refused("kept", "kept");
        // A link that leads nowhere is one, too.
        std::fs::remove_file(root.join("kept")).unwrap();
        symlink("nowhere", root.join("kept")).unwrap();
        let stop = change(&root, &changes()).unwrap_err();
        assert_eq!(stop.findings()[0].rule, "linked-file");
        assert!(root.join("kept").is_symlink());
        for folder in [root, outside] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn a_change_that_fails_half_way_is_taken_back() {
        let root = workspace("fails");
        let mut changes = changes();
        // Below a file there can be none.
        changes.push(("kept/below".to_owned(), Some("new".to_owned())));
        let stop = change(&root, &changes).unwrap_err();
        let finding = &stop.findings()[0];
        assert_eq!(
            (finding.rule, finding.file.as_str()),
            ("unwritable-file", "kept/below")
        );
        assert_eq!(finding.notes, ["no file was changed"]);
        assert_eq!(texts(&root), old());
        assert!(!was_interrupted(&root));
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_restored_is_named() {
        let root = workspace("stuck");
        let changes = changes();
        let staged = stage(&root, &changes).unwrap();
        // A folder where the new file stood: it cannot be deleted as a file.
        std::fs::create_dir_all(root.join("made/new/folder")).unwrap();
        let error = Error::from(ErrorKind::PermissionDenied);
        let stop = take_back(&root, &staged[..2], "kept", &error);
        let files: Vec<_> = stop.findings().iter().map(|one| &one.file).collect();
        assert_eq!(files, ["kept", "made/new"]);
        assert!(stop.findings().iter().all(|one| one.notes.is_empty()));
        assert_eq!(texts(&root), old());
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn files_change_in_the_order_that_is_given() {
        let root = workspace("order");
        let changes = changes();
        let staged = stage(&root, &changes).unwrap();
        for done in 0..=staged.len() {
            // As if it had crashed after so many.
            replace(&root, &staged[..done]).unwrap();
            let expected: Vec<_> = new()[..done]
                .iter()
                .chain(&old()[done..])
                .cloned()
                .collect();
            assert_eq!(texts(&root).as_slice(), expected, "after {done}");
            change(
                &root,
                &vec![
                    ("made/new".to_owned(), None),
                    ("folder/gone".to_owned(), Some("old".to_owned())),
                    ("kept".to_owned(), Some("old".to_owned())),
                ],
            )
            .unwrap();
            stage(&root, &changes).unwrap();
        }
        std::fs::remove_dir_all(root).unwrap();
    }
}
