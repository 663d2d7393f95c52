//! Finds the target locations of an action in the new document.

use std::collections::BTreeSet;

use openapi_document::pointer;
use openapi_schemas::reading::resolution_path;
use serde_json::Value;

use super::correspondence::Correspondence;
use super::pointers::{component, component_of, member, target_schema};
use super::said::part_of;

/// The effect of an action on a location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wants<'w> {
    /// Removes it.
    Remove,
    /// Merges keywords of the value, which a reference beside them does not allow.
    Update(&'w Value),
    /// Merges descriptions and extensions, which are allowed beside a reference.
    Annotate(&'w Value),
}

/// A target location in the new document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TargetLocation {
    /// Its pointer.
    pub(super) at: String,
    /// Other locations of the same shared schema, which the action does not target.
    pub(super) shared: Vec<String>,
}

impl Correspondence<'_> {
    /// Returns the locations in the new document that match an old one; may be empty.
    pub(super) fn target_locations(
        &self,
        at: &str,
        wants: Wants<'_>,
        targets: &BTreeSet<String>,
    ) -> Vec<TargetLocation> {
        let mut found: Vec<TargetLocation> = Vec::new();
        for location in self.all(at, wants, targets) {
            if !found.iter().any(|known| known.at == location.at) {
                found.push(location);
            }
        }
        found
    }

    fn all(&self, at: &str, wants: Wants<'_>, targets: &BTreeSet<String>) -> Vec<TargetLocation> {
        let (home, rest) = self.known(at);
        if home.is_empty() {
            return self.by_text(at);
        }
        let slots = self.slots.get(home).map(Vec::as_slice);
        if rest.is_empty() {
            return self.whole(home, slots, wants, targets);
        }
        // An unmatched list element has no counterpart at its position.
        let is_old = self.old.pointer(at).is_some();
        if rest.starts_with("/parameters/") && is_old {
            return Vec::new();
        }
        let mut locations: Vec<TargetLocation> = if self.cores.contains_key(home) {
            self.of_cores(home, rest, targets)
        } else {
            let slots = slots.unwrap_or_default().iter();
            slots
                .map(|slot| target_location(self.below(slot, rest)))
                .collect()
        };
        // A value that only the old document has is gone.
        locations.retain(|location| !is_old || self.new.pointer(&location.at).is_some());
        locations
    }

    /// Returns the counterparts of a known location.
    fn whole(
        &self,
        home: &str,
        slots: Option<&[String]>,
        wants: Wants<'_>,
        targets: &BTreeSet<String>,
    ) -> Vec<TargetLocation> {
        let is_component = component(home).is_some();
        match slots {
            // An inlined component cannot be removed.
            _ if wants == Wants::Remove && is_component => {
                self.named(home).into_iter().map(target_location).collect()
            }
            Some(slots) if wants == Wants::Remove => {
                let own = slots.iter().filter(|slot| !self.is_referred(slot, slots));
                own.cloned().map(target_location).collect()
            }
            Some(slots) if !is_component => {
                let own = slots.iter().filter(|slot| !self.is_referred(slot, slots));
                own.map(|slot| self.of_slot(home, slot, wants, targets))
                    .collect()
            }
            _ => self.of_cores(home, "", targets),
        }
    }

    /// Returns whether one of these locations of the new document is a reference to another one: a change of that is a change of more.
    fn is_referred(&self, at: &str, slots: &[String]) -> bool {
        let mut referring = slots.iter().filter(|slot| *slot != at);
        referring.any(|slot| {
            resolution_path(self.new, slot)
                .iter()
                .any(|node| node == at)
        })
    }

    /// Returns the deepest known location at or above a pointer, and the rest of the pointer.
    fn known<'p>(&self, at: &'p str) -> (&'p str, &'p str) {
        let mut home = at;
        loop {
            if self.slots.contains_key(home) || self.cores.contains_key(home) {
                return (home, at.get(home.len()..).unwrap_or_default());
            }
            match home.rsplit_once('/') {
                Some((above, _)) => home = above,
                None => return ("", at),
            }
        }
    }

    /// Returns locations outside of operations and schemas, which keep their pointers.
    fn by_text(&self, at: &str) -> Vec<TargetLocation> {
        let mut tokens = pointer::tokens(at);
        let (first, second) = (tokens.next().unwrap_or_default(), tokens.next());
        let tail: Vec<String> = tokens.collect();
        match (first.as_str(), second) {
            ("paths", Some(path)) => {
                let is_old = self.old.pointer(&pointer::join("/paths", &path)).is_some();
                if is_old {
                    return Vec::new();
                }
                let start = pointer::join("/paths", &self.path(&path));
                let at = tail
                    .iter()
                    .fold(start, |at, token| pointer::join(&at, token));
                vec![target_location(at)]
            }
            // A component of the old document is known, or has no counterpart.
            ("components", Some(_))
                if component_of(at).is_some_and(|one| self.old.pointer(one).is_some()) =>
            {
                Vec::new()
            }
            _ if self.old.pointer(at).is_some() && self.new.pointer(at).is_none() => Vec::new(),
            _ => vec![target_location(at.to_owned())],
        }
    }

    /// Returns the target of one paired location: its resolved schema, unless other locations share it.
    fn of_slot(
        &self,
        home: &str,
        slot: &str,
        wants: Wants<'_>,
        targets: &BTreeSet<String>,
    ) -> TargetLocation {
        // Keywords around a reference stay around it.
        if resolution_path(self.old, home).len() > 1 {
            return target_location(slot.to_owned());
        }
        let meant = target_schema(self.new, slot);
        let shared = self.others(&meant, targets);
        match wants {
            // The location of the replaced documentation.
            Wants::Annotate(update)
                if is_of_the_place(update) || self.has_words(slot, &meant, update) =>
            {
                target_location(slot.to_owned())
            }
            // The place refers to what the update refers to: written there, it would refer to itself.
            Wants::Update(update) if part_of(update) == Some(&*meant) => {
                target_location(slot.to_owned())
            }
            _ if shared.is_empty() => target_location(meant),
            Wants::Annotate(_) | Wants::Remove => target_location(slot.to_owned()),
            Wants::Update(_) => TargetLocation { at: meant, shared },
        }
    }

    /// Returns whether a wrapper has documentation that an update replaces.
    fn has_words(&self, slot: &str, meant: &str, update: &Value) -> bool {
        let mut keys = update.as_object().into_iter().flat_map(|map| map.keys());
        slot != meant
            && keys.any(|key| {
                member(self.new, slot, key).is_some() && member(self.new, meant, key).is_none()
            })
    }

    fn of_cores(&self, home: &str, rest: &str, targets: &BTreeSet<String>) -> Vec<TargetLocation> {
        let all = self.component(home).iter().map(|meant| TargetLocation {
            at: self.below(meant, rest),
            shared: self.others(meant, targets),
        });
        all.collect()
    }

    /// Returns the other referrers of a schema, which the action does not target.
    fn others(&self, meant: &str, targets: &BTreeSet<String>) -> Vec<String> {
        let mut others = Vec::new();
        for one in self.sharers.get(meant).into_iter().flatten() {
            let mut all = targets.iter();
            if !all.any(|target| {
                pointer::is_within(target, one) || target_schema(self.old, target) == *one
            }) {
                others.push(one.clone());
            }
        }
        others
    }

    /// Returns a location below another, through wrappers. A missing one is placed in the resolved schema: another override adds it.
    fn below(&self, slot: &str, rest: &str) -> String {
        let nodes = resolution_path(self.new, slot);
        let meant = nodes.last().map_or(slot, String::as_str);
        let mut holder = rest;
        loop {
            for node in nodes.iter().rev() {
                if self.new.pointer(&format!("{node}{holder}")).is_some() {
                    return format!("{node}{rest}");
                }
            }
            match holder.rsplit_once('/') {
                Some((above, _)) if !above.is_empty() => holder = above,
                _ => return format!("{meant}{rest}"),
            }
        }
    }
}

/// Returns whether an update concerns the location rather than its resolved schema.
fn is_of_the_place(update: &Value) -> bool {
    ["x-rust-name", "x-rust-optional"]
        .iter()
        .any(|key| update.get(key).is_some())
        || update.get("x-aliases").is_some_and(Value::is_array)
}

fn target_location(at: String) -> TargetLocation {
    TargetLocation {
        at,
        shared: Vec::new(),
    }
}
