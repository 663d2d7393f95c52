//! A changelog for people over a range of revisions: each commit that changed the document, with its changes on the wire.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::{BUNDLED, Root, Source, joined};
use openapi_document::{git, given};
use serde_json::Value;

use crate::{Filter, Report, Surfaces, Wire, compare, entry, extend, refusal};

/// Input of a changelog.
#[derive(Clone, Debug)]
pub struct Log {
    /// Folder of the repository; empty for the current one.
    pub root: PathBuf,
    /// Root folder for references to other files.
    pub files: Root,
    /// Two revisions separated by two dots; without the second, up to `HEAD`.
    pub range: String,
    /// Path of the document in the repository.
    pub document: String,
    /// Filter of the listed changes.
    pub filter: Filter,
    /// Lowest verdict on which the command fails.
    pub fail_on: Option<Wire>,
}

/// A commit that changed the document.
struct Commit {
    hash: String,
    title: String,
}

/// Prints the changelog as Markdown, oldest commit first. If the document of a commit cannot be compared, the reason is printed instead.
/// Returns whether each change stays below `fail_on`, the filter matches something, all references were followed, and the last document was
/// compared.
pub fn log(log: &Log, out: &mut dyn Write) -> Result<bool> {
    let Some((from, to)) = log
        .range
        .split_once("..")
        .filter(|(from, _)| !from.is_empty())
    else {
        return Err(refused(log, "the range lacks `..` after a revision".to_owned()).into());
    };
    let to = if to.is_empty() { "HEAD" } else { to };
    let mut last = read(from, log)?;
    let mut entries: Vec<(Commit, Result<Report, DocumentError>)> = Vec::new();
    let mut operations = BTreeMap::new();
    for commit in versions(from, to, &last, log)? {
        let report = read(&commit.hash, log).map(|next| {
            let mut report = compared(&last, &next);
            extend(&mut operations, std::mem::take(&mut report.operations));
            last = next;
            report
        });
        entries.push((commit, report));
    }
    if operations.is_empty() {
        operations = compared(&last, &last).operations;
    }
    drop(last);
    let unmatched = log.filter.unmatched(&operations);
    let mut is_fine = unmatched.is_empty();
    let is_last_read = entries.last().is_none_or(|(_, report)| report.is_ok());
    writeln!(out, "# Changes of {} from {from} to {to}", log.document)?;
    for (commit, report) in entries {
        writeln!(out, "\n## {}\n", commit.title)?;
        match report {
            Ok(mut report) => {
                // A filter may use an operation's name before or after this commit.
                report.operations = operations;
                let report = report.filtered(&log.filter);
                write!(out, "{}", entry(&report))?;
                is_fine &= report.findings.is_empty();
                is_fine &= log.fail_on.is_none_or(|limit| report.wire < limit);
                operations = report.operations;
            }
            Err(stop) => {
                for finding in stop.findings() {
                    writeln!(out, "- not compared: {}", finding.message)?;
                }
            }
        }
    }
    for finding in &unmatched {
        writeln!(out, "\n{finding}")?;
    }
    Ok(is_fine && is_last_read)
}

fn compared(old: &Source, new: &Source) -> Report {
    let differences = compare(old, new);
    Report::new(&old.path, &new.path, differences, Surfaces::Skipped)
}

/// Returns the commits that changed the document or a file that it refers to. A file may be part of it in some of the commits only.
fn versions(from: &str, to: &str, first: &Source, log: &Log) -> Result<Vec<Commit>, DocumentError> {
    let mut files = files(first, log);
    let mut looked_at = HashSet::new();
    loop {
        let commits = commits(from, to, &files, log)?;
        let known = files.len();
        for commit in &commits {
            if looked_at.insert(commit.hash.clone())
                && let Ok(document) = read(&commit.hash, log)
            {
                files.extend(self::files(&document, log));
            }
        }
        if files.len() == known {
            return Ok(commits);
        }
    }
}

/// Returns the files of a document, as paths in the repository.
fn files(document: &Source, log: &Log) -> BTreeSet<String> {
    let others = document.value.get(BUNDLED).and_then(Value::as_object);
    let others = others.into_iter().flatten();
    let others = others.map(|(path, _)| joined(&log.document, path));
    others.chain([log.document.clone()]).collect()
}

/// Reads the document at a revision.
fn read(revision: &str, log: &Log) -> Result<Source, DocumentError> {
    let name = format!("{revision}:{}", log.document);
    let source = given::tolerant(&log.root, &name, &log.files)?;
    match refusal(&source) {
        Some(refusal) => Err(DocumentError::Unreadable(vec![refusal])),
        None => Ok(source),
    }
}

/// Returns the commits that changed one of these files, oldest first; for a merged branch, the merge commit.
fn commits(
    from: &str,
    to: &str,
    files: &BTreeSet<String>,
    log: &Log,
) -> Result<Vec<Commit>, DocumentError> {
    let range = format!("{from}..{to}");
    let mut arguments = vec![
        "log",
        "--first-parent",
        "--diff-merges=first-parent",
        "--reverse",
        "--format=%H %cs %s (%h)",
        "--end-of-options",
        &range,
        "--",
    ];
    let paths: Vec<String> = files.iter().map(|file| format!(":(top){file}")).collect();
    arguments.extend(paths.iter().map(String::as_str));
    let listed = git::git(&log.root, &arguments).map_err(|message| refused(log, message))?;
    let listed = String::from_utf8_lossy(&listed);
    let commits = listed.lines().filter_map(|line| line.split_once(' '));
    let commit = |(hash, title): (&str, &str)| Commit {
        hash: hash.to_owned(),
        title: title.to_owned(),
    };
    Ok(commits.map(commit).collect())
}

fn refused(log: &Log, message: String) -> DocumentError {
    let help = "give the old revision, two dots and the new one, as v1.2.0..HEAD";
    DocumentError::Unreadable(vec![Finding::about("range", &log.range, message, help)])
}
