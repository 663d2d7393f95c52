//! Workspaces to generate in: the committed one, and small ones that a test creates.

mod emitted;
mod inputs;
mod spelling;
pub(crate) mod tool;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use client_generator::emit::{FileTree, Packaging, Runtime};
use client_generator::generate::{Generated, Layout, generate};
use openapi_document::finding::DocumentError;
use openapi_document::pointer;
use proptest::test_runner::Config as ProptestConfig;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) use emitted::{Emitted, Item};
pub(crate) use inputs::Inputs;

/// Splits a table: a row is a line, its cells have ` | ` between them, and a line after `#` is a comment.
pub(crate) fn rows<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let lines = table.lines().filter(|line| !line.is_empty());
    let rows = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        cells
            .try_into()
            .unwrap_or_else(|cells| panic!("not {N} cells: {cells:?}"))
    });
    rows.collect()
}

/// Generates a crate of a document and these further files, without overrides. Warnings are tolerated.
pub(crate) fn made(document: &Value, files: Option<&Value>) -> Result<Generated, DocumentError> {
    let workspace = Workspace::new().file("api.yaml", &document.to_string());
    for (path, content) in files.and_then(Value::as_object).into_iter().flatten() {
        workspace.write(path, &content.to_string());
    }
    generate(&layout(workspace.root(), "api.yaml", Runtime::Version))
}

/// Returns the input of a standalone crate of a document, without overrides.
pub(crate) fn layout(root: &Path, document: &str, runtime: Runtime) -> Layout {
    Layout {
        root: root.to_owned(),
        document: document.to_owned(),
        package_file: "the test".to_owned(),
        packaging: Packaging::alone(runtime),
        ..Layout::default()
    }
}

/// Returns the files of a tree by path.
pub(crate) fn files(tree: &FileTree) -> BTreeMap<String, String> {
    let files = tree.iter();
    files
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .collect()
}

/// Returns the code of the builder that begins with the table of this name, up to the next builder.
pub(crate) fn builder<'c>(code: &'c str, table: &str) -> &'c str {
    let (_, behind) = code
        .split_once(&format!("\nstatic {table}: "))
        .unwrap_or_else(|| panic!("no {table}: {code}"));
    behind
        .split_once("\nstatic ")
        .map_or(behind, |(own, _)| own)
}

/// Returns the names of the schemas that operations lead to.
pub(crate) fn reached(document: &Value) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut left = vec![
        document["paths"].clone(),
        document["components"]["parameters"].clone(),
    ];
    while let Some(value) = left.pop() {
        pointer::walk(&value, "", &mut |_, value| {
            let name = value.get("$ref").and_then(Value::as_str);
            let name = name.and_then(|name| name.strip_prefix("#/components/schemas/"));
            if let Some(name) = name.filter(|name| !found.iter().any(|known| known == name)) {
                found.push(name.to_owned());
                left.push(document["components"]["schemas"][name].clone());
            }
        });
    }
    found
}

/// Returns the shortest time of three runs: other work of the machine makes none of them shorter.
pub(crate) fn shortest(run: impl Fn()) -> Duration {
    let times = [(); 3].map(|()| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.into_iter().min().unwrap()
}

/// One of so many cases is tried, and all of them in the gate, which sets `CASES`.
pub(crate) fn share() -> usize {
    if std::env::var_os("CASES").is_some() {
        1
    } else {
        8
    }
}

/// Returns the settings of a random test that tries its share of so many cases, and writes nothing beside the tests: a failure prints its
/// smallest case.
pub(crate) fn random(cases: usize) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        cases: u32::try_from(cases / share()).unwrap(),
        ..ProptestConfig::default()
    }
}

/// Returns the root of the repository.
pub(crate) fn repository() -> PathBuf {
    package().join("../..").canonicalize().unwrap()
}

/// Returns the folder of the package of these tests.
pub(crate) fn package() -> PathBuf {
    // Read at run time, because a checkout may be tested by the program of another one.
    std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// A workspace in a temporary folder.
pub(crate) struct Workspace {
    pub(crate) folder: TempDir,
}

impl Workspace {
    /// Creates an empty workspace.
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Creates a workspace with `document` as its published document.
    pub(crate) fn with(document: &str) -> Self {
        Self::new().file("spec/openapi.yaml", document)
    }

    /// Copies the fixture of this name.
    pub(crate) fn fixture(name: &str) -> Self {
        let from = package().join("fixtures").join(name);
        let workspace = Self::with(&std::fs::read_to_string(from.join("openapi.yaml")).unwrap());
        copy(&from.join("overrides"), &workspace.root().join("overrides"));
        workspace
    }

    /// Copies the crate of this repository.
    pub(crate) fn committed() -> Self {
        let (from, workspace) = (repository(), Self::new());
        for folder in ["spec", "overrides", "generated"] {
            copy(&from.join(folder), &workspace.root().join(folder));
        }
        for file in ["CHANGELOG.md", "Cargo.lock"] {
            std::fs::copy(from.join(file), workspace.root().join(file)).unwrap();
        }
        workspace
    }

    /// Copies all files of this repository that git knows, with their times, so that cargo builds only what changes.
    pub(crate) fn checkout() -> Self {
        let workspace = Self::new();
        let listed = Command::new("git")
            .current_dir(repository())
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .output()
            .unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        for path in listed.split_terminator('\0') {
            let (from, to) = (repository().join(path), workspace.root().join(path));
            // Links lead into folders that are copied too. A deleted file may still be listed.
            if !from.is_file() || from.is_symlink() {
                continue;
            }
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(&from, &to).unwrap();
            let written = std::fs::metadata(&from).unwrap().modified().unwrap();
            let copy = std::fs::File::options().write(true).open(&to).unwrap();
            copy.set_modified(written).unwrap();
        }
        workspace
    }

    /// Adds or replaces a file.
    pub(crate) fn file(self, path: &str, content: &str) -> Self {
        self.write(path, content);
        self
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.root().join(path).exists()
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn layout(&self) -> Layout {
        tool::layout(self.root())
    }

    /// Runs git in the workspace and returns its output.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .current_dir(self.root())
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args(arguments)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {message}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns every file by path, except those of git.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.root().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.root()).unwrap().to_str().unwrap();
                if name == ".git" {
                    continue;
                } else if path.is_dir() {
                    folders.push(path);
                } else {
                    files.insert(name.to_owned(), std::fs::read(&path).unwrap());
                }
            }
        }
        files
    }

    /// Runs `regen`; returns whether the crate is fresh, and the output.
    pub(crate) fn regen(&self, check: bool) -> (bool, String) {
        let mut out = Vec::new();
        let fresh = tool::regen(&self.layout(), check, &mut out).unwrap();
        (fresh, String::from_utf8(out).unwrap())
    }

    /// Returns the rendered error of a `regen` that must fail.
    pub(crate) fn failure(&self) -> String {
        let mut out = Vec::new();
        let error =
            tool::regen(&self.layout(), false, &mut out).expect_err("regen succeeded on bad input");
        assert!(
            !self.exists("generated/src/lib.rs"),
            "a failing run must write nothing"
        );
        error.to_string()
    }
}

fn copy(from: &Path, to: &Path) {
    let Ok(entries) = std::fs::read_dir(from) else {
        return;
    };
    std::fs::create_dir_all(to).unwrap();
    for entry in entries {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
