//! How well an object fits the alternatives of a union: by its members, and by those of the objects in it where its own tell nothing apart.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::one_of::Form;

/// An object, opened; the objects in it are opened once, when an alternative asks for them.
pub(super) struct Opened<'t, 'u> {
    members: HashMap<String, &'t RawValue>,
    /// `None` for what is no object.
    inner: HashMap<&'u str, Option<Self>>,
}

/// How well an object fits an alternative.
pub(super) struct Fit {
    /// Whether it may be this one, by its own members alone.
    pub(super) is_likely: bool,
    /// The fewer required members are missing, and constants different, the better; then, the more members are known.
    pub(super) rank: (Reverse<usize>, usize),
}

impl<'t, 'u> Opened<'t, 'u> {
    /// `None` for what is no object.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let members = serde_json::from_str(text).ok()?;
        Some(Self {
            members,
            inner: HashMap::new(),
        })
    }

    /// A member as text.
    pub(super) fn member(&self, name: &str) -> Option<&'t str> {
        self.members.get(name).map(|raw| raw.get())
    }

    /// How well it fits; `None` where the alternative is no object.
    pub(super) fn fit(&mut self, form: Form<'u>) -> Option<Fit> {
        match form {
            // Whatever has names for its members comes first.
            Form::Map => Some(Fit {
                is_likely: true,
                rank: (Reverse(usize::MAX), 0),
            }),
            Form::Object {
                required, members, ..
            } => {
                let own = self.own(form);
                // What lacks something is taken for this only when it has nothing else.
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

    fn own(&self, form: Form<'_>) -> Own {
        let Form::Object {
            required,
            known,
            constants,
            ..
        } = form
        else {
            return Own::default();
        };
        let has = |name: &str| self.members.contains_key(name);
        let differing = constants.iter().filter(|(name, value)| {
            let there = self.members.get(*name);
            there.is_some_and(|there| !value.is_read(*there))
        });
        Own {
            lacking: required.iter().filter(|name| !has(name)).count(),
            differing: differing.count(),
            known: known.iter().filter(|name| has(name)).count(),
        }
    }

    /// The gaps of the objects in it, and how many of their members are known.
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

/// How the members of an object are those of a form, without what is in them.
#[derive(Default)]
struct Own {
    /// Required ones that are missing.
    lacking: usize,
    /// Constants with another value.
    differing: usize,
    known: usize,
}

impl Own {
    fn gaps(&self) -> usize {
        self.lacking + self.differing
    }
}
