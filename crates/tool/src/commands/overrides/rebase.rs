//! `cargo xtask overrides rebase`: the overrides in the terms of another document, without an update.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use client_generator::emit::DOCUMENT;
use openapi_document::finding::DocumentError;
use openapi_document::given::Given;
use openapi_document::program::command;
use openapi_document::source::Source;
use openapi_overlay::Action;
use openapi_overrides::{
    Judgement, Order, Override, OverrideSet, Reason, Rebase, Retired, Verdict,
};
use serde_json::Value;

use super::{about_document, load};
use crate::commands::retired;
use crate::commands::status::{files, line};
use crate::install::{self, Changes};
use client_generator::generate::Layout;

/// How to rebase.
#[derive(Args, Clone, Debug)]
pub struct RebaseOptions {
    /// The document to follow: a file, `-` for standard input, or `git-rev:path`.
    #[arg(long)]
    pub document: String,
    /// Also applies moves that are likely but not certain. If the new document allows null in more than half of the places of responses that
    /// were never null, an override keeps them as they were; without this option, and for fewer places, the crate follows the document.
    #[arg(long)]
    pub accept: bool,
    /// Shows everything, changes nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Names each override and target.
    #[arg(long)]
    pub verbose: bool,
}

/// Moves the overrides from the published document to another one, and lists the open decisions. The document itself stays, so that the
/// overrides are those of the other one until it is in place.
///
/// # Errors
///
/// A change is only likely and was not accepted. Nothing is written then.
pub fn rebase(layout: &Layout, options: &RebaseOptions, out: &mut dyn Write) -> Result<bool> {
    let loaded = load(layout, None)?;
    let read = Given::read(&layout.root, &options.document)?;
    let new = read.source(&options.document)?;
    if let Some(refusal) = openapi_diff::refusal(&new) {
        return Err(DocumentError::Unreadable(vec![refusal]).into());
    }
    // In the order in which an update writes it.
    let first = read.first(&options.document)?;
    let order = Order::between(&loaded.published, &new);
    let new = new.with_value(order.with_pointers(&new.value, &first.value));
    let mut rebase = rebased(
        layout,
        (&loaded.published, &new),
        &loaded.set,
        options.accept,
    )?;
    show(&rebase, options.verbose, out)?;
    let pair = (&loaded.published, &new);
    let name = &options.document;
    if let Some(stop) = proposed(layout, pair, &loaded.set, &rebase, name, options.verbose)? {
        return Err(stop.into());
    }
    let stop = judged(&new, &mut rebase);
    let mut changes = changed(&loaded.set, &rebase.set);
    changes.extend(retired::changes(
        layout,
        &rebase.retired,
        &rebase.set.overrides,
    ));
    if !options.dry_run {
        install::change(&layout.root, &changes)?;
    }
    retired::print(&rebase.retired, out)?;
    files(&changes, options.dry_run, options.verbose, out)?;
    let accept = if options.accept { " --accept" } else { "" };
    let then = command(format_args!("update {name}{accept}"));
    let stop = stop.map(|stop| stop.map(|finding| about_document(finding, name, &then)));
    stop.map_or(Ok(true), |stop| Err(stop.into()))
}

/// Moves overrides from a document to another one. Overrides about components of an override that is gone go too.
pub(in crate::commands) fn rebased(
    layout: &Layout,
    (old, new): (&Source, &Source),
    set: &OverrideSet,
    accept: bool,
) -> Result<Rebase, DocumentError> {
    let mut rebase = openapi_overrides::rebase(old, new, set, accept)?;
    // The document of the crate has the components of overrides that a person deleted since. A crate that was not generated yet has none.
    let document = format!("{}/{DOCUMENT}", layout.generated);
    let Ok(callers) = Source::read(&layout.root, &document) else {
        return Ok(rebase);
    };
    let judged = openapi_overrides::judge(new, &rebase.set);
    let now = judged.document;
    let documents = [&callers.value, &old.value, &now];
    // One that waits for a decision may add the components.
    let settled = [Verdict::Applied, Verdict::Retired];
    let mut judged = judged.all.iter().zip(&rebase.set.overrides);
    if judged.any(|(one, by)| !settled.contains(&one.verdict) && !is_gone(by, documents)) {
        return Ok(rebase);
    }
    let overrides = std::mem::take(&mut rebase.set.overrides);
    for by in overrides {
        if is_gone(&by, documents) {
            let reason = Reason::Lacking;
            rebase.retired.push(Retired { by, reason });
        } else {
            rebase.set.overrides.push(by);
        }
    }
    Ok(rebase)
}

/// Returns what a person has to accept before the overrides follow the document that they call `name`, and what they have to decide after that.
/// `None` if nothing has to be accepted.
pub(in crate::commands) fn proposed(
    layout: &Layout,
    (old, new): (&Source, &Source),
    set: &OverrideSet,
    rebase: &Rebase,
    name: &str,
    verbose: bool,
) -> Result<Option<DocumentError>, DocumentError> {
    let Some(proposed) = rebase.proposed(&new.path, verbose) else {
        return Ok(None);
    };
    let mut accepted = rebased(layout, (old, new), set, true)?;
    let then = command(format_args!("update {name} --accept"));
    let stop = judged(new, &mut accepted);
    let decisions = stop.map(|stop| stop.map(|finding| about_document(finding, name, &then)));
    let mut all = vec![proposed];
    all.extend(decisions.iter().flat_map(DocumentError::findings).cloned());
    Ok(Some(DocumentError::Findings(all)))
}

/// Returns whether an override is about components alone, which the crate's document has, and neither the old document nor the new one.
fn is_gone(by: &Override, [callers, old, new]: [&Value; 3]) -> bool {
    by.overlay.actions.iter().all(|action| {
        action.target.starts_with("$.components.")
            && selects(action, callers)
            && !selects(action, old)
            && !selects(action, new)
    })
}

fn selects(action: &Action, document: &Value) -> bool {
    !action.query.query(document).is_empty()
}

/// Prints what was moved.
pub(in crate::commands) fn show(rebase: &Rebase, verbose: bool, out: &mut dyn Write) -> Result<()> {
    for (verb, text) in rebase.lines(verbose) {
        line(out, verb, &text)?;
    }
    Ok(())
}

/// Returns the files of a set, with their evidence, that another one does not have like this.
pub(in crate::commands) fn changed(before: &OverrideSet, after: &OverrideSet) -> Changes {
    let before = sources(before);
    let mut changes = Changes::new();
    for new in sources(after) {
        let is_listed = changes.iter().any(|(path, _)| *path == new.path);
        let mut before = before.iter();
        if !is_listed && !before.any(|old| (&old.path, &old.text) == (&new.path, &new.text)) {
            changes.push((new.path.clone(), Some(new.text.clone())));
        }
    }
    changes
}

fn sources(set: &OverrideSet) -> Vec<&Source> {
    let evidence = set.overrides.iter().flat_map(|one| &one.evidence);
    let evidence = evidence.map(|one| &one.source);
    let all = set.overrides.iter().map(|one| &one.source);
    all.chain(evidence).collect()
}

/// Takes the retired overrides out of the set. Returns what a person has to look at about the others.
pub(in crate::commands) fn judged(new: &Source, rebase: &mut Rebase) -> Option<DocumentError> {
    let mut judgements = openapi_overrides::judge(new, &rebase.set);
    let (retired, others): (Vec<_>, Vec<_>) = judgements
        .all
        .into_iter()
        .partition(|one| one.verdict == Verdict::Retired);
    judgements.all = others;
    for Judgement { applied, .. } in retired {
        let by = applied.by;
        rebase.set.overrides.retain(|one| one.id != by.id);
        let reason = Reason::Said;
        rebase.retired.push(Retired { by, reason });
    }
    let findings = rebase.explained(judgements.findings());
    DocumentError::unless_empty(findings).err()
}
