//! Moves all overrides of a set, in order.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_overlay::Action;
use serde_json::Value;

use super::actions;
use super::correspondence::Correspondence;
use super::moved::{Decision, Doubt, Follow, Proposal, Reason, Rebase, Retired};
use super::outcome::Documents;
use super::places::Wants;
use super::pointers::component;
use super::preserve;
use super::reached::without_left_over;
use super::replaced::Replaced;
use super::text::{Moved, rewritten};
use crate::judge::{Verdict, derive_guard, judge, outcome};
use crate::load::{Override, OverrideSet};

/// Moves a set of overrides from its document to another one. With `accept`, likely moves are applied, too.
/// Pure: changed files are returned, not written.
///
/// # Errors
///
/// An action that has to change is not written in block style.
pub fn rebase(
    old: &Source,
    new: &Source,
    set: &OverrideSet,
    accept: bool,
) -> Result<Rebase, DocumentError> {
    let reconciled = old.with_value(judge(old, set).document);
    // Overrides refer to the document after the Overlays.
    let (old, new) = (&set.corrected(old), &set.corrected(new));
    let whole = &new.value;
    let new = &new.with_value(without_left_over(&reconciled.value, whole, set));
    let matched = openapi_diff::matched(old, new);
    let mut to = Correspondence::new(&old.value, &new.value, &matched);
    let matched = openapi_diff::matched(&reconciled, new);
    to.add_places_of_overrides(&reconciled.value, &matched);
    to.is_null_aside = accept && preserve::is_of_the_tool(&to);
    let mut rebase = Rebase {
        names: renamed(&to),
        set: OverrideSet {
            overrides: Vec::new(),
            ..set.clone()
        },
        ..Rebase::default()
    };
    let mut doubts: BTreeMap<Doubt, BTreeSet<String>> = BTreeMap::new();
    let mut documents = (old.value.clone(), new.value.clone());
    let mut findings = Vec::new();
    for one in &set.overrides {
        if is_moved(&to, &mut documents, one) {
            rebase.set.overrides.push(one.clone());
            continue;
        }
        match follow(&to, &mut documents, one, set) {
            Ok(followed) => {
                let is_likely = !followed.doubts.is_empty();
                for doubt in &followed.doubts {
                    let files = doubts.entry(doubt.clone()).or_default();
                    files.insert(one.source.path.clone());
                }
                if is_likely && !accept {
                    rebase.set.overrides.push(one.clone());
                } else {
                    rebase.add(one, followed);
                }
            }
            Err(finding) => findings.push(*finding),
        }
    }
    DocumentError::unless_empty(findings)?;
    preserve::preserve((old, new, whole), documents, accept, &mut rebase)?;
    let proposals = doubts.into_iter().map(|(doubt, files)| Proposal {
        kind: doubt.kind,
        reason: doubt.text,
        files: files.into_iter().collect(),
    });
    if accept {
        rebase.accepted = proposals.collect();
    } else {
        rebase.proposals = proposals.collect();
    }
    follow_evidence(set, &mut rebase)?;
    Ok(rebase)
}

/// Moves the evidence of each override, with the new names of schemas.
fn follow_evidence(before: &OverrideSet, rebase: &mut Rebase) -> Result<(), DocumentError> {
    let mut overrides = std::mem::take(&mut rebase.set.overrides);
    for one in &mut overrides {
        let Some(old) = before.overrides.iter().find(|old| old.id == one.id) else {
            continue;
        };
        one.evidence.clone_from(&old.evidence);
        for evidence in &mut one.evidence {
            if let Some(text) = rebase.evidence(&evidence.source.text) {
                *evidence = evidence.with_text(text)?;
            }
        }
    }
    rebase.set.overrides = overrides;
    Ok(())
}

impl Rebase {
    /// Adds an override that followed.
    fn add(&mut self, one: &Override, followed: Followed) {
        let id = &one.id;
        if let Some(reason) = followed.gone {
            let by = one.clone();
            self.retired.push(Retired { by, reason });
            return;
        }
        let (path, text) = (&one.source.path, &followed.moved.source.text);
        if *text != one.source.text {
            self.files.push((path.clone(), text.clone()));
            if !followed.is_retired {
                self.follows.push(Follow {
                    id: id.clone(),
                    targets: followed.targets,
                });
            }
        }
        // A removal whose place is gone does nothing, and what it removes may stand elsewhere.
        if !followed.is_retired || !followed.decisions.is_empty() {
            let decisions = followed.decisions.into_iter();
            self.decisions.extend(decisions.map(|reason| Decision {
                id: id.clone(),
                reason,
            }));
            for what in followed.lacking {
                self.lacking.entry(what).or_default().insert(id.clone());
            }
        }
        self.set.overrides.push(followed.moved);
    }
}

/// Returns whether an override is in the terms of the new document already, as after an earlier rebase: it applies there, and to no place of the
/// old one or to fewer, or its guards are what the new document has.
fn is_moved(to: &Correspondence<'_>, documents: &mut (Value, Value), one: &Override) -> bool {
    let (before, now) = documents;
    let mut has_more = false;
    for action in &one.overlay.actions {
        let [old, new] = [&*before, &*now].map(|root| openapi_overlay::nodes(&action.query, root));
        has_more |= old.len() < new.len() && are_counterparts(to, &old, &new);
    }
    let (was, _) = outcome(to.old, before.clone(), one);
    let (is, after) = outcome(to.new, now.clone(), one);
    let has_no_place = matches!(was, Verdict::Orphaned | Verdict::Outdated);
    let is_moved = is == Verdict::Applied
        && (has_no_place || has_more || is_guarded_by(to, (before, now), one));
    if is_moved {
        *now = after;
    }
    is_moved
}

/// Returns whether the guards of an override are all that the new document has at their places, and the old one has something else.
fn is_guarded_by(to: &Correspondence<'_>, (before, now): (&Value, &Value), one: &Override) -> bool {
    let actions = &one.overlay.actions;
    let mut all = actions.iter();
    all.all(|action| has_all(action, to.new, now))
        && actions
            .iter()
            .any(|action| !has_all(action, to.old, before))
}

/// Returns whether a document has nothing but the guarded values at the places of an action.
fn has_all(action: &Action, published: &Value, document: &Value) -> bool {
    action.guard.as_ref() == Some(&derive_guard(published, document, action))
}

/// Returns whether each place of the old document is one of these places of the new document.
fn are_counterparts(to: &Correspondence<'_>, old: &[String], new: &[String]) -> bool {
    let targets = old.iter().cloned().collect();
    old.iter().all(|at| {
        let found = to.target_locations(at, Wants::Annotate(&Value::Null), &targets);
        !found.is_empty() && found.iter().all(|location| new.contains(&location.at))
    })
}

/// One moved override.
struct Followed {
    moved: Override,
    /// Targets that changed, before and after.
    targets: Vec<(String, String)>,
    doubts: BTreeSet<Doubt>,
    decisions: Vec<String>,
    /// What the new document lacks.
    lacking: BTreeSet<String>,
    /// Why nothing is left of it.
    gone: Option<Reason>,
    /// True if it does nothing in the new document.
    is_retired: bool,
}

fn follow(
    to: &Correspondence<'_>,
    documents: &mut (Value, Value),
    one: &Override,
    set: &OverrideSet,
) -> Result<Followed, Box<Finding>> {
    let (before, now) = documents;
    let replaced = Replaced::by(to, before, one);
    let mut after = Cow::Borrowed(&*now);
    let (mut targets, mut doubts, mut decisions) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut lacking = BTreeSet::new();
    let mut texts: Vec<Vec<Moved>> = Vec::new();
    for (index, action) in one.overlay.actions.iter().enumerate() {
        let later = one.overlay.actions.get(index + 1..).unwrap_or_default();
        let both = Documents {
            to,
            old: before,
            new: &after,
            replaced: &replaced,
        };
        let done = actions::moved(&both, action);
        for (new, _) in &done.actions {
            if new.target != action.target {
                targets.push((action.target.clone(), new.target.clone()));
            }
        }
        doubts.extend(done.doubts);
        decisions.extend(done.decisions);
        lacking.extend(done.lacking);
        one.apply_action(action, before);
        for (new, _) in done.actions.iter().filter(|_| !later.is_empty()) {
            one.apply_action(new, after.to_mut());
        }
        texts.push(done.actions.into_iter().map(|(_, moved)| moved).collect());
    }
    let reason = if lacking.is_empty() {
        Reason::Said
    } else {
        Reason::Lacking
    };
    let mut gone = texts.iter().all(Vec::is_empty).then_some(reason);
    let mut moved = if gone.is_some() {
        one.clone()
    } else {
        written(one, &texts)?
    };
    if reason == Reason::Lacking && only_adds_unused_schemas(&moved, set, now) {
        gone = Some(reason);
        moved = one.clone();
    }
    let (verdict, document) = outcome(to.new, now.clone(), &moved);
    let is_retired = verdict == Verdict::Retired || gone.is_some();
    if !is_retired {
        *now = document;
    }
    Ok(Followed {
        moved,
        targets,
        doubts,
        decisions,
        lacking,
        gone,
        is_retired,
    })
}

/// Returns whether all that is left of an override are schemas that the document does not have, and to which neither it nor an override refers.
fn only_adds_unused_schemas(moved: &Override, set: &OverrideSet, document: &Value) -> bool {
    let mut names = Vec::new();
    let schemas = document.pointer("/components/schemas");
    for action in &moved.overlay.actions {
        let added = action.effect.update().and_then(Value::as_object);
        let Some(added) = added.filter(|_| action.target == "$.components.schemas") else {
            return false;
        };
        if added
            .keys()
            .any(|name| schemas.is_some_and(|schemas| schemas.get(name).is_some()))
        {
            return false;
        }
        names.extend(
            added
                .keys()
                .map(|name| format!("#/components/schemas/{name}")),
        );
    }
    let others = set.overrides.iter().filter(|other| other.id != moved.id);
    let mut texts = others
        .map(|other| &other.source.text)
        .chain([&moved.source.text]);
    !refers(&document.to_string(), &names) && !texts.any(|text| refers(text, &names))
}

/// Returns whether a text has one of these references.
fn refers(text: &str, references: &[String]) -> bool {
    references.iter().any(|reference| text.contains(reference))
}

/// Returns the override with its moved actions.
fn written(one: &Override, texts: &[Vec<Moved>]) -> Result<Override, Box<Finding>> {
    let mut pairs = texts.iter().zip(&one.overlay.actions);
    if pairs.all(|(moved, action)| matches!(moved.as_slice(), [only] if only.is_as(action))) {
        return Ok(one.clone());
    }
    let text = rewritten(&one.source, &one.overlay.actions, texts);
    let source = text.and_then(|text| Source::parse(&one.source.path, text).ok());
    let parsed = source.and_then(|source| Override::parse(one.family, source).ok());
    parsed.ok_or_else(|| {
        let message = format!(
            "`{}` has to follow the document, but its actions are not in block style, or it has a reusable action",
            one.id
        );
        let help = "write `- target: …` and the other keys of each action on separate lines, and an update instead of a `$ref`";
        Box::new(one.source.finding("override-style", "/actions", message, help))
    })
}

/// Returns the new names of schema components: the name, or the first location of an inlined one.
fn renamed(to: &Correspondence<'_>) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for (a, all) in &to.cores {
        let Some((_, old)) = component(a).filter(|(kind, _)| kind == "schemas") else {
            continue;
        };
        let named = to.named(a).and_then(|b| component(&b));
        let new = named.map(|(_, name)| name).or_else(|| all.first().cloned());
        names.extend(new.filter(|new| *new != old).map(|new| (old, new)));
    }
    names.sort();
    names
}
