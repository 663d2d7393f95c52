//! Comparison of two documents: all differences, the worst first.

use std::collections::HashSet;

use openapi_document::finding::{Finding, keep};
use openapi_document::resolver::{Resolver, reference};
use openapi_document::source::{Source, leaves, references};
use serde_json::Value;

use super::http::{Documents, documents, elsewhere, operations, surroundings, version};
use super::schemas::drain;
use super::verdicts::{Change, Direction, Mark, Places, Rule, Sets, Wire, owner, sentence, way};
use openapi_schemas::decimal::exact;
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
        "give an OpenAPI 3.0 or 3.1 document; converters exist for Swagger 2.0",
    ))
}

/// Compares two documents. Neither has to be valid: references that cannot be followed are reported as findings.
pub fn compare(old: &Source, new: &Source) -> Differences {
    let (old, new) = (&*exact(old), &*exact(new));
    let mut documents = documents(&old.value, &new.value);
    documents.rebase();
    operations(&mut documents);
    surroundings(&mut documents);
    drain(&mut documents.schemas);
    elsewhere(&mut documents);
    documents.schemas.graph.reach();
    let deltas = || documents.schemas.graph.deltas.iter();
    let worst = deltas().map(|delta| verdict(delta.rule, delta.ways)).max();
    let matters = deltas().any(|delta| !delta.rule.is_quiet() && !delta.rule.keeps_meaning());
    version(&mut documents, worst.unwrap_or(Wire::None), matters);
    differences(documents, old, new)
}

/// Returns the differences that a comparison has found.
fn differences(documents: Documents<'_>, old: &Source, new: &Source) -> Differences {
    let findings = [
        (old, &documents.schemas.old.unresolved),
        (new, &documents.schemas.new.unresolved),
    ]
    .into_iter()
    .flat_map(|(source, unresolved)| unfollowed(source, unresolved))
    .collect();
    Differences {
        changes: changes(documents, old, new),
        findings,
    }
}

/// Returns the references of a document that cannot be followed, each once: those that were met, and all that leave the document.
fn unfollowed<'d>(source: &'d Source, met: &[Unresolved<'d>]) -> Vec<Finding> {
    let mut all: Vec<(&'d str, &'d Value)> =
        met.iter().map(|one| (one.reference, one.holder)).collect();
    let mut known: HashSet<&str> = met.iter().map(|one| one.reference).collect();
    let leaving = references(&source.value).into_iter();
    let resolver = Resolver::new(&source.value);
    let is_lost = |text: &str| leaves(text) && resolver.target(text).is_none();
    all.extend(leaving.filter(|(text, _)| is_lost(text) && known.insert(text)));
    let holders = Places::of(source, all.iter().map(|(_, holder)| Mark::at(holder)));
    let found = all.into_iter().map(|(text, holder)| {
        let at = holders.pointer(holder).unwrap_or_default();
        let (what, help) = if text.starts_with('#') && !text.starts_with("#/") {
            (
                "is the anchor of no schema, or of several",
                "refer by a JSON Pointer, as `#/components/schemas/Book`",
            )
        } else if !leaves(text) {
            (
                "leads nowhere",
                "correct it, or add what it names; it is compared as a string",
            )
        } else if text.contains("://") {
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
        let keyword = referring(holder, text).map(|(keyword, _)| format!("/{keyword}"));
        source.finding(
            REFERENCE,
            format!("{at}{}", keyword.unwrap_or_default()),
            format!("`{text}` {what}"),
            help,
        )
    });
    let mut findings = Vec::new();
    found.for_each(|finding| keep(&mut findings, finding));
    findings
}

fn changes(documents: Documents<'_>, old: &Source, new: &Source) -> Vec<Change> {
    let deltas = documents.schemas.graph.deltas;
    let referring = || deltas.iter().filter_map(|delta| delta.referring);
    let marks = deltas.iter().map(|delta| delta.old);
    let before = Places::of(old, marks.chain(referring().map(|(a, _)| Mark::at(a))));
    let marks = deltas.iter().map(|delta| delta.new);
    let after = Places::of(new, marks.chain(referring().map(|(_, b)| Mark::at(b))));
    let mut changes: Vec<Change> = Vec::with_capacity(deltas.len());
    let mut sets = Sets::of(documents.operations);
    for delta in deltas {
        let direction = direction(delta.ways);
        let operations = sets.share(delta.operations);
        let marks = match delta.referring {
            Some((a, b)) => (Mark::at(a), Mark::at(b)),
            None => (delta.old, delta.new),
        };
        let (place_old, place_new) = (before.place(marks.0), after.place(marks.1));
        let shown = [(&marks.1, &place_new), (&marks.0, &place_old)]
            .into_iter()
            .find_map(|(mark, place)| place.as_ref().filter(|_| mark.value.is_some()))
            .or(place_new.as_ref())
            .or(place_old.as_ref());
        let (owner, below) = shown
            .map(|place| {
                let is_new = place_new.as_ref() == Some(place);
                owner(&place.subject, if is_new { &new.value } else { &old.value })
            })
            .unwrap_or_default();
        let what = match delta.referring {
            Some((a, b)) => format!("{}: {}", led(a, b), delta.what),
            None => delta.what,
        };
        let message = sentence(&below, what.clone());
        changes.push(Change {
            rule: delta.rule,
            owner,
            operations,
            direction,
            wire: verdict(delta.rule, delta.ways),
            old: place_old,
            new: place_new,
            what,
            message,
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

/// Describes the old and the new target of a reference.
fn led(old: &Value, new: &Value) -> String {
    let name = |value: &Value| {
        let text = reference(value).unwrap_or_default();
        text.rsplit('/').next().unwrap_or_default().to_owned()
    };
    format!("`{}` became `{}`", name(old), name(new))
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
    worst
}
