//! `review`: the differences that a person has to read after an update, as one list, and one command that accepts it.
//!
//! Tests write the changes beside the reviewed file: `.snap.new` beside a snapshot, `.new` beside a fact of `tests/facts/`. An empty
//! pending file requests the deletion of the fact. Nothing here compares the files with the code; the tests do.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use openapi_document::finding::{DocumentError, Finding};

use super::status::{counted, line};
use crate::install::{self, Changes};
use crate::layout::Layout;
use openapi_document::program::command;
use openapi_document::source;

/// The extension of a pending file.
const PENDING: &str = "new";
/// The header that insta writes above a snapshot: two lines of dashes with metadata between them.
const METADATA: &str = "---\n";

/// How to review.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Accepts all pending files.
    pub accept: bool,
    /// Shows what earlier tests left, and runs none.
    pub no_run: bool,
}

/// A reviewed file that a test found out of date.
struct Pending {
    /// The reviewed file, relative to the root.
    path: String,
    before: String,
    after: String,
}

/// Runs the tests that compare reviewed files, shows each difference, and accepts all of them on request. Returns whether nothing is
/// pending.
///
/// # Errors
///
/// Cargo does not start, or a file cannot be read or written.
pub fn review(layout: &Layout, options: Options, out: &mut dyn Write) -> Result<bool> {
    let Some(files) = &layout.review else {
        return Err(nothing(layout).into());
    };
    let mut failed = Vec::new();
    let runs = if options.no_run {
        &[][..]
    } else {
        &files.tests
    };
    let mut accepted = 0;
    for arguments in runs {
        line(out, "Testing", arguments)?;
        let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
        failed.extend(run(layout, &arguments)?);
        // The payloads of the first suite are read by the last one.
        if options.accept {
            accepted += accept(layout, &pending(layout, files.folder.get_ref())?, out)?;
        }
    }
    if options.no_run && options.accept {
        accepted += accept(layout, &pending(layout, files.folder.get_ref())?, out)?;
    }
    if accepted > 0 {
        // Some compare with what was pending while they ran.
        let again = std::mem::take(&mut failed);
        for arguments in again {
            failed.extend(run(layout, &arguments)?);
        }
    }
    let pending = pending(layout, files.folder.get_ref())?;
    for one in &pending {
        write!(out, "{}", shown(one))?;
    }
    for arguments in &failed {
        line(out, "Failed", &reason(arguments, !pending.is_empty()))?;
    }
    match (pending.len(), accepted) {
        (0, 0) if failed.is_empty() => line(out, "Reviewed", "nothing is pending")?,
        (0, 0) => {}
        (0, accepted) => line(out, "Accepted", &counted(accepted, "file"))?,
        (number, _) => {
            let files = counted(number, "file");
            line(out, "Pending", &files)?;
            line(
                out,
                "Help",
                &format!(
                    "compare each line with the provider's reference, then run `{}`",
                    command("review --accept")
                ),
            )?;
        }
    }
    Ok(pending.is_empty() && failed.is_empty())
}

fn nothing(layout: &Layout) -> DocumentError {
    DocumentError::Unreadable(vec![Finding::about(
        "no-review",
        &layout.package_file,
        "the file names no tests that write files for review",
        "add `[review]` with the `folder` of the files, and as `tests` the arguments of `cargo test`",
    )])
}

/// Why tests failed, as far as that is known, and the command that repeats them.
fn reason(arguments: &[String], is_pending: bool) -> String {
    let why = if is_pending {
        "tests failed, and may pass once the pending files are accepted"
    } else {
        "a test failed for another reason than a pending file"
    };
    format!("{why}: cargo test {}", arguments.join(" "))
}

/// Runs tests that write pending files. Returns the arguments that repeat the failed ones, if there are any.
#[expect(clippy::disallowed_methods, reason = "it runs cargo")]
fn run(layout: &Layout, arguments: &[String]) -> Result<Option<Vec<String>>> {
    let output = Command::new("cargo")
        .args(["test", "--quiet"])
        .args(arguments)
        // Write all of it, and go on after the first.
        .envs([("INSTA_UPDATE", "new"), ("INSTA_FORCE_PASS", "1")])
        .env_remove("CI")
        .current_dir(&layout.root)
        .stderr(Stdio::inherit())
        .output()
        .context("starting cargo")?;
    if output.status.success() {
        return Ok(None);
    }
    let output = String::from_utf8_lossy(&output.stdout);
    Ok(Some(repeated(arguments, failures(&output))))
}

/// The arguments that run the failed tests again; the same where the harness named none, as without a build.
fn repeated(arguments: &[String], failed: Vec<String>) -> Vec<String> {
    if failed.is_empty() {
        return arguments.to_vec();
    }
    let before = arguments.iter().take_while(|one| *one != "--").cloned();
    let only = ["--", "--include-ignored", "--exact"].map(str::to_owned);
    before.chain(only).chain(failed).collect()
}

/// The failed tests, as the test harness lists them at its end.
fn failures(output: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_list = false;
    for line in output.lines() {
        is_list = line == "failures:" || is_list && line.starts_with("    ");
        names.extend(
            line.strip_prefix("    ")
                .filter(|_| is_list)
                .map(str::to_owned),
        );
    }
    names
}

/// All pending files below the tests, by path.
fn pending(layout: &Layout, folder: &str) -> Result<Vec<Pending>> {
    let mut found = Vec::new();
    let mut folders = vec![layout.root.join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder);
        for entry in entries.with_context(|| format!("reading {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some(OsStr::new(PENDING)) {
                found.push(of(layout, &path)?);
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

fn of(layout: &Layout, file: &Path) -> Result<Pending> {
    let after = source::string(file);
    let reviewed: PathBuf = file.with_extension("");
    let relative = reviewed.strip_prefix(&layout.root).unwrap_or(&reviewed);
    Ok(Pending {
        path: relative.to_string_lossy().replace('\\', "/"),
        // A new file has none.
        before: source::string(&reviewed).unwrap_or_default(),
        after: after.with_context(|| format!("reading {}", file.display()))?,
    })
}

/// Moves pending files to their places, all or none, and shows what changed. Returns how many they were.
fn accept(layout: &Layout, pending: &[Pending], out: &mut dyn Write) -> Result<usize> {
    let mut changes = Changes::new();
    for one in pending {
        write!(out, "{}", shown(one))?;
        let text = (!one.after.is_empty()).then(|| without_assertion(&one.after));
        changes.push((one.path.clone(), text));
        changes.push((format!("{}.{PENDING}", one.path), None));
    }
    install::change(&layout.root, &changes)?;
    Ok(pending.len())
}

/// Returns a snapshot without the line number that insta writes into pending files alone.
fn without_assertion(text: &str) -> String {
    let Some((head, body)) = parts(text) else {
        return text.to_owned();
    };
    let kept = head
        .lines()
        .filter(|line| !line.starts_with("assertion_line:"));
    let head: String = kept.map(|line| format!("{line}\n")).collect();
    format!("{METADATA}{head}{METADATA}{body}")
}

/// Returns the metadata and the content of a snapshot.
fn parts(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(METADATA)?.split_once(METADATA)
}

/// A file with its changed lines.
fn shown(one: &Pending) -> String {
    let body =
        |text: &str| parts(text).map_or_else(|| text.to_owned(), |(_, body)| body.to_owned());
    let (before, after) = (body(&one.before), body(&one.after));
    let state = match (one.before.is_empty(), one.after.is_empty()) {
        (true, _) => " (new)",
        (_, true) => " (goes)",
        _ => "",
    };
    let mut text = format!("{}{state}\n", one.path);
    for (sign, line) in changed_lines(&before, &after) {
        text += &format!("  {sign} {line}\n");
    }
    text + "\n"
}

/// The lines that differ: a longest common subsequence between the first and the last difference.
fn changed_lines<'t>(before: &'t str, after: &'t str) -> Vec<(char, &'t str)> {
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    let same = |(one, other): &(&&str, &&str)| one == other;
    let start = before.iter().zip(&after).take_while(same).count();
    let rest = |lines: &[&'t str]| lines.get(start..).unwrap_or_default().to_vec();
    let (mut before, mut after) = (rest(&before), rest(&after));
    while before.last().is_some() && before.last() == after.last() {
        before.pop();
        after.pop();
    }
    // common[i][j]: how many lines are common from i and j on.
    let columns = after.len().saturating_add(1);
    let mut common = vec![vec![0_usize; columns]; before.len().saturating_add(1)];
    let at = |common: &[Vec<usize>], i: usize, j: usize| {
        let row = common.get(i).and_then(|row| row.get(j));
        row.copied().unwrap_or_default()
    };
    for (i, one) in before.iter().enumerate().rev() {
        for (j, other) in after.iter().enumerate().rev() {
            let longest = if one == other {
                at(&common, i + 1, j + 1) + 1
            } else {
                at(&common, i + 1, j).max(at(&common, i, j + 1))
            };
            if let Some(place) = common.get_mut(i).and_then(|row| row.get_mut(j)) {
                *place = longest;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    loop {
        match (before.get(i), after.get(j)) {
            (Some(one), Some(other)) if one == other => (i, j) = (i + 1, j + 1),
            (Some(one), other)
                if other.is_none() || at(&common, i + 1, j) >= at(&common, i, j + 1) =>
            {
                lines.push(('-', *one));
                i += 1;
            }
            (_, Some(other)) => {
                lines.push(('+', *other));
                j += 1;
            }
            (_, None) => return lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_that_differ_are_shown() {
        let before = "a\nb\nc\nd\ne\n";
        let after = "a\nb\nnew\nd\nmore\ne\n";
        let expected = [('-', "c"), ('+', "new"), ('+', "more")];
        assert_eq!(changed_lines(before, after), expected);
        assert_eq!(changed_lines(before, before), []);
        assert_eq!(changed_lines("", "a\n"), [('+', "a")]);
        assert_eq!(changed_lines("a\n", ""), [('-', "a")]);
    }

    #[test]
    fn failed_tests_are_named() {
        let output = "running 2 tests\n\nfailures:\n\n---- a::b stdout ----\n    indented\nfailures:\n    a::b\n    c\n\ntest result: FAILED\n";
        assert_eq!(failures(output), ["a::b", "c"]);
        assert_eq!(failures("error: could not compile\n"), [""; 0]);
        let arguments = ["-p", "a", "--", "b::"].map(str::to_owned);
        let named = repeated(&arguments, failures(output));
        assert_eq!(named.join(" "), "-p a -- --include-ignored --exact a::b c");
        assert_eq!(repeated(&arguments, Vec::new()), arguments);
        assert_eq!(
            reason(&named, true),
            "tests failed, and may pass once the pending files are accepted: cargo test -p a -- --include-ignored --exact a::b c"
        );
        assert!(reason(&named, false).starts_with("a test failed for another reason"));
    }

    #[test]
    fn a_snapshot_is_accepted_without_its_line_number() {
        let pending = "---\nsource: a.rs\nassertion_line: 7\n---\ntext\n---\nmore\n";
        let accepted = "---\nsource: a.rs\n---\ntext\n---\nmore\n";
        assert_eq!(without_assertion(pending), accepted);
        assert_eq!(without_assertion("plain\n"), "plain\n");
    }
}
