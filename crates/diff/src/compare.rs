//! Comparison of two documents: all differences, the worst first.

use std::collections::HashSet;

use openapi_document::finding::{Finding, keep};
use openapi_document::resolver::{Resolver, reference};
use openapi_document::source::{Source, leaves, references};
use serde_json::Value;

use super::http::{Documents, documents, elsewhere, operations, surroundings, version};
use super::schemas::drain;
use super::verdicts::{Change, Direction, Mark, Places, Rule, Sets, Wire, owner, sentence, way};
use openapi_schemas::reading::{Unresolved, referring};

/// Rule of references that cannot be followed.
const REFERENCE: &str = "reference";

/// All differences between two documents.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// Changes: the worst first, then by owner and location.
    pub changes: Vec<Change>,
    /// References of either document that could not be followed. They did not stop the comparison.
    pub findings: Vec<Finding>,
}

impl Differences {
    /// Returns the worst verdict of all changes.
    pub fn wire(&self) -> Wire {
        self.changes
            .iter()
            .map(|change| change.wire)
            .max()
            .unwrap_or(Wire::None)
    }
}

/// Returns why a document cannot be compared: it is not an OpenAPI 3 document. `None` if it can.
pub fn refusal(source: &Source) -> Option<Finding> {
    let version = source.value.get("openapi");
    if version
        .and_then(Value::as_str)
        .is_some_and(|version| version.starts_with("3."))
    {
        return None;
    }
    let (pointer, message) = match version {
        Some(version) => ("/openapi", format!("`openapi: {version}` is not version 3")),
        None if source.value.get("swagger").is_some() => {
            ("/swagger", "this is a Swagger 2.0 document".to_owned())
        }
        None => (
            "",
            "this is not an OpenAPI document: it lacks `openapi`".to_owned(),
        ),
    };
    Some(source.finding(
        "openapi-version",
        pointer,
        message,
        "give an OpenAPI 3 document; converters exist for Swagger 2.0",
    ))
}

/// Compares two documents. Neither has to be valid: references that cannot be followed are reported as findings.
pub fn compare(old: &Source, new: &Source) -> Differences {
    let mut documents = documents(&old.value, &new.value);
    documents.rebase();
    operations(&mut documents);
    surroundings(&mut documents);
    drain(&mut documents.schemas);
    elsewhere(&mut documents);
    drain(&mut documents.schemas);
    documents.schemas.graph.reach();
    let (mut worst, mut matters) = (Wire::None, false);
    for delta in &documents.schemas.graph.deltas {
        worst = worst.max(verdict(delta.rule, delta.ways));
        matters |= !delta.rule.is_quiet() && !delta.rule.keeps_meaning();
    }
    version(&mut documents, worst, matters);
    let mut findings = unfollowed(old, &documents.schemas.old.unresolved);
    findings.extend(unfollowed(new, &documents.schemas.new.unresolved));
    Differences {
        changes: changes(documents, old, new),
        findings,
    }
}

/// Returns the references of a document that cannot be followed, each once: those that were met, and all that leave the document.
fn unfollowed<'d>(source: &'d Source, met: &[Unresolved<'d>]) -> Vec<Finding> {
    let mut all = met.to_vec();
    let mut known: HashSet<&str> = met.iter().map(|one| one.reference).collect();
    let resolver = Resolver::new(&source.value);
    for (reference, holder) in references(&source.value) {
        let is_lost = leaves(reference) && resolver.target(reference).is_none();
        if is_lost && known.insert(reference) {
            all.push(Unresolved { reference, holder });
        }
    }
    let holders = Places::of(source, all.iter().map(|one| Mark::at(one.holder)));
    let mut findings = Vec::new();
    for Unresolved { reference, holder } in all {
        let (what, help) = if reference.starts_with('#') && !reference.starts_with("#/") {
            (
                "is the anchor of no schema, or of several",
                "refer by a JSON Pointer, as `#/components/schemas/Book`",
            )
        } else if !leaves(reference) {
            (
                "leads nowhere",
                "correct it, or add what it names; it is compared as a string",
            )
        } else if reference.contains("://") {
            (
                "is not fetched",
                "save the referenced document in a file: all commands work offline",
            )
        } else {
            (
                "names no file that can be read",
                "give the document in its folder, with all its files",
            )
        };
        let mut at = holders.pointer(holder).unwrap_or_default().to_owned();
        if let Some((keyword, _)) = referring(holder, reference) {
            at = format!("{at}/{keyword}");
        }
        let message = format!("`{reference}` {what}");
        keep(&mut findings, source.finding(REFERENCE, at, message, help));
    }
    findings
}

fn changes(documents: Documents<'_>, old: &Source, new: &Source) -> Vec<Change> {
    let deltas = documents.schemas.graph.deltas;
    let before = Places::of(old, deltas.iter().map(|delta| delta.shown().old));
    let after = Places::of(new, deltas.iter().map(|delta| delta.shown().new));
    let mut changes: Vec<Change> = Vec::with_capacity(deltas.len());
    let mut sets = Sets::of(documents.operations);
    for delta in deltas {
        let marks = delta.shown();
        let (place_old, place_new) = (before.place(marks.old), after.place(marks.new));
        let is_new_shown = match (&place_old, &place_new) {
            (Some(_), Some(_)) => marks.new.value.is_some() || marks.old.value.is_none(),
            (_, place_new) => place_new.is_some(),
        };
        let (shown, root) = if is_new_shown {
            (&place_new, &new.value)
        } else {
            (&place_old, &old.value)
        };
        let shown = shown.as_ref().map(|place| owner(&place.subject, root));
        let (owner, below) = shown.unwrap_or_default();
        let what = match delta.referring {
            Some((old, new)) => {
                let (old, new) = (target_name(old), target_name(new));
                format!("`{old}` became `{new}`: {}", delta.what)
            }
            None => delta.what,
        };
        changes.push(Change {
            rule: delta.rule,
            owner,
            operations: sets.share(delta.operations),
            direction: direction(delta.ways),
            wire: verdict(delta.rule, delta.ways),
            old: place_old,
            new: place_new,
            message: sentence(&below, what.clone()),
            what,
        });
    }
    changes.sort_by(Change::order);
    changes
}

/// Returns the direction of a value that is sent in these ways.
fn direction(ways: u8) -> Direction {
    match (
        ways & (way::SENT | way::SENT_NOT) != 0,
        ways & (way::RECEIVED | way::RECEIVED_NOT) != 0,
    ) {
        (true, true) => Direction::Both,
        (true, false) => Direction::Request,
        (false, true) => Direction::Response,
        (false, false) => Direction::None,
    }
}

/// Returns the last part of the reference of an object.
fn target_name(value: &Value) -> &str {
    let text = reference(value).unwrap_or_default();
    text.rsplit('/').next().unwrap_or_default()
}

/// Returns the worst verdict over the ways in which a value is sent; a value that is never sent is safe.
fn verdict(rule: &Rule, ways: u8) -> Wire {
    let mut worst = Wire::Safe;
    if ways & (way::SENT | way::RECEIVED_NOT) != 0 {
        worst = worst.max(rule.request);
    }
    if ways & (way::RECEIVED | way::SENT_NOT) != 0 {
        worst = worst.max(rule.response);
    }
    // Below `not`, a value that the rule allows is refused.
    if ways & way::SENT_NOT != 0 && rule.request == Wire::Safe && rule.response == Wire::Risky {
        worst = Wire::Breaking;
    }
    worst
}
