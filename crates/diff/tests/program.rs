//! Tests of the program `openapi-diff`, run from a shell and by git.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test writes its inputs, runs the program, and fails where it panics"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const OLD: &str = "\
openapi: 3.0.3
info: {title: Library, version: '1'}
paths:
  /books: {get: {responses: {'204': {description: None.}}}}
  /books/{id}: {get: {responses: {'204': {description: None.}}}}
  /shelves/{id}/books: {get: {responses: {'204': {description: None.}}}}
";

/// Creates a folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn output(folder: &TempDir, program: &str, arguments: &[&str]) -> Output {
    let ours = Path::new(env!("CARGO_BIN_EXE_openapi-diff"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", ours.parent().unwrap().display());
    Command::new(program)
        .args(arguments)
        .current_dir(folder.path())
        .env("PATH", path)
        .output()
        .unwrap()
}

/// Runs the program. Returns its exit code and output.
fn run(folder: &TempDir, arguments: &[&str]) -> (i32, String) {
    let output = output(folder, env!("CARGO_BIN_EXE_openapi-diff"), arguments);
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

/// Runs a program that has to succeed.
fn succeed(folder: &TempDir, program: &str, arguments: &[&str]) -> String {
    let output = output(folder, program, arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn two_documents_are_required() {
    let folder = folder(&[]);
    for wrong in [vec![], vec!["a.yaml"]] {
        assert_eq!(run(&folder, &wrong).0, 2, "{wrong:?}");
    }
    let (code, text) = run(&folder, &["-", "-"]);
    assert_eq!(code, 2);
    let reason = "standard input cannot be both documents";
    assert!(text.contains(reason), "{text}");
}

#[test]
fn a_reader_that_has_read_enough_gets_no_message() {
    let folder = folder(&[("old.yaml", OLD), ("new.yaml", OLD)]);
    let mut program = Command::new(env!("CARGO_BIN_EXE_openapi-diff"))
        .args(["old.yaml", "new.yaml"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(program.stdout.take());
    let output = program.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_verdict_decides_the_exit_code() {
    let more = OLD.replace("  /books:", "  /pens: {get: {}}\n  /books:");
    let folder = folder(&[("old.yaml", OLD), ("new.yaml", &more)]);
    for (limit, code) in [("breaking", 0), ("safe", 1)] {
        let arguments = ["old.yaml", "new.yaml", "--fail-on", limit];
        assert_eq!(run(&folder, &arguments).0, code);
    }
    let swapped = ["new.yaml", "old.yaml", "--fail-on", "breaking"];
    let (code, text) = run(&folder, &swapped);
    assert_eq!(code, 1);
    assert!(text.contains("Wire breaking: 1 breaking"), "{text}");
    assert!(!text.contains("Rust"), "{text}");
}

#[test]
fn git_shows_changes_by_the_driver_of_the_documentation() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let folder = folder(&[("api.yaml", OLD), ("other.yaml", "a: 1\n")]);
    let git = |arguments: &[&str]| succeed(&folder, "git", arguments);
    git(&["init", "--quiet"]);
    let section = readme.split("### In `git diff`").nth(1).unwrap();
    let commands = section.split("```").nth(1).unwrap();
    let commands = commands.split_once('\n').unwrap().1;
    assert_eq!(commands.lines().count(), 2, "{commands}");
    succeed(&folder, "sh", &["-ec", commands]);
    git(&["add", "."]);
    git(&[
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@a.example",
        "commit",
        "--quiet",
        "--message",
        "all",
    ]);
    let change = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    change("api.yaml", &OLD.replace("  /books:", "  /pens:"));
    change("other.yaml", "a: 2\n");
    change("new.yaml", OLD);
    git(&["add", "--intent-to-add", "new.yaml"]);
    let shown = git(&["diff"]);
    assert!(shown.contains("GET /books"), "{shown}");
    assert!(shown.contains("the operation is gone"), "{shown}");
    assert!(!shown.contains("+  /pens:"), "{shown}");
    assert!(shown.contains("+a: 2"), "{shown}");
    assert!(shown.contains("+openapi: 3.0.3"), "{shown}");
}
