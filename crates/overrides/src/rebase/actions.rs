//! Moves one action to the new document.

use std::collections::BTreeSet;

use openapi_document::pointer;
use openapi_overlay::lists::{key, settle};
use openapi_overlay::{Action, Effect};
use openapi_schemas::reading::{Document, Site, read};
use serde_json::Value;

use super::correspondence::Correspondence;
use super::election::show;
use super::fitted::{fitted, in_other_words, is_empty};
use super::guards::Guarding;
use super::moved::{Doubt, Likely};
use super::outcome::{Documents, Outcome, Pairing};
use super::places::{TargetLocation, Wants};
use super::pointers::is_aside;
use super::query::queries;
use super::replaced::Found;
use super::said::{Said, allows_null_by};
use super::text::Moved;
use super::values::{Written, written};

/// Moves one action.
pub(super) fn moved(documents: &Documents<'_>, action: &Action) -> Outcome {
    let to = documents.to;
    let mut outcome = Outcome::default();
    let targets = documents.targets(&action.query);
    let first = targets.first().cloned().unwrap_or_default();
    let update = update(to, action, &first, &mut outcome);
    let wants = wants(action, update.as_ref());
    let (mut pairs, mut gone) = (Vec::new(), Vec::new());
    let mut is_said = false;
    for at in &targets {
        let mut locations = to.target_locations(at, wants, &targets);
        if wants == Wants::Remove {
            locations.retain(|location| !is_added(documents, &location.at));
        }
        if locations.is_empty() {
            gone.push(at.clone());
        }
        for location in locations {
            let found = documents.replaced.found(to, at, &location.at);
            if wants == Wants::Remove
                && matches!(found, Some(Found::Wanted | Found::LessThanWanted))
            {
                is_said = true;
                let is_less = found == Some(Found::LessThanWanted);
                let there = to.new.pointer(&location.at).filter(|_| is_less);
                outcome
                    .doubts
                    .extend(there.map(|there| said(to, at, there)));
                continue;
            }
            doubts(to, at, &location, &mut outcome.doubts);
            pairs.push(Pairing {
                old: at.clone(),
                new: location.at,
            });
        }
    }
    if pairs.is_empty() && gone.is_empty() && is_said {
        return outcome;
    }
    if pairs.is_empty() {
        nowhere(to, action, &gone, &mut outcome);
        return outcome;
    }
    let lacking = gone.iter();
    outcome
        .lacking
        .extend(lacking.map(|at| show(to.lacking(at).unwrap_or(at))));
    // Locations with the same update share an action.
    let mut groups: Vec<(Option<Value>, Vec<Pairing>)> = Vec::new();
    for pair in pairs {
        let doubts = &mut outcome.doubts;
        let fitted = (update.as_ref()).map(|update| fitted(documents, &pair, update, doubts));
        match groups.iter_mut().find(|(other, _)| *other == fitted) {
            Some((_, members)) => members.push(pair),
            None => groups.push((fitted, vec![pair])),
        }
    }
    for (fitted, members) in groups {
        if fitted != update && fitted.as_ref().is_some_and(is_empty) {
            continue;
        }
        group(documents, action, fitted, &members, &mut outcome);
    }
    outcome
}

/// Returns whether an earlier action added what the new document has in its place.
fn is_added(documents: &Documents<'_>, new: &str) -> bool {
    let to = documents.to;
    let then = [to.old, documents.old].map(|root| root.pointer(&settle(to.new, root, new).0));
    matches!(then, [None, Some(_)])
}

/// Returns the doubt about a value that the new document has in the form that a replacement wants, or less.
fn said(to: &Correspondence<'_>, at: &str, there: &Value) -> Doubt {
    let name = to.old.pointer(at).and_then(|was| key(to.old, was));
    let name = name.map(|(_, name)| name).unwrap_or_default();
    in_other_words(&name, there)
}

/// Returns the actions for locations with the same update.
fn group(
    documents: &Documents<'_>,
    action: &Action,
    update: Option<Value>,
    pairs: &[Pairing],
    outcome: &mut Outcome,
) {
    let places: Vec<String> = pairs.iter().map(|pair| documents.now(&pair.new)).collect();
    let texts = texts(documents.to, documents.new, action, &places);
    for (text, selected) in texts {
        let Ok(query) = openapi_overlay::parse(&text) else {
            outcome.actions.push((action.clone(), Moved::of(action)));
            continue;
        };
        let mut own: Vec<&Pairing> = pairs.iter().collect();
        own.retain(|pair| selected.contains(&documents.now(&pair.new)));
        let mut new = Action {
            target: text,
            query,
            effect: update
                .clone()
                .map_or_else(|| action.effect.clone(), Effect::Update),
            ..action.clone()
        };
        let guarding = Guarding {
            documents,
            old: action,
            new: &new,
        };
        new.guard = guarding.guard(&own, outcome);
        let moved = Moved {
            target: new.target.clone(),
            update: update.clone(),
            guard: new.guard.clone(),
        };
        outcome.actions.push((new, moved));
    }
}

/// Handles an action whose locations have no counterpart: a removal is done if what contained the value is there, an action goes with the
/// operations and components that it is about, and others have no target.
fn nowhere(to: &Correspondence<'_>, action: &Action, gone: &[String], outcome: &mut Outcome) {
    let texts = [to.respelled(&action.target), action.target.clone()];
    let is_gone = texts.iter().all(|text| {
        let query = openapi_overlay::parse(text);
        query.is_ok_and(|query| query.query(to.new).is_empty())
    });
    if matches!(action.effect, Effect::Remove)
        && is_gone
        && gone.first().is_some_and(|at| has_container(to, at))
    {
        return;
    }
    let owners: Option<BTreeSet<&str>> = gone.iter().map(|at| to.lacking(at)).collect();
    if let Some(owners) = owners.filter(|owners| !owners.is_empty()) {
        outcome.lacking = owners.into_iter().map(show).collect();
        return;
    }
    outcome.actions.push((action.clone(), Moved::of(action)));
    if !gone.is_empty() {
        let reason = "the place has no counterpart in the new document";
        outcome.decisions.push(reason.to_owned());
    }
}

/// Returns whether the new document has what contains a location of the old one, the owner of a key or of the list of an element, and does not
/// say in another way what was there.
fn has_container(to: &Correspondence<'_>, at: &str) -> bool {
    let Some((above, key)) = pointer::split_last(at) else {
        return false;
    };
    let is_element = key.parse::<usize>().is_ok();
    let container = if is_element {
        pointer::split_last(above).map(|(owner, _)| owner)
    } else {
        Some(above)
    };
    let Some(container) = container else {
        return false;
    };
    let wants = Wants::Update(&Value::Null);
    let found = to.target_locations(container, wants, &BTreeSet::new());
    let is_null = allows_null_by(&key, to.old.pointer(at));
    let own_key = Some(key.as_str()).filter(|_| !is_element);
    let mut places = found.iter().map(|location| location.at.as_str());
    !found.is_empty()
        && if is_null {
            places.all(|at| !allows_null(to.new, at))
        } else {
            places.all(|at| is_unsaid(to.new, at, own_key))
        }
}

/// Returns whether a schema lacks a key, and no schema behind a reference, in a part or in an alternative may have it.
fn is_unsaid(root: &Value, at: &str, key: Option<&str>) -> bool {
    let map = root.pointer(at).and_then(Value::as_object);
    map.is_some_and(|map| {
        !map.keys().any(|key| Said::leads_on(key)) && key.is_none_or(|key| !map.contains_key(key))
    })
}

fn allows_null(root: &Value, at: &str) -> bool {
    let schema = root.pointer(at);
    schema.is_some_and(|schema| {
        let site = Site::new(Some(schema), schema);
        read(&mut Document::new(root), &site).is_nullable()
    })
}

/// Returns the update of an action in the terms of the new document.
fn update(
    to: &Correspondence<'_>,
    action: &Action,
    first: &str,
    outcome: &mut Outcome,
) -> Option<Value> {
    let mut notes = Written::default();
    let new = written(to, action.effect.update()?, first, &mut notes);
    outcome.decisions.extend(notes.lost);
    let doubts = notes.refers.iter().filter_map(|new| to.doubt(new));
    outcome.doubts.extend(doubts.map(Doubt::of_match));
    Some(new)
}

/// Returns the targets of an action that select these locations: unchanged, with new names, or as a list of the locations.
fn texts(
    to: &Correspondence<'_>,
    document: &Value,
    action: &Action,
    places: &[String],
) -> Vec<(String, Vec<String>)> {
    let wanted: BTreeSet<String> = places.iter().cloned().collect();
    let spellings = [action.target.clone(), to.respelled(&action.target)];
    let mut spellings = spellings.into_iter();
    match spellings.find(|text| to.selects(document, text, &wanted)) {
        Some(text) => vec![(text, places.to_vec())],
        None => {
            let places: Vec<String> = wanted.into_iter().collect();
            queries(document, &places)
        }
    }
}

fn doubts(
    to: &Correspondence<'_>,
    at: &str,
    location: &TargetLocation,
    doubts: &mut BTreeSet<Doubt>,
) {
    doubts.extend(to.doubt(&location.at).map(Doubt::of_match));
    if !location.shared.is_empty() {
        let others: Vec<String> = location.shared.iter().map(|one| show(one)).collect();
        let text = format!(
            "{} is the counterpart of {}, and of {}: the override would apply to all of them",
            show(&location.at),
            show(at),
            others.join(", ")
        );
        let kind = Likely::Shared;
        doubts.insert(Doubt { kind, text });
    }
}

fn wants<'w>(action: &'w Action, update: Option<&'w Value>) -> Wants<'w> {
    match update {
        Some(update) => match update.as_object() {
            Some(map) if map.keys().all(|key| is_aside(key)) => Wants::Annotate(update),
            _ => Wants::Update(update),
        },
        None if matches!(action.effect, Effect::Remove) => Wants::Remove,
        None => Wants::Update(&Value::Null),
    }
}
