//! Places that an override replaces: one action removes the value there, and a later one writes another. Both follow the new document
//! together: it may have what the override wants there, or say less than the guard of a parameter.

use std::collections::BTreeSet;

use openapi_document::pointer;
use openapi_overlay::Effect;
use openapi_overlay::lists::settle;
use openapi_schemas::reading::Document;
use serde_json::Value;

use super::correspondence::Correspondence;
use super::equality::Equality;
use super::said::peeled;
use crate::judge::outcome;
use crate::load::Override;

/// The places that one override replaces.
#[derive(Default)]
pub(super) struct Replaced {
    /// The old document after the override.
    wanted: Value,
    /// The places, as pointers into the old document as published.
    places: BTreeSet<String>,
}

/// What the new document has at a replaced place, if not what the old one has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    /// What the override wants.
    Wanted,
    /// The same without formats, bounds or defaults of the old document.
    Less,
    /// A parameter as the override wants it, without formats, bounds or defaults.
    LessThanWanted,
    /// Something else.
    Other,
}

impl Replaced {
    /// Finds the places that an override replaces. `before` is the old document before it.
    pub(super) fn by(to: &Correspondence<'_>, before: &Value, one: &Override) -> Self {
        let actions = one.overlay.actions.iter();
        let mut removals = actions.filter(|action| matches!(action.effect, Effect::Remove));
        let Some(first) = removals.next() else {
            return Self::default();
        };
        // Evidence shows what the document lacks: it is for a person if something else of the override stays.
        let mut updates = one
            .overlay
            .actions
            .iter()
            .filter_map(|action| action.effect.update());
        if !one.evidence.is_empty() && updates.any(has_extension) {
            return Self::default();
        }
        let (_, wanted) = outcome(to.old, before.clone(), one);
        let mut places = BTreeSet::new();
        for action in std::iter::once(first).chain(removals) {
            for at in openapi_overlay::nodes(&action.query, before) {
                let at = settle(before, to.old, &at).0;
                let now = settle(to.old, &wanted, &at).0;
                if to.old.pointer(&at).is_some() && wanted.pointer(&now).is_some() {
                    places.insert(at);
                }
            }
        }
        Self { wanted, places }
    }

    /// Returns the replaced place at or above a pointer of the old document, and the pointer below it.
    fn around<'p>(&self, at: &'p str) -> Option<(&str, &'p str)> {
        let place = self
            .places
            .iter()
            .find(|place| pointer::is_within(at, place))?;
        Some((place, at.strip_prefix(place.as_str())?))
    }

    /// Returns whether a place of the old document is replaced, or in one that is.
    pub(super) fn has(&self, at: &str) -> bool {
        self.around(at).is_some()
    }

    /// Returns what the new document has at the replaced place that contains a place. `None` if that is not replaced, or as it was.
    pub(super) fn found(&self, to: &Correspondence<'_>, at: &str, new: &str) -> Option<Found> {
        let (place, rest) = self.around(at)?;
        let new = new.strip_suffix(rest)?;
        let wanted = settle(to.old, &self.wanted, place).0;
        let was = Compared {
            root: to.old,
            at: place,
        };
        let wanted = Compared {
            root: &self.wanted,
            at: &wanted,
        };
        if was.is_equal(to, new, false) {
            return None;
        }
        let now = Compared {
            root: to.new,
            at: new,
        };
        // A name that an override gives a schema is in no document that writes the schema out.
        let has_no_name = wanted.has_name() && !was.has_name() && !now.has_name();
        Some(if !has_no_name && wanted.is_equal(to, new, false) {
            Found::Wanted
        } else if was.is_equal(to, new, true) {
            Found::Less
        } else if !has_no_name && is_parameter(place) && wanted.is_equal(to, new, true) {
            Found::LessThanWanted
        } else {
            Found::Other
        })
    }

    /// Returns whether the new document has what the override wants at a replaced place.
    pub(super) fn is_said(&self, to: &Correspondence<'_>, at: &str, new: &str) -> bool {
        self.places.contains(at)
            && matches!(
                self.found(to, at, new),
                Some(Found::Wanted | Found::LessThanWanted)
            )
    }
}

fn has_extension(update: &Value) -> bool {
    let mut keys = update.as_object().into_iter().flat_map(|map| map.keys());
    keys.any(|key| key.starts_with("x-"))
}

/// A place of the old document, or of that document after the override.
struct Compared<'d> {
    root: &'d Value,
    at: &'d str,
}

impl Compared<'_> {
    /// Returns whether a place of the new document has the same value, which may have less if `or_less`.
    fn is_equal(&self, to: &Correspondence<'_>, new: &str, or_less: bool) -> bool {
        let mut equality = Equality::new(to, self.root, to.new, self.at);
        equality.may_say_less = or_less;
        equality.may_lack_extensions = true;
        equality.places((self.at, ""), (new, ""))
    }

    /// Returns whether a schema refers to a component, possibly beside null.
    fn has_name(&self) -> bool {
        let value = self.root.pointer(self.at);
        let said = value.and_then(|value| peeled(&mut Document::new(self.root), value));
        said.is_some_and(|said| said.reference.is_some())
    }
}

/// Returns whether a pointer is that of a parameter.
fn is_parameter(at: &str) -> bool {
    pointer::split_last(at).is_some_and(|(list, _)| list.ends_with("/parameters"))
}
