//! What an update would change, worked out in memory from the workspace and the new document.

use std::io::{ErrorKind, Write};

use anyhow::Result;
use client_generator::emit::{Code, DOCUMENT, Packaging};
use client_generator::generate;
use client_generator::surface;
use openapi_diff::{Report, Surfaces};
use openapi_document::finding::{Finding, Stop};
use openapi_document::source::Source;
use openapi_overrides::{Override, OverrideSet, ReconciledDocument, Verdict, reconcile};
use openapi_rebase::Rebase;
use serde_json::Value;

use super::documents::{Documents, documents};
use super::moves::Moves;
use super::options::Options;
use super::saved::{Command, Saved};
use super::{changelog, charges, questions, screen, uses, version, wording};
use crate::commands::lock;
use crate::commands::overrides::{about_document, evidence, show};
use crate::commands::retired;
use crate::commands::status::line;
use crate::install::{self, Changes};
use crate::layout::Layout;

/// An update that needs no person's decision first.
pub(super) struct Plan {
    /// What the new document means.
    pub(super) report: Report,
    /// The overrides that the new document makes superfluous.
    pub(super) retired: Vec<Override>,
    /// What a person may read about the open questions. It stops nothing.
    pub(super) questions: Vec<String>,
    /// The operations that moved, a sentence for each kind of move.
    pub(super) moved: Vec<String>,
    /// Of a document that changes only what people read: which texts.
    pub(super) wording: Option<Vec<String>>,
    /// The version of the package.
    pub(super) version: version::Step,
    /// The charges that the crate no longer reads, where a person accepted that.
    pub(super) uncharged: Option<String>,
    /// Where hand-written files may use what callers lose.
    pub(super) uses: Vec<String>,
    /// `info.version` of the new document.
    pub(super) interface: String,
    /// The files, in the order in which they change: the document last, for as long as it is the old one, an update that crashed is not
    /// taken for one that is done.
    pub(super) changes: Changes,
}

/// Plans an update; `None` when the new document says what the old one says. Where a person has to look first, the report on the document
/// is printed, for it is what they need to judge it.
pub(super) fn plan(
    layout: &Layout,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Option<Plan>> {
    let documents = documents(layout, options)?;
    let Documents {
        old, given, new, ..
    } = &documents;
    if old.value == given.value {
        return Ok(None);
    }
    // First: an update that crashed leaves a state that cannot be planned from.
    if !options.dry_run {
        Saved::read(layout, &documents.places(layout), Command::Update)?;
    }
    let differences = openapi_diff::compare(old, given);
    let before = OverrideSet::load(&layout.root, &layout.overrides)?;
    let rebase = openapi_rebase::rebase(old, given, &before, options.accept)?;
    show(&rebase, options.verbose, options.json, out)?;
    if let Some(proposed) = rebase.proposed(&given.path) {
        return Err(Stop::Findings(vec![proposed]).into());
    }
    let set = rebase.set.clone();
    let (mut retired, stop) = judged(given, &rebase, options.verbose);
    retired.extend(rebase.superfluous.iter().cloned());
    if let Some(stop) = stop {
        let report = Report::new(&old.path, &given.path, differences, Surfaces::Skipped);
        writeln!(out, "{}", screen::report(&report, options))?;
        for one in &retired {
            line(
                out,
                "Superfluous",
                &format!("{} (this goes by itself)", one.source.path),
            )?;
        }
        let accept = if options.accept { " --accept" } else { "" };
        let again = format!("{}{accept}", options.name);
        if !rebase.files.is_empty() {
            let help = format!(
                "`cargo xtask overrides rebase --document {again}` writes the overrides that follow; then see to the others",
            );
            line(out, "Help", &help)?;
        }
        let then = format!("cargo xtask update {again}");
        let stop = stop.map(|finding| about_document(finding, &options.name, &then));
        return Err(stop.into());
    }

    let is_kept = |one: &&Override| !retired.iter().any(|gone| gone.id == one.id);
    let kept = OverrideSet {
        overrides: set.overrides.iter().filter(is_kept).cloned().collect(),
        questions: set.questions.clone(),
    };
    // What callers have, whatever the overrides have been corrected to by now.
    let callers = Source::read(&layout.root, &format!("{}/{DOCUMENT}", layout.generated))?;
    let from = text(&callers, "/info/x-rust-package/version");
    let of_file = |finding, after: &_| of_file(finding, layout, &documents, after);
    let made = generated(new, &kept, &of_file).and_then(|(after, code)| {
        let moves = Moves::between(&callers.value, after.value());
        let callers = moves.applied(callers);
        let surface = surfaces(&callers, &after, &code)
            .map_err(|stop| stop.map(|finding| of_file(finding, &after)))?;
        // In the terms of what callers have: what an override said before, they know to them.
        let told = openapi_diff::compare(&callers, &after.source);
        let lost = charges::lost(&callers, &code.model, &kept)?;
        if let Some(lost) = lost.as_ref().filter(|_| !options.accept) {
            return Err(Stop::Findings(vec![lost.finding(&given.path)]));
        }
        let uncharged = lost.map(|lost| lost.sentence());
        Ok((moves, surface, told, code, uncharged))
    });
    let (moves, surface, told, code, uncharged) = match made {
        Ok(made) => made,
        Err(stop) => {
            let report = Report::new(&old.path, &given.path, differences, Surfaces::Skipped);
            writeln!(out, "{}", screen::report(&report, options))?;
            return Err(stop.into());
        }
    };
    let bump = surface.iter().map(|difference| difference.bump).max();
    let version = version::step(&from, options.version.as_deref(), bump, moves.bump())?;
    let report = Report::new(
        &old.path,
        &given.path,
        differences,
        Surfaces::Compared(surface.clone()),
    );

    let wording = wording::lines(report.changes.iter().map(|entry| &entry.change));
    let questions = questions::notes(new, &kept, &rebase.touched)?;
    let interface = text(new, "/info/version");
    let mut changes = Changes::new();
    if version.bump.is_some() {
        let entry = changelog::entry(
            &version.to.to_string(),
            Some(&interface),
            &changelog::Notes {
                moved: &moves.sentences(),
                surface: &surface,
                wire: &told,
            },
        );
        let before = read_or_empty(layout, &layout.changelog)?;
        let after = changelog::with_entry(&before, &entry);
        changes.push((layout.changelog.clone(), Some(after)));
    }
    let kept = with_version(kept, &version)?;
    let name = code.model.package.name.clone();
    changes.extend(files(layout, new, &kept, code)?);
    changes.extend(lock::changes(layout, &name, &version.to.to_string())?);
    changes.extend(moved(&before, &kept));
    changes.extend(evidence(&before, &kept));
    changes.extend(retired::changes(layout, &retired, &kept.overrides));
    changes.extend(documents.changes.iter().cloned());
    // Once more, for a person may have gone on editing since.
    if !options.dry_run {
        Saved::read(layout, &documents.places(layout), Command::Update)?
            .has_all_of(layout, &changes)?;
    }
    Ok(Some(Plan {
        report,
        retired,
        questions,
        moved: moves.sentences(),
        wording,
        version,
        uncharged,
        uses: uses::uses(layout, &name, &surface),
        interface,
        changes,
    }))
}

/// The code of the new document, generated once, and the report of its overrides. Findings about the document become those of its file.
fn generated(
    new: &Source,
    set: &OverrideSet,
    of_file: &dyn Fn(Finding, &ReconciledDocument) -> Finding,
) -> Result<(ReconciledDocument, Code), Stop> {
    let after = reconcile(new, set)?;
    let told = |stop: Stop| stop.map(|finding| of_file(after.attributed(finding).error(), &after));
    let code = generate::code(&after.source, &after.report).map_err(told)?;
    // The crate is released: what it leaves out, an override says.
    Stop::unless_empty(code.warnings.clone()).map_err(told)?;
    Ok((after, code))
}

/// What the update does to the crate that callers have.
fn surfaces(
    callers: &Source,
    after: &ReconciledDocument,
    code: &Code,
) -> Result<Vec<surface::Difference>, Stop> {
    // One report for both: callers do not see which override a text comes from.
    let old = surface::read(callers, &after.report)?;
    let new = surface::of(&after.source, code).map_err(|stop| after.attribute(stop))?;
    Ok(surface::compare(&old, &new))
}

/// The files of the generated crate that change. The code is that of the new document before it had its version, which
/// stands in the manifest and the document alone.
fn files(layout: &Layout, new: &Source, set: &OverrideSet, mut code: Code) -> Result<Changes> {
    let after = reconcile(new, set)?;
    code.model.package.version = text(&after.source, "/info/x-rust-package/version");
    let tree = generate::files(new, set, &after, &code, &Packaging::Workspace)?;
    let states = install::compare(&tree, &layout.root.join(&layout.generated))?;
    Ok(install::changes(&tree, &states, &layout.generated))
}

/// The text of a file, empty where there is none.
fn read_or_empty(layout: &Layout, path: &str) -> Result<String, Stop> {
    let read = std::fs::read_to_string(layout.root.join(path));
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| {
            Stop::Unreadable(vec![Finding::about(
                "unreadable-file",
                path,
                format!("the file cannot be read, and the update adds to it: {error}"),
                "make it a text file in UTF-8 that can be read, then run the update again",
            )])
        }),
    }
}

/// A text of a document, empty where there is none.
fn text(document: &Source, pointer: &str) -> String {
    let text = document.value.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// The overrides that are retired, and what a person has to look at about the others.
fn judged(new: &Source, rebase: &Rebase, verbose: bool) -> (Vec<Override>, Option<Stop>) {
    let mut judgements = openapi_overrides::judge(new, &rebase.set);
    let of = |judgement: &openapi_overrides::Judgement| judgement.applied.by.clone();
    let is_retired =
        |judgement: &openapi_overrides::Judgement| judgement.verdict == Verdict::Retired;
    let retired = judgements
        .all
        .iter()
        .filter(|one| is_retired(one))
        .map(of)
        .collect();
    judgements.all.retain(|one| !is_retired(one));
    let findings = rebase.explained(judgements.findings(new), verbose);
    let stop = Stop::unless_empty(findings).err();
    (retired, stop)
}

/// The files of overrides and questions that have another text than before.
fn moved(before: &OverrideSet, after: &OverrideSet) -> Changes {
    let sources = |set: &OverrideSet| -> Vec<Source> {
        let overrides = set.overrides.iter().map(|one| one.source.clone());
        overrides.chain(set.questions.source.clone()).collect()
    };
    let old = sources(before);
    let is_new = |one: &Source| {
        let known = old.iter().find(|other| other.path == one.path);
        known.is_none_or(|other| other.text != one.text)
    };
    let all = sources(after).into_iter().filter(is_new);
    all.map(|one| (one.path, Some(one.text))).collect()
}

/// The set with the package's new version.
fn with_version(mut set: OverrideSet, version: &version::Step) -> Result<OverrideSet, Stop> {
    if version.to == version.from {
        return Ok(set);
    }
    let (index, text) = version::written(&set, version)?;
    if let Some(one) = set.overrides.get_mut(index) {
        let path = one.source.path.clone();
        let evidence = std::mem::take(&mut one.evidence);
        *one = Override::parse(one.family, Source::parse(&path, text)?).map_err(Stop::Findings)?;
        one.evidence = evidence;
    }
    Ok(set)
}

/// A finding about the document in its place, as one about the file that it came from.
fn of_file(
    finding: Finding,
    layout: &Layout,
    Documents {
        given, as_given, ..
    }: &Documents,
    after: &ReconciledDocument,
) -> Finding {
    if finding.file != layout.document {
        return finding;
    }
    let mut shown = after.shown(finding, given, as_given);
    shown.file.clone_from(&given.path);
    shown
}
