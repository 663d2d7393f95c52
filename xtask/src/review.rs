//! `cargo xtask review`: runs the tests that compare reviewed files with the document, and says why each is red. With `--accept` they write
//! the files, and a person reads them.

use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result};

use openapi_crate::commands::status::line;
use openapi_crate::layout::Layout;
use openapi_document::readable::shortened;

/// The tests, as arguments of `cargo test`, in an order in which each reads what those before it write.
const TESTS: [&[&str]; 4] = [
    &[
        "-p",
        "generator-tests",
        "--test=suite",
        "--",
        "architecture::purity",
        "diff::cases",
        "gone::",
        "overrides::",
        "payloads::",
        "reference::",
        "snapshots::",
        "update::played",
        "--skip=the_client_of_each_update",
        "--include-ignored",
    ],
    &["-p", "company-intel-sandbox", "--lib", "--", "coverage::"],
    &[
        "-p",
        "conformance-tests",
        "--test=conformance",
        "--",
        "drift::",
        "payloads::",
        "snapshots::",
    ],
    &["-p", "public-api-tests", "--", "--include-ignored"],
];

/// A red test.
#[derive(Debug, PartialEq, Eq)]
struct Red {
    test: String,
    reason: String,
}

/// Runs the tests; returns whether all are green. With `accept`, files that differ are written.
pub fn review(layout: &Layout, accept: bool, out: &mut dyn Write) -> Result<bool> {
    let update = if accept { "always" } else { "no" };
    let mut is_green = true;
    for arguments in TESTS {
        line(out, "Testing", arguments.get(1).unwrap_or(&""))?;
        out.flush()?;
        let output = Command::new("cargo")
            .args(["test", "--quiet", "--no-fail-fast"])
            .args(arguments)
            .current_dir(&layout.root)
            .env("INSTA_UPDATE", update)
            .env("RUST_BACKTRACE", "0")
            .output()
            .context("starting cargo")?;
        if output.status.success() {
            continue;
        }
        is_green = false;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        let mut all = red_tests(&text);
        let is_built = !all.is_empty();
        if !is_built {
            all.extend(build_errors(&text));
        }
        for Red { test, reason } in all {
            line(out, "Red", &format!("{test}: {reason}"))?;
        }
        if !is_built {
            let group = arguments.get(1).unwrap_or(&"");
            let reason = "its tests did not run, and none of their files was written";
            line(out, "Red", &format!("{group}: {reason}"))?;
        }
    }
    let next = match (is_green, accept) {
        (true, true) => {
            "`git diff` shows what was written: compare it with the provider's reference"
        }
        (true, false) => return Ok(true),
        (false, true) => "what is still red is for a person",
        (false, false) => {
            "`cargo xtask review --accept` writes what differs; what is red after that is for a person"
        }
    };
    line(out, "Help", next)?;
    Ok(is_green)
}

/// Lists the tests that failed, by the output of `cargo test`.
fn red_tests(text: &str) -> Vec<Red> {
    let mut sections = text.split("\n---- ");
    sections.next();
    let mut all = Vec::new();
    for section in sections {
        let Some((test, said)) = section.split_once(" stdout ----\n") else {
            continue;
        };
        all.push(Red {
            test: test.to_owned(),
            reason: reason(said),
        });
    }
    // Tests run at the same time, and end in any order.
    all.sort_by(|a, b| a.test.cmp(&b.test));
    all
}

/// Maximum number of characters of a reason.
const LONGEST: usize = 300;

/// Returns why a test failed: its snapshot, or its message in one line.
fn reason(said: &str) -> String {
    let snapshot = said
        .lines()
        .find_map(|line| line.strip_prefix("Snapshot file: "));
    let is_snapshot = said.contains("\nsnapshot assertion for ");
    if let Some(snapshot) = snapshot.filter(|_| is_snapshot) {
        return format!("{snapshot} is not what the document gives");
    }
    let (_, message) = said.split_once(" panicked at ").unwrap_or_default();
    let lines = message.lines().skip(1).map(str::trim);
    let is_end = |line: &&str| line.starts_with("note: run with ") || *line == "failures:";
    let lines = lines.take_while(|line| !is_end(line));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return "it has no message".to_owned();
    }
    shortened(&lines.join(" "), LONGEST)
}

/// Lists the errors of a build, each with its place: a test names what the new crate does not have.
fn build_errors(text: &str) -> Vec<Red> {
    let mut all = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let place = lines
            .peek()
            .and_then(|next| next.trim_start().strip_prefix("--> "));
        if let (true, Some(place)) = (line.starts_with("error"), place) {
            all.push(Red {
                test: place.to_owned(),
                reason: line.to_owned(),
            });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 3 tests
failures:

---- reference::every_field stdout ----

thread 'reference::every_field' (7) panicked at tests/facts/src/lib.rs:1:5:
tests/facts/reference.txt: the document no longer has `books`
note: run with `RUST_BACKTRACE=1`

---- prices::each stdout ----

thread 'prices::each' (9) panicked at tests/prices.rs:1:5:
assertion `left == right` failed: the price of `books`
  left: Unknown
 right: Observed
note: run with `RUST_BACKTRACE=1`

---- update::played::each stdout ----
Snapshot Summary
Snapshot file: tests/a.snap

thread 'update::played::each' (8) panicked at insta.rs:1:5:
snapshot assertion for 'a' failed in line 3
";

    #[test]
    fn a_red_test_has_its_reason() {
        let red = |test: &str, reason: &str| Red {
            test: test.to_owned(),
            reason: reason.to_owned(),
        };
        assert_eq!(
            red_tests(OUTPUT),
            [
                red(
                    "prices::each",
                    "assertion `left == right` failed: the price of `books` left: Unknown right: Observed"
                ),
                red(
                    "reference::every_field",
                    "tests/facts/reference.txt: the document no longer has `books`"
                ),
                red(
                    "update::played::each",
                    "tests/a.snap is not what the document gives"
                ),
            ]
        );
        let errors = "error[E0599]: no method named `books`\n  --> tests/a.rs:3:4\n   |\nerror: could not compile\n";
        assert_eq!(
            build_errors(errors),
            [red(
                "tests/a.rs:3:4",
                "error[E0599]: no method named `books`"
            )]
        );
    }
}
