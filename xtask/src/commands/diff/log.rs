//! A changelog for people over a range of revisions: each commit that changed the document, and what it changed on the wire.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;

use crate::commands::{git, given};
use crate::diff::{self, Filter, Report, Surfaces};
use crate::finding::{Finding, Stop};
use crate::source::Source;

/// What a changelog is about.
#[derive(Clone, Debug)]
pub struct Log {
    /// A folder of the repository; empty for the current one.
    pub root: PathBuf,
    /// Two revisions with two dots between; without the second, up to `HEAD`.
    pub range: String,
    /// The document, from the top of the repository.
    pub document: String,
    /// Which changes are listed.
    pub filter: Filter,
}

/// A commit that changed the document.
struct Commit {
    hash: String,
    title: String,
}

/// Prints the changelog as Markdown, the oldest commit first. A commit without a document that can be compared has the reason in its place.
pub fn log(log: &Log, out: &mut dyn Write) -> Result<()> {
    let Some((from, to)) = log
        .range
        .split_once("..")
        .filter(|(from, _)| !from.is_empty())
    else {
        return Err(refused(log, "the range has no two dots after a revision".to_owned()).into());
    };
    let to = if to.is_empty() { "HEAD" } else { to };
    let mut last = read(from, log)?;
    writeln!(out, "# Changes of {} from {from} to {to}", log.document)?;
    for commit in commits(from, to, log)? {
        writeln!(out, "\n## {}\n", commit.title)?;
        match read(&commit.hash, log) {
            Ok(next) => {
                write!(out, "{}", entry(&last, &next, log))?;
                last = next;
            }
            Err(stop) => {
                for finding in stop.findings() {
                    writeln!(out, "- not compared: {}", finding.message)?;
                }
            }
        }
    }
    Ok(())
}

fn entry(old: &Source, new: &Source, log: &Log) -> String {
    let differences = diff::compare(old, new);
    let report = Report::new(&old.path, &new.path, differences, Surfaces::Skipped);
    diff::entry(&report.filtered(&log.filter))
}

/// The document at a revision.
fn read(revision: &str, log: &Log) -> Result<Source, Stop> {
    let name = format!("{revision}:{}", log.document);
    let source = given::tolerant(&log.root, &name)?;
    match diff::refusal(&source) {
        Some(refusal) => Err(Stop::Unreadable(vec![refusal])),
        None => Ok(source),
    }
}

/// The commits that changed the document, the oldest first; of a branch that was merged, the merge.
fn commits(from: &str, to: &str, log: &Log) -> Result<Vec<Commit>, Stop> {
    let (range, path) = (format!("{from}..{to}"), format!(":(top){}", log.document));
    let arguments = [
        "log",
        "--first-parent",
        "--diff-merges=first-parent",
        "--reverse",
        "--format=%H %cs %s (%h)",
        "--end-of-options",
        &range,
        "--",
        &path,
    ];
    let listed = git::git(&log.root, &arguments).map_err(|message| refused(log, message))?;
    let listed = String::from_utf8_lossy(&listed);
    let commits = listed.lines().filter_map(|line| line.split_once(' '));
    let commit = |(hash, title): (&str, &str)| Commit {
        hash: hash.to_owned(),
        title: title.to_owned(),
    };
    Ok(commits.map(commit).collect())
}

fn refused(log: &Log, message: String) -> Stop {
    let help =
        "give the last revision that is known, and after two dots the new one, as v1.2.0..HEAD";
    Stop::Unreadable(vec![Finding::about("range", &log.range, message, help)])
}
