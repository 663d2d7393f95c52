//! Ranks how well an object fits the alternatives of a union: by its members, and by nested objects if its members do not decide.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::one_of::Form;

/// An object with its members. Nested objects are opened once, on demand.
pub(super) struct Opened<'t, 'u> {
    members: HashMap<String, &'t RawValue>,
    /// `None` for values that are not objects.
    inner: HashMap<&'u str, Option<Self>>,
}

/// The fit of an object to an alternative.
pub(super) struct Fit {
    /// True if the object may be this alternative, by its own members alone.
    pub(super) is_likely: bool,
    /// Fewer missing required members and differing constants rank higher; then, more known members do.
    pub(super) rank: (Reverse<usize>, usize),
}

impl<'t, 'u> Opened<'t, 'u> {
    /// `None` for values that are not objects.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let members = serde_json::from_str(text).ok()?;
        Some(Self {
            members,
            inner: HashMap::new(),
        })
    }

    pub(super) fn member(&self, name: &str) -> Option<&'t str> {
        self.members.get(name).map(|raw| raw.get())
    }

    /// Returns the fit; `None` if the alternative is not an object.
    pub(super) fn fit(&mut self, form: Form<'u>) -> Option<Fit> {
        match form {
            // Alternatives with named members come first.
            Form::Map => Some(Fit {
                is_likely: true,
                rank: (Reverse(usize::MAX), 0),
            }),
            Form::Object {
                required, members, ..
            } => {
                let own = self.own(form);
                // An object that lacks required members is likely only if it has no unknown ones.
                let is_likely = match own.lacking {
                    0 => !required.is_empty() || own.known > 0 || self.members.is_empty(),
                    _ => own.known > 0 && own.known == self.members.len(),
                };
                let (gaps, known) = self.within(members);
                Some(Fit {
                    is_likely: is_likely && own.differing == 0,
                    rank: (Reverse(own.gaps() + gaps), own.known + known),
                })
            }
            _ => None,
        }
    }

    fn own(&self, form: Form<'_>) -> OwnMembers {
        let Form::Object {
            required,
            known,
            constants,
            ..
        } = form
        else {
            return OwnMembers::default();
        };
        let has = |name: &str| self.members.contains_key(name);
        let differing = constants.iter().filter(|(name, value)| {
            let there = self.members.get(*name);
            there.is_some_and(|there| !value.is_read(*there))
        });
        OwnMembers {
            lacking: required.iter().filter(|name| !has(name)).count(),
            differing: differing.count(),
            known: known.iter().filter(|name| has(name)).count(),
        }
    }

    /// Returns the gaps of the nested objects, and the number of their known members.
    fn within(&mut self, forms: &'u [(&'u str, Form<'u>)]) -> (usize, usize) {
        let (mut gaps, mut known) = (0, 0);
        for (name, form) in forms {
            let Some(text) = self.member(name) else {
                continue;
            };
            match self.inner.entry(name).or_insert_with(|| Self::of(text)) {
                Some(inner) => {
                    let own = inner.own(*form);
                    gaps += own.gaps();
                    known += own.known;
                    if let Form::Object { members, .. } = form {
                        let (deeper, named) = inner.within(members);
                        gaps += deeper;
                        known += named;
                    }
                }
                None if text == "null" => {}
                None => gaps += 1,
            }
        }
        (gaps, known)
    }
}

/// The match between an object's own members and a form, without nested objects.
#[derive(Default)]
struct OwnMembers {
    /// The number of missing required members.
    lacking: usize,
    /// The number of constants with another value.
    differing: usize,
    known: usize,
}

impl OwnMembers {
    fn gaps(&self) -> usize {
        self.lacking + self.differing
    }
}
