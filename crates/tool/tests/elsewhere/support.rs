//! A program in a separate folder tree, and what tests look at there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

pub(crate) const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /things: {get: {operationId: things, responses: {'204': {description: None.}}}}
";

pub(crate) const OVERLAY: &str = "overlay: 1.0.0\ninfo: {title: O, version: '1'}\nactions: [{target: $.info, update: {title: T}}]\n";

/// A program in a separate folder tree.
pub(crate) struct Elsewhere {
    pub(crate) folder: TempDir,
    pub(crate) program: PathBuf,
}

/// The output of a run, standard output before standard error, and its exit code.
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) code: i32,
}

impl Elsewhere {
    pub(crate) fn new() -> Self {
        // Copied once: while another test starts a process, a file that is being written cannot run.
        static PROGRAM: LazyLock<TempDir> = LazyLock::new(|| {
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join("openapi-crate");
            fs::copy(env!("CARGO_BIN_EXE_openapi-crate"), program).unwrap();
            folder
        });
        let program = PROGRAM.path().join("openapi-crate");
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("home/some/folder")).unwrap();
        Self { folder, program }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.home().join(path)).unwrap()
    }

    pub(crate) fn run(&self, folder: &str, arguments: &[&str]) -> Run {
        let mut command = Command::new(&self.program);
        // Cargo sets it for a program that it runs.
        command.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
        let output = command
            .current_dir(self.home().join(folder))
            .args(arguments)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Run {
            text: text + &String::from_utf8_lossy(&output.stderr),
            code: output.status.code().unwrap(),
        }
    }

    /// Runs a command that has to end with this code.
    pub(crate) fn expect(&self, arguments: &[&str], code: i32) -> String {
        let printed = self.run("", arguments);
        assert_eq!(printed.code, code, "{arguments:?}: {}", printed.text);
        printed.text
    }

    /// Runs a command that has to end with this code and say these words.
    #[track_caller]
    pub(crate) fn says(&self, arguments: &[&str], code: i32, words: &str) {
        let printed = self.expect(arguments, code);
        assert!(printed.contains(words), "{printed}");
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@a.example"];
        let mut git = Command::new("git");
        git.current_dir(self.home()).args(identity).args(arguments);
        let output = git.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {printed}");
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "all"]);
    }
}

/// Returns the files of a folder, with their contents.
pub(crate) fn files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.clone(), fs::read(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// Lists the files that commands could write in the repository that built the program.
pub(crate) fn of_the_repository() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["spec", "overrides", "generated", "tests/documents"];
    let mut all: Vec<_> = folders
        .iter()
        .flat_map(|one| files(&root.join(one)))
        .collect();
    for file in ["Cargo.lock", "CHANGELOG.md", "openapi-crate.toml"] {
        all.push((root.join(file), fs::read(root.join(file)).unwrap()));
    }
    all
}
