//! Two values at the same location, and the keywords of two objects.

use serde_json::Value;

use super::mark::{Mark, Marks};
use super::rules::Rule;
use super::say::changed;

/// The old and the new version of a value.
#[derive(Clone, Copy)]
pub(crate) struct Both<'d> {
    pub(crate) old: &'d Value,
    pub(crate) new: &'d Value,
}

/// A keyword of two objects, or an entry of two maps, with its value in each.
#[derive(Clone, Copy)]
pub(crate) struct Keyword<'k, 'd> {
    pub(crate) name: &'k str,
    /// Objects that have the keyword, or lack it.
    pub(crate) home: Both<'d>,
    pub(crate) old: Option<&'d Value>,
    pub(crate) new: Option<&'d Value>,
}

impl<'d> Both<'d> {
    pub(crate) fn new(old: &'d Value, new: &'d Value) -> Self {
        Self { old, new }
    }

    /// Returns a keyword of two objects.
    pub(crate) fn keyword<'k>(self, name: &'k str) -> Keyword<'k, 'd> {
        Keyword {
            name,
            home: self,
            old: self.old.get(name),
            new: self.new.get(name),
        }
    }

    /// Returns all keywords of two objects: those of the old one, then the new ones.
    pub(crate) fn keywords(self) -> impl Iterator<Item = Keyword<'d, 'd>> {
        let new = names(self.new).filter(move |name| self.old.get(name).is_none());
        let all = names(self.old).chain(new);
        all.map(move |name| self.keyword(name))
    }
}

/// Returns the names of an object's members.
fn names(value: &Value) -> impl Iterator<Item = &str> {
    let members = value.as_object().into_iter().flatten();
    members.map(|(name, _)| name.as_str())
}

impl<'d> Keyword<'_, 'd> {
    pub(crate) fn differs(self) -> bool {
        self.old != self.new
    }

    /// Returns the values, if both objects have one.
    pub(crate) fn both(self) -> Option<Both<'d>> {
        let (old, new) = self.old.zip(self.new)?;
        Some(Both { old, new })
    }

    /// Returns a keyword of the values. An absent value lacks every keyword.
    pub(crate) fn inner<'k>(self, name: &'k str) -> Keyword<'k, 'd> {
        Keyword {
            name,
            home: Both::new(
                self.old.unwrap_or(self.home.old),
                self.new.unwrap_or(self.home.new),
            ),
            old: self.old.and_then(|value| value.get(name)),
            new: self.new.and_then(|value| value.get(name)),
        }
    }

    /// Returns the entries of two maps by name. An absent map is an empty one.
    pub(crate) fn entries(self) -> impl Iterator<Item = Keyword<'d, 'd>> {
        let maps = Both::new(
            self.old.unwrap_or(&Value::Null),
            self.new.unwrap_or(&Value::Null),
        );
        maps.keywords()
    }

    /// Returns the rule of a flag: for one that became `true`, or for one that was. `false` means the same as absence.
    pub(crate) fn switched(self, [on, off]: [&'static Rule; 2]) -> Option<&'static Rule> {
        let set = Some(&Value::Bool(true));
        match (self.old == set, self.new == set) {
            (false, true) => Some(on),
            (true, false) => Some(off),
            _ => None,
        }
    }

    /// Describes the change.
    pub(crate) fn changed(self) -> String {
        changed(self.name, self.old, self.new)
    }
}

impl<'d> From<Both<'d>> for Marks<'d> {
    fn from(both: Both<'d>) -> Self {
        Self::new(Mark::at(both.old), Mark::at(both.new))
    }
}

impl<'d> From<Keyword<'_, 'd>> for Marks<'d> {
    fn from(keyword: Keyword<'_, 'd>) -> Self {
        Self::new(
            Mark::within(keyword.old, keyword.home.old),
            Mark::within(keyword.new, keyword.home.new),
        )
    }
}
