//! The changes of an update, worked out in memory from the workspace and the new document.

use std::io::Write;

use anyhow::Result;
use client_generator::emit::DOCUMENT;
use openapi_diff::{Differences, Report, Surfaces};
use openapi_document::finding::DocumentError;
use openapi_document::program::command;
use openapi_document::source::Source;
use openapi_overrides::{OverrideReport, OverrideSet, Rebase};

use super::additions::Additions;
use super::changelog::{self, Notes, Section};
use super::changes::{changes, text};
use super::documents::{Documents, documents};
use super::made::{Callers, made};
use super::moves::Moves;
use super::options::Options;
use super::saved::Saved;
use super::{screen, version, wording};
use crate::commands::overrides::{about_document, judged, proposed, rebased, show};
use crate::commands::retired;
use crate::commands::status::line;
use crate::install::Changes;
use client_generator::generate::Layout;

/// An update that needs no person's decision first.
pub(super) struct Plan {
    /// The changes of the new document.
    pub(super) report: Report,
    /// The overrides in the terms of the new document, with all that go.
    pub(super) rebase: Rebase,
    /// The operations that moved, a sentence for each kind of move.
    pub(super) moved: Vec<String>,
    pub(super) additions: Additions,
    /// The changes for callers, as the changelog lists them.
    pub(super) sections: Vec<Section>,
    /// The changed descriptions, if the document changes nothing else.
    pub(super) wording: Option<Vec<String>>,
    /// The version of the package.
    pub(super) version: version::Step,
    /// The charges that the crate no longer reads, if a person accepted that.
    pub(super) uncharged: Option<String>,
    /// `info.version` of the new document.
    pub(super) interface: String,
    /// The files, in the order in which they change. The document is last: while it is the old one, an update that crashed is not mistaken
    /// for a complete one.
    pub(super) changes: Changes,
}

/// Plans an update; `None` if the new document equals the old one. If a person has to decide first, the report on the document
/// is printed for that decision.
pub(super) fn plan(
    layout: &Layout,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Option<Plan>> {
    let documents = documents(layout, options)?;
    let Documents {
        old, given, new, ..
    } = &documents;
    // What is written has the order of the committed document, and what was given may have another one.
    if old.value == new.value {
        return Ok(None);
    }
    // First: an update that crashed leaves a state that cannot be planned from.
    if !options.dry_run {
        Saved::read(layout, &documents.places(layout))?;
    }
    // The move of a path is told as such: its operation is neither gone nor new.
    let moves = Moves::between(&old.value, &given.value);
    let differences = openapi_diff::compare(&moves.applied(old.clone()), given);
    let before = layout.set()?;
    let mut rebase = rebased(layout, (old, given), &before, options.accept)?;
    show(&rebase, options.verbose, out)?;
    let (name, verbose) = (&options.name, options.verbose);
    if let Some(stop) = proposed(layout, (old, given), &before, &rebase, name, verbose)? {
        return Err(stop.into());
    }
    let stop = judged(given, &mut rebase);
    if let Some(stop) = stop {
        print_changes(&documents, differences, options, out)?;
        return Err(undecided(stop, &rebase, options, out)?.into());
    }
    let old = OldSet {
        report: openapi_overrides::judge(old, &before).report(),
        set: before,
    };
    decided(layout, options, &documents, old, rebase, differences, out).map(Some)
}

/// Prints the changes of the new document for a person who has to decide something.
fn print_changes(
    documents: &Documents,
    differences: Differences,
    options: &Options,
    out: &mut dyn Write,
) -> Result<()> {
    let (old, new) = (&documents.old.path, &documents.given.path);
    let report = Report::new(old, new, differences, Surfaces::Skipped);
    Ok(writeln!(
        out,
        "{}",
        screen::report(&report, options, false)
    )?)
}

/// The overrides of the document in place.
struct OldSet {
    set: OverrideSet,
    report: OverrideReport,
}

/// Plans an update whose overrides need no decision.
fn decided(
    layout: &Layout,
    options: &Options,
    documents: &Documents,
    before: OldSet,
    mut rebase: Rebase,
    differences: Differences,
    out: &mut dyn Write,
) -> Result<Plan> {
    let Documents {
        old, given, new, ..
    } = documents;
    let kept = std::mem::take(&mut rebase.set);
    // The document of the callers, which differs if overrides have been corrected since.
    let callers = Callers {
        document: Source::read(&layout.root, &format!("{}/{DOCUMENT}", layout.generated))?,
        report: before.report,
    };
    let from = text(&callers.document, "/info/x-rust-package/version");
    if from.is_empty() {
        return Err(version::nowhere(layout).into());
    }
    let made = match made(layout, options, documents, &kept, callers) {
        Ok(made) => made,
        Err(stop) => {
            print_changes(documents, differences, options, out)?;
            return Err(stop.into());
        }
    };
    let surface = &made.surface;
    let bump = surface.iter().map(|difference| difference.bump).max();
    let version = version::step(&from, options.version.as_deref(), bump, made.moves.bump())?;
    let surfaces = Surfaces::Compared(surface.clone());
    let report = Report::new(&old.path, &given.path, differences, surfaces);
    let interface = text(new, "/info/version");
    let moved = made.moves.sentences();
    let sections = changelog::sections(&Notes {
        moved: &moved,
        surface,
        wire: &made.wire,
    });
    let entry = changelog::entry(&version.to.to_string(), &interface, &sections);
    let sets = (&before.set, kept);
    let step = (&version, entry.as_str());
    let changes = changes(layout, documents, sets, made.code, step, &rebase.retired)?;
    // Checked again, because a person may have gone on editing.
    if !options.dry_run {
        Saved::read(layout, &documents.places(layout))?.has_all_of(layout, &changes)?;
    }
    Ok(Plan {
        wording: wording::lines(report.changes.iter().map(|entry| &entry.change))
            .filter(|_| moved.is_empty()),
        report,
        rebase,
        moved,
        additions: made.additions,
        sections,
        version,
        uncharged: made.uncharged,
        interface,
        changes,
    })
}

/// Prints the automatic changes and the commands for the others. Returns the findings for a person.
fn undecided(
    stop: DocumentError,
    rebase: &Rebase,
    options: &Options,
    out: &mut dyn Write,
) -> Result<DocumentError> {
    retired::print(&rebase.retired, out)?;
    let accept = if options.accept { " --accept" } else { "" };
    let again = format!("{}{accept}", options.name);
    if !rebase.files.is_empty() {
        let help = format!(
            "`{}` writes the overrides that follow; then see to the others",
            command(format_args!("overrides rebase --document {again}"))
        );
        line(out, "Help", &help)?;
    }
    let then = command(format_args!("update {again}"));
    Ok(stop.map(|finding| about_document(finding, &options.name, &then)))
}
