//! Files that change together: all of them, or none. What stood there before is kept aside first, with a journal that says so; whatever
//! happens before the journal is gone, an error or a power cut, is taken back, at once or by [`recover`] at the start of the next command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::tree::create_parent;

/// Paths below the workspace, with the text that each gets; `None` for a file that goes.
pub type Changes = BTreeMap<String, Option<String>>;

/// Beside the files, for a rename must not cross file systems.
const ASIDE: &str = ".xtask-update";
const JOURNAL: &str = "journal.json";

/// Changes all of these files, or none.
pub fn change(root: &Path, changes: &Changes) -> Result<()> {
    recover(root)?;
    let aside = Aside::of(root);
    let prepared = aside.prepare(changes);
    let changed = prepared.and_then(|()| aside.change(changes));
    if changed.is_err() {
        recover(root)?;
    }
    aside.remove()?;
    changed
}

/// Takes back what an interrupted [`change`] left; the files that are as they were again.
pub fn recover(root: &Path) -> Result<Vec<String>> {
    let aside = Aside::of(root);
    let restored = match std::fs::read(aside.journal()) {
        Ok(journal) => aside.restore(&journal)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            return Err(error).with_context(|| format!("reading {}", aside.journal().display()));
        }
    };
    aside.remove()?;
    Ok(restored)
}

struct Aside<'r> {
    root: &'r Path,
    folder: PathBuf,
}

/// The files of a change, each with whether it was there before.
type Journal = BTreeMap<String, bool>;

impl<'r> Aside<'r> {
    fn of(root: &'r Path) -> Self {
        Self {
            root,
            folder: root.join(ASIDE),
        }
    }

    fn journal(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    fn before(&self, path: &str) -> PathBuf {
        self.folder.join("before").join(path)
    }

    fn after(&self, path: &str) -> PathBuf {
        self.folder.join("after").join(path)
    }

    /// Keeps what is there, puts what is to come beside it, and says so last.
    fn prepare(&self, changes: &Changes) -> Result<()> {
        let mut journal = Journal::new();
        for (path, text) in changes {
            let there = self.root.join(path);
            let existed = there.exists();
            if existed {
                copy(&there, &self.before(path))?;
            }
            if let Some(text) = text {
                write(&self.after(path), text.as_bytes())?;
            }
            journal.insert(path.clone(), existed);
        }
        let staged = self.folder.join("journal.staging");
        write(&staged, &serde_json::to_vec(&journal)?)?;
        rename(&staged, &self.journal())
    }

    fn change(&self, changes: &Changes) -> Result<()> {
        for (path, text) in changes {
            let there = self.root.join(path);
            match text {
                Some(_) => rename(&self.after(path), &there)?,
                None => delete(&there)?,
            }
        }
        // From here on the change is done.
        delete(&self.journal())
    }

    fn restore(&self, journal: &[u8]) -> Result<Vec<String>> {
        let journal: Journal = serde_json::from_slice(journal)
            .with_context(|| format!("reading {}", self.journal().display()))?;
        for (path, existed) in &journal {
            let there = self.root.join(path);
            if *existed {
                // A copy: an interrupted recovery can be taken up again.
                copy(&self.before(path), &there)?;
            } else {
                delete(&there)?;
            }
        }
        delete(&self.journal())?;
        Ok(journal.into_keys().collect())
    }

    fn remove(&self) -> Result<()> {
        match std::fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("deleting {}", self.folder.display()))
            }
            _ => Ok(()),
        }
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let bytes = std::fs::read(from).with_context(|| format!("reading {}", from.display()))?;
    write(to, &bytes)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    create_parent(path)?;
    std::fs::write(path, bytes).with_context(|| format!("writing {}", path.display()))
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    create_parent(to)?;
    std::fs::rename(from, to).with_context(|| format!("replacing {}", to.display()))
}

fn delete(path: &Path) -> Result<()> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    match std::fs::remove_file(path) {
        Err(error) if !matches!(error.kind(), NotFound | NotADirectory) => {
            Err(error).with_context(|| format!("deleting {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "a test that panics is a test that fails"
    )]

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
        Changes::from([
            ("folder/gone".to_owned(), None),
            ("kept".to_owned(), Some("new".to_owned())),
            ("made/new".to_owned(), Some("new".to_owned())),
        ])
    }

    /// What stands at each of the three places.
    fn texts(root: &Path) -> [Option<String>; 3] {
        ["folder/gone", "kept", "made/new"]
            .map(|path| std::fs::read_to_string(root.join(path)).ok())
    }

    fn old() -> [Option<String>; 3] {
        [Some("old".to_owned()), Some("old".to_owned()), None]
    }

    fn new() -> [Option<String>; 3] {
        [None, Some("new".to_owned()), Some("new".to_owned())]
    }

    #[test]
    fn all_files_change_and_nothing_is_left_beside_them() {
        let root = workspace("all");
        change(&root, &changes()).unwrap();
        assert_eq!(texts(&root), new());
        assert!(!root.join(ASIDE).exists());
        assert!(recover(&root).unwrap().is_empty());
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_change_that_fails_half_way_is_taken_back() {
        let root = workspace("fails");
        let mut changes = changes();
        // Below a file there can be none.
        changes.insert("kept/below".to_owned(), Some("new".to_owned()));
        change(&root, &changes).unwrap_err();
        assert_eq!(texts(&root), old());
        assert!(!root.join(ASIDE).exists());
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn an_interrupted_change_is_taken_back_by_the_next_command() {
        // After so many steps of the change.
        for steps in 0..=3 {
            let root = workspace(&format!("interrupted-{steps}"));
            let aside = Aside::of(&root);
            aside.prepare(&changes()).unwrap();
            for (path, text) in changes().into_iter().take(steps) {
                match text {
                    Some(_) => rename(&aside.after(&path), &root.join(&path)).unwrap(),
                    None => delete(&root.join(&path)).unwrap(),
                }
            }
            assert_eq!(recover(&root).unwrap().len(), 3);
            assert_eq!(texts(&root), old(), "after {steps} steps");
            assert!(!root.join(ASIDE).exists());
            std::fs::remove_dir_all(root).unwrap();
        }
    }

    #[test]
    fn what_was_only_prepared_is_removed() {
        let root = workspace("prepared");
        let aside = Aside::of(&root);
        aside.prepare(&changes()).unwrap();
        delete(&aside.journal()).unwrap();
        assert!(recover(&root).unwrap().is_empty());
        assert_eq!(texts(&root), old());
        assert!(!root.join(ASIDE).exists());
        std::fs::remove_dir_all(root).unwrap();
    }
}
