//! Ranks how well an object fits the alternatives of a union: by its members, and by nested objects if its members do not decide.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::one_of::Form;
use crate::decode::allowance::Allowance;
use crate::decode::reader::{Mode, Reader, State};

/// An object with its members. Nested objects are opened once, on demand.
pub(super) struct Opened<'t, 'u> {
    members: HashMap<String, &'t str>,
    /// `None` for values that are not objects.
    inner: HashMap<&'u str, Option<Self>>,
}

/// The fit of an object to an alternative.
pub(super) struct Fit {
    /// True if the object may be this alternative, by its own members alone.
    pub(super) is_likely: bool,
    pub(super) rank: Rank,
}

/// Fewer missing required members and differing constants rank higher; then, more known members do.
type Rank = (Reverse<usize>, usize);

impl<'t, 'u> Opened<'t, 'u> {
    /// Opens an object, or the first of an array; `None` for other values.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let state = State::new(Mode::Strict, Allowance::UNBOUNDED);
        let mut reader = Reader::new(text, state);
        if reader.skip_sign(b'[') && reader.peek() != Some(b'{') {
            return None;
        }
        let mut members = HashMap::new();
        let read = reader.members(&mut |name, reader| {
            members.insert(name, reader.raw()?);
            Ok(())
        });
        read.ok()?;
        Some(Self {
            members,
            inner: HashMap::new(),
        })
    }

    pub(super) fn member(&self, name: &str) -> Option<&'t str> {
        self.members.get(name).copied()
    }

    /// Returns the fit; `None` if the alternative is not an object. A tag that names no alternative says nothing for one.
    pub(super) fn fit(&mut self, form: Form<'u>, unknown_tag: Option<&str>) -> Option<Fit> {
        match form {
            // Alternatives with named members come first.
            Form::Map => Some(Fit {
                is_likely: true,
                rank: (Reverse(usize::MAX), 0),
            }),
            Form::Object { known, .. } => {
                let own = self.own(form);
                // An object that lacks required members is likely only if it has no unknown ones.
                let is_likely = match own.lacking {
                    0 => {
                        let tags = usize::from(unknown_tag.is_some());
                        self.told(known, unknown_tag) > 0 || self.members.len() == tags
                    }
                    _ => own.known > 0 && own.known == self.members.len(),
                };
                Some(Fit {
                    is_likely: is_likely && own.differing == 0,
                    rank: self.rank(form),
                })
            }
            _ => None,
        }
    }

    /// Counts the members that an alternative knows, except for the tag.
    fn told(&self, known: &[&str], unknown_tag: Option<&str>) -> usize {
        let told = known.iter().filter(|name| Some(**name) != unknown_tag);
        told.filter(|name| self.members.contains_key(**name))
            .count()
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
            there.is_some_and(|there| !value.is_in(there))
        });
        OwnMembers {
            lacking: required.iter().filter(|name| !has(name)).count(),
            differing: differing.count(),
            known: known.iter().filter(|name| has(name)).count(),
        }
    }

    /// Returns the rank of the nested values.
    fn within(&mut self, forms: &'u [(&'u str, Form<'u>)]) -> Rank {
        let (mut gaps, mut known) = (0, 0);
        for (name, form) in forms {
            let Some(text) = self.member(name).filter(|text| *text != "null") else {
                continue;
            };
            let inner = self.inner.entry(name).or_insert_with(|| Self::of(text));
            let (Reverse(more), named) = match inner {
                _ if !form.has_type_of(text) => (Reverse(1), 0),
                Some(inner) => inner.rank(*form),
                None => (Reverse(0), 0),
            };
            gaps += more;
            known += named;
        }
        (Reverse(gaps), known)
    }

    /// Returns the rank of a form for this object.
    pub(super) fn rank(&mut self, form: Form<'u>) -> Rank {
        match form {
            Form::Object { members, .. } => {
                let own = self.own(form);
                let (Reverse(gaps), known) = self.within(members);
                (Reverse(own.gaps() + gaps), own.known + known)
            }
            Form::OneOf(forms) => {
                let ranks = forms.iter().map(|form| self.rank(*form));
                ranks.max().unwrap_or((Reverse(1), 0))
            }
            Form::Elements(form) => self.rank(*form),
            Form::Map | Form::List => (Reverse(0), 0),
            Form::Text | Form::Number | Form::Boolean => (Reverse(1), 0),
        }
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
