//! What an update would change, worked out in memory from the workspace and the new document.

use std::io::Write;

use anyhow::Result;

use super::{Options, changelog, version};
use crate::commands::Layout;
use crate::commands::overrides::about_document;
use crate::diff::{self, Report, Surfaces};
use crate::emit;
use crate::finding::{Finding, Stop};
use crate::install::{self, Changes, State};
use crate::overrides::{self, Override, OverrideSet, Verdict, reconcile};
use crate::source::Source;
use crate::surface;
use crate::wire;

/// An update that nobody has to look at first.
pub(super) struct Plan {
    /// What the new document means.
    pub(super) report: Report,
    /// The overrides that the new document makes superfluous.
    pub(super) retired: Vec<Override>,
    /// The version of the package.
    pub(super) version: version::Step,
    /// `info.version` of the new document.
    pub(super) interface: String,
    /// The files.
    pub(super) changes: Changes,
}

/// Plans an update; `None` when the new document says what the old one says. Where a person has to look first, the report on the document
/// is printed, for it is what they need to judge it.
pub(super) fn plan(
    layout: &Layout,
    options: &Options,
    out: &mut dyn Write,
) -> Result<Option<Plan>> {
    let old = Source::read(&layout.root, &layout.document)?;
    let given = Source::read(&layout.root, &options.document)?;
    if let Some(refusal) = wire::refusal(&given) {
        return Err(Stop::Unreadable(vec![refusal]).into());
    }
    is_another_file(layout, options)?;
    if old.value == given.value {
        return Ok(None);
    }
    let differences = wire::compare(&old, &given);
    let set = OverrideSet::load(&layout.root, &layout.overrides)?;
    let (retired, stop) = judged(&given, &set);
    if let Some(stop) = stop {
        let report = Report::new(&old.path, &given.path, differences, Surfaces::Skipped);
        writeln!(out, "{}", diff::text(&report, options.colour))?;
        let then = format!("cargo xtask update {}", options.document);
        let stop = stop.map(|finding| about_document(finding, &options.document, &then));
        return Err(stop.into());
    }

    // In its place, as the files that are generated from it call it.
    let new = Source {
        path: layout.document.clone(),
        ..given.clone()
    };
    let kept = OverrideSet {
        overrides: set
            .overrides
            .iter()
            .filter(|one| !retired.iter().any(|gone| gone.id == one.id))
            .cloned()
            .collect(),
    };
    let before = reconcile(&old, &set)?;
    let after = reconcile(&new, &kept)?;
    let old_surface = surface::read(&before.source, &before.report)?;
    let new_surface =
        surface::read(&after.source, &after.report).map_err(|stop| after.attribute(stop))?;
    let surface = surface::compare(&old_surface, &new_surface);

    let package = before.value().pointer("/info/x-rust-package/version");
    let from = package
        .and_then(|version| version.as_str())
        .unwrap_or_default();
    let bump = surface.iter().map(|difference| difference.bump).max();
    let version = version::step(from, options.version.as_deref(), bump)?;
    let mut changes = Changes::new();
    let kept = with_version(kept, &version, &mut changes)?;
    let after = reconcile(&new, &kept)?;
    let tree = emit::emit(&new, &kept, &after).map_err(|stop| after.attribute(stop))?;
    Stop::unless_empty(overrides::lint(&kept))?;

    for (path, state) in install::compare(&tree, &layout.root.join(&layout.generated))? {
        let text = match state {
            State::Fresh | State::Foreign => continue,
            State::Stray => None,
            State::Stale | State::Missing => tree.get(&path).map(str::to_owned),
        };
        changes.insert(format!("{}/{path}", layout.generated), text);
    }
    changes.insert(layout.document.clone(), Some(new.text.clone()));
    for one in &retired {
        changes.insert(one.source.path.clone(), None);
    }
    let interface = new
        .value
        .pointer("/info/version")
        .and_then(|version| version.as_str())
        .unwrap_or_default()
        .to_owned();
    let report = Report::new(
        &old.path,
        &given.path,
        differences,
        Surfaces::Compared(surface.iter().map(Into::into).collect()),
    );
    if version.bump.is_some() {
        let before =
            std::fs::read_to_string(layout.root.join(&layout.changelog)).unwrap_or_default();
        let entry = changelog::entry(&version.to.to_string(), &interface, &surface, &report);
        changes.insert(
            layout.changelog.clone(),
            Some(changelog::with_entry(&before, &entry)),
        );
    }
    Ok(Some(Plan {
        report,
        retired,
        version,
        interface,
        changes,
    }))
}

/// The overrides that are retired, and what a person has to look at about the others.
fn judged(new: &Source, set: &OverrideSet) -> (Vec<Override>, Option<Stop>) {
    let mut judgements = overrides::judge(new, set);
    let of = |judgement: &overrides::Judgement| judgement.applied.by.clone();
    let is_retired = |judgement: &overrides::Judgement| judgement.verdict == Verdict::Retired;
    let retired = judgements
        .all
        .iter()
        .filter(|one| is_retired(one))
        .map(of)
        .collect();
    judgements.all.retain(|one| !is_retired(one));
    let findings = judgements.findings(new);
    let stop = Stop::unless_empty(findings).err();
    (retired, stop)
}

/// The set with the package's new version, whose file is among the changes.
fn with_version(
    mut set: OverrideSet,
    version: &version::Step,
    changes: &mut Changes,
) -> Result<OverrideSet, Stop> {
    if version.to == version.from {
        return Ok(set);
    }
    let (index, text) = version::written(&set, version)?;
    if let Some(one) = set.overrides.get_mut(index) {
        let path = one.source.path.clone();
        *one = Override::parse(one.family, Source::parse(&path, text.clone())?)
            .map_err(Stop::Findings)?;
        changes.insert(path, Some(text));
    }
    Ok(set)
}

/// What is compared with itself has no news.
fn is_another_file(layout: &Layout, options: &Options) -> Result<(), Stop> {
    let canonical = |path: &str| std::fs::canonicalize(layout.root.join(path)).ok();
    if canonical(&options.document) != canonical(&layout.document) {
        return Ok(());
    }
    Err(Stop::Findings(vec![Finding::about(
        "same-file",
        &options.document,
        "this is the document that is in place",
        format!(
            "take your edit of it back (`git restore {}`), and give the new document as another file",
            layout.document
        ),
    )]))
}
