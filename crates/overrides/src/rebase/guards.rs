//! The guard of a moved action: that of the new document where each guarded value is equal, and the old value otherwise.

use openapi_document::keywords::is_words;
use openapi_document::pointer;
use openapi_document::readable::shortened;
use openapi_overlay::Action;
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::equality::Equality;
use super::moved::{Doubt, Likely};
use super::outcome::{Documents, Outcome, Pairing};
use super::pointers::component_of;
use super::replaced::Found;
use super::values::{Written, written};
use crate::judge::{guard_holds, guarded, is_said};

/// An action before and after the move.
pub(super) struct Guarding<'g> {
    pub(super) documents: &'g Documents<'g>,
    pub(super) old: &'g Action,
    pub(super) new: &'g Action,
}

/// A guarded place that has one of the pairs of targets.
struct Guarded<'p> {
    pair: &'p Pairing,
    /// The place below the target of the old document.
    old: &'p str,
    /// The place below the target of the new document.
    new: String,
}

impl<'g> Guarding<'g> {
    /// Returns the guard in the terms of the new document.
    pub(super) fn guard(&self, pairs: &[&Pairing], outcome: &mut Outcome) -> Option<Value> {
        let guard = self.old.guard.as_ref()?;
        let documents = self.documents;
        let to = documents.to;
        let first = pairs.first().map(|pair| pair.old.as_str());
        let mut notes = Written::default();
        let kept = written(to, guard, first.unwrap_or_default(), &mut notes);
        let there = first.and_then(|at| documents.before(at, ""));
        let mut places = Vec::new();
        collect_places(guard, self.old.effect.update(), there, "", &mut places);
        let mut fresh = kept.clone();
        let mut differing: Vec<Guarded<'_>> = Vec::new();
        for place in &places {
            let mut values: Vec<Option<&Value>> = Vec::new();
            for pair in pairs.iter().copied() {
                let one = Guarded {
                    pair,
                    old: place,
                    new: moved_place(to, pair, place),
                };
                let value = documents.after(&pair.new, &one.new);
                if let Some(rest) = self.confirmed(&one) {
                    put(&mut fresh, &one.new, rest);
                    continue;
                }
                let (old, new) = (pair.old.clone() + place, format!("{}{}", pair.new, one.new));
                let found = documents.replaced.found(to, &old, &new);
                if matches!(found, Some(Found::Wanted | Found::LessThanWanted)) {
                    put(&mut fresh, &one.new, value.cloned().unwrap_or_default());
                    continue;
                }
                if !self.is_equal(&one) {
                    if found != Some(Found::Less) && !self.is_less(&one) {
                        differing.push(one);
                        continue;
                    }
                    let kind = Likely::Less;
                    let text = difference(documents.before(&pair.old, place), value);
                    outcome.doubts.insert(Doubt { kind, text });
                }
                if values.is_empty() {
                    put(&mut fresh, &one.new, value.cloned().unwrap_or_default());
                } else if !values.contains(&value) {
                    differing.push(one);
                    continue;
                }
                values.push(value);
            }
        }
        if differing.is_empty() {
            let is_kept = guard_holds(to.new, documents.new, self.new, &kept);
            return Some(if is_kept { kept } else { fresh });
        }
        for one in &differing {
            let old = kept.pointer(&one.new).cloned().unwrap_or_default();
            let now = documents.after(&one.pair.new, &one.new);
            put(&mut fresh, &one.new, with_absent(old, now));
        }
        if guard_holds(to.new, documents.new, self.new, &fresh) {
            // The difference is beside the guarded keyword, as in a part that is new.
            for one in &differing {
                self.put_beside(one, &mut fresh);
            }
        }
        for one in &differing {
            let was = documents.before(&one.pair.old, one.old);
            let is = documents.after(&one.pair.new, &one.new);
            let text = difference(was, is);
            let key = pointer::split_last(one.old).map(|(_, key)| key);
            if key.is_some_and(|key| is_words(&key)) && was.is_some() && is.is_some() {
                put(&mut fresh, &one.new, is.cloned().unwrap_or_default());
                let text = format!("another wording: {text}");
                let kind = Likely::Words;
                outcome.doubts.insert(Doubt { kind, text });
            } else {
                outcome.decisions.push(text);
            }
        }
        Some(fresh)
    }

    /// Returns the guard of what is left of an update, where the new document has the rest of what it adds. `None` if it does not.
    fn confirmed(&self, one: &Guarded<'_>) -> Option<Value> {
        let there = self.documents.after(&one.pair.new, &one.new)?;
        if self.documents.before(&one.pair.old, one.old).is_some() {
            return None;
        }
        let before = self.old.effect.update()?.pointer(one.old)?;
        let rest = self.new.effect.update()?.pointer(&one.new);
        let empty = Value::Object(Map::new());
        (rest != Some(before)).then(|| guarded(rest.unwrap_or(&empty), there))
    }

    fn is_equal(&self, one: &Guarded<'_>) -> bool {
        let (documents, to) = (self.documents, self.documents.to);
        let Pairing { old, new } = one.pair;
        // A place that only overrides have is guarded as they left it.
        let is_published = to.old.pointer(old).is_some() && to.new.pointer(new).is_some();
        let (a, b, old_at, new_at) = if is_published {
            (to.old, to.new, old.clone(), new.clone())
        } else {
            (
                documents.old,
                documents.new,
                documents.then(old),
                documents.now(new),
            )
        };
        let mut equality = Equality::new(to, a, b, old);
        if let Some(added) = self.added_parameters(one) {
            // An update adds to the list: parameters beside its own do not matter.
            let was = a.pointer(&format!("{old_at}{}", one.old));
            let is = b.pointer(&format!("{new_at}{}", one.new));
            return equality.parameters(was, is, added);
        }
        equality.places((&old_at, one.old), (&new_at, &one.new))
    }

    /// Returns whether the new document leaves out only formats, bounds and defaults of the parameters that an update writes again.
    fn is_less(&self, one: &Guarded<'_>) -> bool {
        let Some(added) = self.added_parameters(one) else {
            return false;
        };
        let was = self.documents.before(&one.pair.old, one.old);
        let is = self.documents.after(&one.pair.new, &one.new);
        let to = self.documents.to;
        let mut equality = Equality::new(to, to.old, to.new, &one.pair.old);
        equality.may_say_less = true;
        equality.parameters(was, is, added)
    }

    /// Returns the parameters that the moved action writes, if the guarded place is the list of them.
    fn added_parameters(&self, one: &Guarded<'_>) -> Option<&'g [Value]> {
        if one.old != "/parameters" {
            return None;
        }
        self.old.effect.update()?.get("parameters")?;
        let added = self.new.effect.update()?.get("parameters");
        added.map_or(Some(&[]), |added| added.as_array().map(Vec::as_slice))
    }

    /// Adds the old values of what differs beside a guarded key.
    fn put_beside(&self, one: &Guarded<'_>, guard: &mut Value) {
        let (Some((old, _)), Some((new, _))) =
            (pointer::split_last(one.old), pointer::split_last(&one.new))
        else {
            return;
        };
        let was = self.documents.before(&one.pair.old, old);
        let is = self.documents.after(&one.pair.new, new);
        let (Some(Value::Object(was)), Some(Value::Object(is))) = (was, is) else {
            return;
        };
        let members = was
            .iter()
            .chain(is)
            .filter(|(key, value)| is_said(key, value));
        for (key, _) in members.filter(|(key, _)| was.get(*key) != is.get(*key)) {
            let old = was.get(key).cloned().unwrap_or_default();
            put(guard, &pointer::join(new, key), old);
        }
    }
}

/// Collects the guarded places below a target. A value that the guard has completely is one place, so that further members differ, too.
fn collect_places(
    guard: &Value,
    update: Option<&Value>,
    there: Option<&Value>,
    at: &str,
    found: &mut Vec<String>,
) {
    let Value::Object(map) = guard else {
        found.push(at.to_owned());
        return;
    };
    let is_written_in = update.is_some_and(Value::is_object);
    let is_whole = there.and_then(Value::as_object).is_some_and(|there| {
        let mut members = there.iter();
        members.all(|(key, value)| !is_said(key, value) || map.contains_key(key))
    });
    if is_whole && !is_written_in {
        found.push(at.to_owned());
        // Words count where nothing else is guarded.
        if map.is_empty() || map.iter().any(|(key, value)| is_said(key, value)) {
            return;
        }
    }
    for (key, guard) in map {
        let update = update.and_then(|update| update.get(key));
        let there = there.and_then(|there| there.get(key));
        collect_places(guard, update, there, &pointer::join(at, key), found);
    }
}

/// Returns a guarded place below the new target. Components and paths in it may have other names.
fn moved_place(to: &Correspondence<'_>, pair: &Pairing, at: &str) -> String {
    let whole = format!("{}{at}", pair.old);
    let mut tokens = pointer::tokens(&whole);
    let path = tokens.next().filter(|first| first == "paths");
    let named = match (path.and(tokens.next()), component_of(&whole)) {
        (Some(path), _) => Some((
            pointer::join("/paths", &path),
            pointer::join("/paths", &to.path(&path)),
        )),
        (None, Some(home)) => to.named(home).map(|new| (home.to_owned(), new)),
        (None, None) => None,
    };
    let moved = named.and_then(|(old, new)| {
        let rest = whole.strip_prefix(&old)?;
        let above = new.strip_prefix(&pair.new)?;
        (old.len() > pair.old.len()).then(|| format!("{above}{rest}"))
    });
    moved.unwrap_or_else(|| at.to_owned())
}

/// Returns a guard with null for each member that only the new value has: the guard holds if there is nothing.
fn with_absent(mut guard: Value, now: Option<&Value>) -> Value {
    if let (Value::Object(guard), Some(Value::Object(now))) = (&mut guard, now) {
        for (key, now) in now.iter().filter(|(key, now)| is_said(key, now)) {
            let old = guard.get_mut(key).map(Value::take);
            let old = old.unwrap_or_default();
            let is_object = old.is_object();
            let both = if is_object {
                with_absent(old, Some(now))
            } else {
                old
            };
            guard.insert(key.clone(), both);
        }
    }
    guard
}

/// Describes the first difference of two values.
fn difference(old: Option<&Value>, new: Option<&Value>) -> String {
    if old == new {
        return "the schema around the guarded value is composed of others now".to_owned();
    }
    let (mut old, mut new, mut name) = (old, new, String::new());
    while let (Some(Value::Object(a)), Some(Value::Object(b))) = (old, new) {
        let mut members = a.iter().chain(b).filter(|(key, value)| is_said(key, value));
        let Some((key, _)) = members.find(|(key, _)| a.get(*key) != b.get(*key)) else {
            break;
        };
        (old, new) = (a.get(key), b.get(key));
        name.clone_from(key);
    }
    let subject = match name.as_str() {
        "" => "the guarded value".to_owned(),
        name => format!("`{name}`"),
    };
    format!("{subject} was {} and is {} now", shown(old), shown(new))
}

/// Returns a value as one short line.
fn shown(value: Option<&Value>) -> String {
    const LONGEST: usize = 60;
    let text = value.map_or_else(|| "absent".to_owned(), Value::to_string);
    shortened(&text, LONGEST)
}

fn put(guard: &mut Value, at: &str, value: Value) {
    let mut here = guard;
    for token in pointer::tokens(at) {
        if !here.is_object() {
            *here = Map::new().into();
        }
        let Value::Object(map) = here else { return };
        here = map.entry(token).or_insert(Value::Null);
    }
    *here = value;
}
