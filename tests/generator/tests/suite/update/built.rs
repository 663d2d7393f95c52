//! The client of a played update builds, and its tests pass after the facts are written. All of it is built in the folder of this
//! repository's builds, of which most is used again.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::played::{New, play};
use crate::support::{Workspace, repository};

/// The packages that an update rebuilds. Without line tables, their files have other names than those of this repository.
const REBUILT: [&str; 3] = [
    "company-intel",
    "company-intel-sandbox",
    "conformance-tests",
];
/// Folders with files that an update changes. What the last case has built of them would be taken for fresh.
const CHANGED: [&str; 4] = [
    "generated",
    "tests/conformance",
    "tests/facts",
    "tests/sandbox",
];
/// The tests that write facts, of this program.
const FACTS: [&str; 5] = [
    "architecture::purity",
    "gone::",
    "payloads::",
    "reference::",
    "what_is_about_an_override",
];
/// Topics of the tests that no document changes.
const OTHERS: [&str; 5] = ["depot::", "faults::", "listings::", "readme::", "streams::"];

/// Topics of this program about the committed crate. Those of later updates are about the generator.
const COMMITTED: [&str; 10] = [
    "architecture::",
    "committed::",
    "due::",
    "evidence::",
    "paths::",
    "plain::",
    "provenance::",
    "snapshots::",
    "surface::",
    "--skip=rebase::",
];

/// Updates a checkout of this repository, writes the facts, builds the client with its tests and examples, and runs the tests. Returns the
/// names of the red ones, with their output.
pub(super) fn build(new: &New) -> Vec<String> {
    let workspace = Workspace::checkout();
    play(&workspace, new, |_, _| {});
    for folder in CHANGED {
        touch(&workspace.root().join(folder));
    }
    let own = std::env::current_exe().unwrap();
    let package = workspace.root().join("tests/generator");
    let mut red = red_tests(&own, &package, &FACTS);
    red.extend(red_tests(&own, &package, &COMMITTED));
    let tests = built(workspace.root());
    assert!(tests.len() > 1, "{tests:?}");
    for (program, package) in tests {
        let skipped = OTHERS.iter().flat_map(|topic| ["--skip", topic]);
        red.extend(red_tests(&program, &package, &skipped.collect::<Vec<_>>()));
    }
    red
}

/// Makes all files of a folder newer than what was built of them.
fn touch(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            touch(&path);
        } else {
            let file = std::fs::File::options().write(true).open(path).unwrap();
            file.set_modified(std::time::SystemTime::now()).unwrap();
        }
    }
}

/// Runs the tests of a package, and prints the output of red ones. Snapshots and facts that differ are written, as a person does who reviews
/// them.
fn red_tests(program: &Path, package: &Path, arguments: &[&str]) -> Vec<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(package)
        .env("CARGO_MANIFEST_DIR", package)
        .env("INSTA_WORKSPACE_ROOT", package.join("../.."))
        .env("INSTA_UPDATE", "always")
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let lines = shown.lines().filter_map(|line| line.strip_prefix("test "));
    let red = lines.filter_map(|line| line.strip_suffix(" ... FAILED"));
    let red: Vec<String> = red.map(str::to_owned).collect();
    assert_eq!(output.status.success(), red.is_empty(), "{shown}");
    if !red.is_empty() {
        println!("{}: {shown}", program.display());
    }
    red
}

/// Builds the tests and examples of the crates that use the client. Returns each test program with the folder of its package.
fn built(root: &Path) -> Vec<(PathBuf, PathBuf)> {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let target = repository().join(target);
    let played = target.join("tmp/played");
    cargo(root, &target, &["build", "--examples"]);
    let tests = ["test", "--no-run", "--test=conformance", "--test=programs"];
    let text = cargo(root, &target, &tests);
    let messages = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let programs = messages.filter_map(|message| {
        let package = Path::new(message["manifest_path"].as_str()?)
            .parent()?
            .to_owned();
        let program = PathBuf::from(message["executable"].as_str()?);
        (message["profile"]["test"] == true).then_some((program, package))
    });
    // Tests run the examples beside the folder that they are in.
    let folder = played.join("debug/deps");
    std::fs::create_dir_all(&folder).unwrap();
    let beside_examples = |(program, package): (PathBuf, PathBuf)| {
        let copy = folder.join(program.file_name().unwrap());
        std::fs::copy(&program, &copy).unwrap();
        (copy, package)
    };
    programs.map(beside_examples).collect()
}

/// Runs cargo in a checkout, with the builds of this repository. Returns its messages.
fn cargo(root: &Path, target: &Path, arguments: &[&str]) -> String {
    let debug =
        REBUILT.map(|package| format!("--config=profile.dev.package.{package}.debug=false"));
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args([
            "--workspace",
            "--locked",
            "--offline",
            "--message-format=json-render-diagnostics",
        ])
        .args(debug)
        .current_dir(root)
        .env("CARGO_BUILD_BUILD_DIR", target)
        .env("CARGO_TARGET_DIR", target.join("tmp/played"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}
