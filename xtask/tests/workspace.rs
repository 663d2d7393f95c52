//! The program works on the workspace of the current folder, and knows nothing of the one that built it.

#![expect(
    clippy::disallowed_methods,
    reason = "runs the binary in folders that it makes"
)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /things: {get: {operationId: things, responses: {'204': {description: None.}}}}
";

const PACKAGE: &str = "\
overlay: 1.1.0
info: {title: The package, version: 1.0.0}
x-override: {published: p, observed: o, reference: '1', retire-when: r}
actions:
  - target: $.info
    update: {x-rust-package: {name: small, version: 0.1.0, environment: SMALL, description: A client}}
";

/// A program that is run elsewhere than where it was built, and the folder with it.
struct Elsewhere {
    folder: TempDir,
    program: PathBuf,
}

impl Elsewhere {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("xtask");
        fs::copy(env!("CARGO_BIN_EXE_xtask"), &program).unwrap();
        fs::create_dir_all(folder.path().join("some/folder")).unwrap();
        Self { folder, program }
    }

    fn run(&self, folder: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(&self.program);
        // As it is set for a program that cargo runs.
        command.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
        command
            .current_dir(folder)
            .args(arguments)
            .output()
            .unwrap()
    }
}

/// The files of the repository that commands write, with their texts.
fn files(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = ["spec", "overrides", "generated", "tests/documents"]
        .iter()
        .map(|folder| root.join(folder))
        .collect();
    for file in ["Cargo.lock", "CHANGELOG.md"] {
        files.push((
            root.join(file),
            fs::read(root.join(file)).unwrap_or_default(),
        ));
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push((path.clone(), fs::read(path).unwrap())),
            }
        }
    }
    files.sort();
    files
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn a_command_without_a_workspace_says_what_it_looked_for_and_changes_nothing() {
    let elsewhere = Elsewhere::new();
    let here = elsewhere.folder.path().join("some/folder");
    fs::write(here.join("new.yaml"), DOCUMENT).unwrap();
    let before = files(&repository());
    for arguments in [
        &["regen"][..],
        &["regen", "--check"],
        &["update", "new.yaml"],
        &["release"],
        &["review", "--no-run"],
        &["soak"],
        &["bench"],
        &["diff"],
        &["diff", "new.yaml", "new.yaml", "--reconciled"],
        &["overrides", "list"],
        &["overrides", "check"],
        &["overrides", "guard"],
        &["overrides", "rebase", "--document", "new.yaml"],
        &["overrides", "new", "upstream/a", "--target", "$.info"],
        &["overrides", "from-drift", "line"],
    ] {
        let output = elsewhere.run(&here, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains("error[no-workspace]"),
            "{arguments:?}: {said}"
        );
        assert!(said.contains("Cargo.toml and spec/openapi.yaml"), "{said}");
        assert!(said.contains("some/folder"), "{said}");
    }
    let left = fs::read_dir(&here).unwrap().count();
    assert_eq!(left, 1, "a command wrote something");
    assert!(before == files(&repository()), "the repository changed");
}

#[test]
fn commands_that_need_no_workspace_run_anywhere() {
    let elsewhere = Elsewhere::new();
    let here = elsewhere.folder.path().join("some/folder");
    fs::write(here.join("a.yaml"), DOCUMENT).unwrap();
    fs::write(here.join("o.yaml"), "overlay: 1.0.0\ninfo: {title: O, version: '1'}\nactions: [{target: $.info, update: {title: T}}]\n").unwrap();
    for arguments in [
        &["diff", "a.yaml", "a.yaml"][..],
        &["diff", "a.yaml", "a.yaml", "--wire-only"],
        &["generate", "a.yaml", "--output", "crate"],
        &["overlay", "apply", "a.yaml", "o.yaml"],
    ] {
        let output = elsewhere.run(&here, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    }
}

#[test]
fn another_checkout_is_the_workspace_of_commands_in_it() {
    let elsewhere = Elsewhere::new();
    let clone = elsewhere.folder.path().join("clone");
    let write = |path: &str, text: &str| {
        let path = clone.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("Cargo.toml", "[workspace]\n");
    write("spec/openapi.yaml", DOCUMENT);
    write("overrides/generator/package.yaml", PACKAGE);
    write(
        "some/folder/new.yaml",
        &DOCUMENT.replace("/things:", "/items:"),
    );
    let before = files(&repository());
    let run = |folder: &str, arguments: &[&str], code: i32| {
        let output = elsewhere.run(&clone.join(folder), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    };
    run("spec", &["overrides", "guard", "package"], 0);
    run("", &["regen", "--check"], 1);
    run("some/folder", &["regen"], 0);
    assert!(clone.join("generated/src/lib.rs").is_file());
    run("spec", &["regen", "--check"], 0);
    for arguments in [&["init", "--quiet"][..], &["add", "."]] {
        let mut git = Command::new("git");
        let status = git.current_dir(&clone).args(arguments).status().unwrap();
        assert!(status.success());
    }
    run("some/folder", &["update", "new.yaml"], 0);
    let updated = fs::read_to_string(clone.join("spec/openapi.yaml")).unwrap();
    assert!(updated.contains("/items:"), "{updated}");
    assert!(before == files(&repository()), "the repository changed");
}

/// Debugging information has paths, and other crates are elsewhere: what is looked for is what the program itself could use.
#[test]
fn no_source_of_the_program_takes_a_path_of_the_build() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for word in ["CARGO_MANIFEST", "OUT_DIR", "CARGO_TARGET", "option_env!"] {
                assert!(!text.contains(word), "{}: {word}", path.display());
            }
        }
    }
}
