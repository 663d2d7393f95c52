//! One action moved to the new document.

use std::collections::BTreeSet;

use serde_json::Value;
use serde_json_path::JsonPath;

use super::causes;
use super::chain::core;
use super::correspondence::Correspondence;
use super::lists::settle;
use super::meaning::{Meaning, WORDS, leaves, merged};
use super::moved::{Cause, Decision};
use super::places::{Spot, Wants};
use super::query::queries;
use super::text::Moved;
use super::values::Written;
use crate::overlay::{self, Action, Effect};
use crate::overrides::{derive_guard, guard_holds};
use crate::pointer;

/// Both documents at an action's turn.
pub(super) struct Turn<'t> {
    pub(super) old: &'t Value,
    pub(super) new: &'t Value,
}

/// What became of an action.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) actions: Vec<(Action, Moved)>,
    pub(super) causes: BTreeSet<Cause>,
    pub(super) doubts: BTreeSet<String>,
    pub(super) decisions: Vec<Decision>,
    pub(super) notes: Vec<String>,
}

/// Places of both documents that are one.
struct Pairing {
    old: String,
    new: String,
}

pub(super) fn moved(
    meaning: &Meaning<'_, '_>,
    turn: &Turn<'_>,
    action: &Action,
    id: &str,
) -> Outcome {
    let to = meaning.to;
    let mut outcome = Outcome::default();
    let located = overlay::nodes(&action.query, turn.old);
    let targets: BTreeSet<String> = located
        .iter()
        .map(|at| settle(turn.old, to.old, at).0)
        .collect();
    let wants = wants(action);
    let (mut pairs, mut gone) = (Vec::new(), Vec::new());
    for at in &targets {
        let spots = to.spots(at, wants, &targets);
        if spots.is_empty() {
            gone.push(at.clone());
        }
        for spot in spots {
            doubts(to, at, &spot, &mut outcome.doubts);
            pairs.push(Pairing {
                old: at.clone(),
                new: spot.at,
            });
        }
    }
    let kept = || (action.clone(), as_it_is(action));
    if pairs.is_empty() {
        let wants_gone = matches!(action.effect, Effect::Remove) && !located.is_empty();
        if wants_gone {
            outcome.causes.insert(Cause::Done);
        } else {
            outcome.actions.push(kept());
            if let Some(at) = gone.first() {
                outcome.decisions.push(decision(
                    to,
                    action,
                    id,
                    at,
                    None,
                    "the place has no counterpart in the new document",
                ));
            }
        }
        return outcome;
    }
    for at in &gone {
        outcome.notes.push(format!(
            "{id}: the document no longer has #{at}; the override keeps its other places"
        ));
    }
    let mut written = Written::default();
    let first = targets.first().cloned().unwrap_or_default();
    let update = match &action.effect {
        Effect::Update(update) => Some(to.written(update, &first, &mut written)),
        _ => None,
    };
    for reason in &written.lost {
        outcome
            .decisions
            .push(decision(to, action, id, &first, None, reason));
    }
    for (old, new) in &written.refers {
        outcome.doubts.extend(to.doubt(new).map(str::to_owned));
        outcome.causes.extend(causes::of(to, old, new));
    }
    let ids = written.ids.into_iter();
    outcome
        .causes
        .extend(ids.map(|(old, new)| Cause::Id { old, new }));
    if let (Some(Value::Object(old)), Some(Value::Object(new))) = (effect_value(action), &update)
        && first == "/paths"
    {
        let pairs = old.keys().zip(new.keys()).filter(|(old, new)| old != new);
        outcome
            .causes
            .extend(pairs.flat_map(|(old, new)| causes::of_path(to, old, new)));
    }
    let places: Vec<String> = pairs
        .iter()
        .map(|pair| settle(to.new, turn.new, &pair.new).0)
        .collect();
    let texts = texts(to, turn.new, action, &places);
    let is_moved = texts.len() != 1
        || texts
            .first()
            .is_some_and(|(text, _)| *text != action.target);
    if is_moved {
        outcome.causes.extend(
            pairs
                .iter()
                .flat_map(|pair| causes::of(to, &pair.old, &pair.new)),
        );
    }
    for (text, selected) in texts {
        let Ok(query) = JsonPath::parse(&text) else {
            outcome.actions.push(kept());
            continue;
        };
        let of = |pair: &&Pairing| selected.contains(&settle(to.new, turn.new, &pair.new).0);
        let own: Vec<&Pairing> = pairs.iter().filter(of).collect();
        let mut new = Action {
            target: text,
            query,
            effect: update
                .clone()
                .map_or_else(|| action.effect.clone(), Effect::Update),
            ..action.clone()
        };
        new.guard = guard(meaning, turn, action, &new, &own, id, &mut outcome);
        let moved = Moved {
            target: new.target.clone(),
            update: update.clone(),
            guard: new.guard.clone(),
        };
        outcome.actions.push((new, moved));
    }
    outcome
}

/// The targets of an action that select these places: as it is written, with new names, or as a list of the places.
fn texts(
    to: &Correspondence<'_>,
    document: &Value,
    action: &Action,
    places: &[String],
) -> Vec<(String, Vec<String>)> {
    let wanted: BTreeSet<&String> = places.iter().collect();
    let selects = |text: &str| {
        let query = JsonPath::parse(text).ok();
        query.is_some_and(|query| {
            let found = overlay::nodes(&query, document);
            found.iter().collect::<BTreeSet<_>>() == wanted
        })
    };
    let as_written = Some(action.target.clone());
    let mut spellings = [as_written, to.respelled(&action.target)]
        .into_iter()
        .flatten();
    match spellings.find(|text| selects(text)) {
        Some(text) => vec![(text, places.to_vec())],
        None => {
            let places: Vec<String> = wanted.into_iter().cloned().collect();
            queries(document, &places)
        }
    }
}

/// The guard in the text of the new document, where that means the same; the old one where it does not.
fn guard(
    meaning: &Meaning<'_, '_>,
    turn: &Turn<'_>,
    old: &Action,
    new: &Action,
    pairs: &[&Pairing],
    id: &str,
    outcome: &mut Outcome,
) -> Option<Value> {
    let to = meaning.to;
    let guard = old.guard.as_ref()?;
    let update = effect_value(new);
    let mut guarded = Vec::new();
    leaves(guard, "", &mut guarded);
    if matches!(new.effect, Effect::Remove) || update.is_none() {
        guarded = vec![String::new()];
    }
    let mut differing = Vec::new();
    for at in &guarded {
        for pair in pairs {
            let changes = meaning.changed(&pair.old, &pair.new, at, update);
            if changes.is_empty() {
                reworded(to, pair, at, id, outcome);
                continue;
            }
            let wanted = update.and_then(|update| update.pointer(at));
            if wanted.is_some_and(|wanted| meaning.agrees(&format!("{}{at}", pair.new), wanted)) {
                outcome.causes.insert(Cause::Agreed);
                continue;
            }
            differing.push(at.clone());
            let mut reasons: Vec<&str> = changes
                .iter()
                .map(|change| change.message.as_str())
                .collect();
            reasons.dedup();
            let reason = reasons.join("; ");
            outcome.decisions.push(decision(
                to,
                old,
                id,
                &format!("{}{at}", pair.old),
                Some(&format!("{}{at}", pair.new)),
                &reason,
            ));
        }
    }
    if differing.is_empty() && guard_holds(to.new, turn.new, new, guard) {
        return Some(guard.clone());
    }
    let derived = derive_guard(to.new, turn.new, new);
    let mut ignored = Written::default();
    let first = pairs
        .first()
        .map(|pair| pair.old.as_str())
        .unwrap_or_default();
    let kept = to.written(guard, first, &mut ignored);
    let fresh = merged(derived, &kept, &differing);
    if differing.is_empty() && fresh != kept {
        outcome.causes.insert(Cause::Guard);
    }
    Some(fresh)
}

/// Notes a text that the override replaces and that is another one now.
fn reworded(to: &Correspondence<'_>, pair: &Pairing, at: &str, id: &str, outcome: &mut Outcome) {
    let Some((parent, key)) = pointer::split_last(at) else {
        return;
    };
    if !WORDS.contains(&key.as_str()) {
        return;
    }
    let text = |root: &Value, home: &str| {
        let nodes = super::chain::chain(root, &format!("{home}{parent}"));
        nodes
            .iter()
            .find_map(|node| root.pointer(node)?.get(&key)?.as_str().map(str::to_owned))
    };
    let (old, new) = (text(to.old, &pair.old), text(to.new, &pair.new));
    if old != new {
        let quoted = |text: Option<String>| {
            text.map_or_else(
                || "nothing".to_owned(),
                |text| format!("\"{}\"", text.trim()),
            )
        };
        outcome.notes.push(format!(
            "{id} replaces the {key} of #{}{parent}, which was {} and is {} now",
            pair.new,
            quoted(old),
            quoted(new)
        ));
    }
}

fn doubts(to: &Correspondence<'_>, at: &str, spot: &Spot, doubts: &mut BTreeSet<String>) {
    doubts.extend(to.doubt(&spot.at).map(str::to_owned));
    if !spot.shared.is_empty() {
        let others: Vec<String> = spot
            .shared
            .iter()
            .map(|one| super::correspondence::show(one))
            .collect();
        doubts.insert(format!(
            "#{} is what {} was, and {} too: the override would be about all of them",
            spot.at,
            super::correspondence::show(at),
            others.join(", ")
        ));
    }
}

fn decision(
    to: &Correspondence<'_>,
    action: &Action,
    id: &str,
    old: &str,
    new: Option<&str>,
    reason: &str,
) -> Decision {
    let fragment = |root: &Value, at: &str| root.pointer(at).map(Value::to_string);
    Decision {
        reason: reason.to_owned(),
        id: id.to_owned(),
        target: action.target.clone(),
        old: fragment(to.old, old),
        new: new
            .and_then(|at| fragment(to.new, at).or_else(|| fragment(to.new, &core(to.new, at)))),
        wanted: match &action.effect {
            Effect::Update(update) => update.to_string(),
            Effect::Remove => "(nothing: it is to go)".to_owned(),
            Effect::Copy(_) | Effect::Nothing => "(as it is)".to_owned(),
        },
    }
}

fn effect_value(action: &Action) -> Option<&Value> {
    match &action.effect {
        Effect::Update(update) => Some(update),
        _ => None,
    }
}

fn as_it_is(action: &Action) -> Moved {
    Moved {
        target: action.target.clone(),
        update: effect_value(action).cloned(),
        guard: action.guard.clone(),
    }
}

fn wants(action: &Action) -> Wants {
    let is_aside = |key: &String| WORDS.contains(&key.as_str()) || key.starts_with("x-");
    match &action.effect {
        Effect::Remove => Wants::Remove,
        Effect::Update(Value::Object(update)) if update.keys().all(is_aside) => Wants::Annotate,
        _ => Wants::Update,
    }
}
