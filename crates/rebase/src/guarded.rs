//! Actions about many places, each with the guard that it is compared by: the published document where that has the target, and otherwise the
//! document that earlier overrides and actions left.

use std::collections::BTreeMap;

use openapi_document::pointer;
use openapi_overlay::lists::settle;
use serde_json::{Map, Value};

use super::query::queries;

/// The documents that guards are about.
pub(super) struct Guards<'d> {
    /// With its overrides applied.
    pub(super) new: &'d Value,
    pub(super) published: &'d Value,
}

impl<'d> Guards<'d> {
    pub(super) fn is_published(&self, place: &str) -> bool {
        self.as_published(place).is_some()
    }

    fn as_published(&self, place: &str) -> Option<&'d Value> {
        let at = settle(self.new, self.published, place).0;
        self.published.pointer(&at)
    }

    /// What stands at a place and has to go before something else can stand there.
    pub(super) fn removed(&self, place: &str, wanted: Option<&Value>) -> Option<&'d Value> {
        let there = self.new.pointer(place)?;
        let there = self.as_published(place).unwrap_or(there);
        (Some(there) != wanted).then_some(there)
    }

    /// What the guard of an update finds for each key that it writes, behind the removal of these keys.
    pub(super) fn found(&self, place: &str, update: &Map<String, Value>, keys: &[&str]) -> Value {
        let is_published = self.is_published(place);
        let found = update.iter().map(|(key, wanted)| {
            let at = pointer::join(place, key);
            let is_gone = keys.contains(&key.as_str()) && self.removed(&at, Some(wanted)).is_some();
            let value = match is_published {
                true => self.as_published(&at),
                false => self.new.pointer(&at).filter(|_| !is_gone),
            };
            (key.clone(), value.cloned().unwrap_or_default())
        });
        Value::Object(found.collect())
    }
}

/// Places that are written alike. Guards of what is published and of what overrides brought are compared with different documents, so no
/// target selects both.
#[derive(Default)]
pub(super) struct Grouped(BTreeMap<(bool, String), Vec<String>>);

impl Grouped {
    /// Adds a place, with the text of its action behind the target.
    pub(super) fn add(&mut self, guards: &Guards<'_>, place: &str, action: String) {
        let places = self.0.entry((!guards.is_published(place), action));
        places.or_default().push(place.to_owned());
    }

    /// The actions, each with the fewest targets.
    pub(super) fn text(&self, new: &Value) -> String {
        let mut text = String::new();
        for ((_, action), places) in &self.0 {
            for (target, _) in queries(new, places) {
                let target = Value::String(target);
                text.push_str(&format!("  - target: {target}\n{action}"));
            }
        }
        text
    }
}
