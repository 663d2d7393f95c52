//! What a `$ref` leads to: a pointer into the document, whatever way it is written in.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use serde_json::Value;

use crate::pointer;

/// A chain of references longer than this is a circle.
const LONGEST: usize = 64;

/// Looks up references in one document, each once.
pub(super) struct Targets<'d> {
    document: &'d Value,
    known: HashMap<String, Option<String>>,
    /// How many references lead from a place to what is none; `None` when they lead nowhere or in a circle.
    lengths: HashMap<String, Option<usize>>,
    /// Places by the names that the document gives them.
    names: OnceCell<Names>,
    /// Steps that are left for the reference that is looked up.
    left: Cell<usize>,
}

/// The places that `$anchor`, `$dynamicAnchor` and `$id` name; `None` for a name that is given twice.
#[derive(Default)]
struct Names {
    anchors: HashMap<String, Option<String>>,
    ids: HashMap<String, Option<String>>,
}

impl<'d> Targets<'d> {
    pub(super) fn new(document: &'d Value) -> Self {
        Self {
            document,
            known: HashMap::new(),
            lengths: HashMap::new(),
            names: OnceCell::new(),
            left: Cell::new(0),
        }
    }

    /// The pointer that a reference stands for; `None` when it leaves the document, or leads nowhere or in a circle.
    pub(super) fn find(&mut self, reference: &str) -> Option<String> {
        if let Some(known) = self.known.get(reference) {
            return known.clone();
        }
        let found = self.hop(reference);
        let found = found.filter(|first| self.length(first).is_some_and(|length| length < LONGEST));
        self.known.insert(reference.to_owned(), found.clone());
        found
    }

    /// The value that a reference stands for, with its pointer; references that stand there are followed.
    pub(super) fn value(&mut self, reference: &str) -> Option<(String, &'d Value)> {
        let mut at = self.find(reference)?;
        for _ in 0..LONGEST {
            let value = self.document.pointer(&at)?;
            match value.get("$ref").and_then(Value::as_str) {
                Some(reference) => at = self.hop(reference)?,
                None => return Some((at, value)),
            }
        }
        None
    }

    /// How many references the chain that begins at a place has. What is known of a place is remembered for the chains that lead there.
    fn length(&mut self, first: &str) -> Option<usize> {
        let mut way = Vec::new();
        let mut at = first.to_owned();
        let end = loop {
            if let Some(known) = self.lengths.get(&at) {
                break *known;
            }
            // Until the end is found, a chain that comes back here is a circle.
            self.lengths.insert(at.clone(), None);
            let value = self.document.pointer(&at);
            let next = match value.map(|value| value.get("$ref").and_then(Value::as_str)) {
                None => break None,
                Some(None) => {
                    self.lengths.insert(at, Some(0));
                    break Some(0);
                }
                Some(Some(reference)) => self.hop(reference),
            };
            way.push(at);
            match next {
                Some(next) => at = next,
                None => break None,
            }
        };
        let mut length = end;
        for at in way.into_iter().rev() {
            length = length.map(|length| length + 1);
            self.lengths.insert(at, length);
        }
        length
    }

    /// The pointer of one reference, unfollowed.
    fn hop(&self, reference: &str) -> Option<String> {
        self.left.set(LONGEST);
        self.hop_on(reference)
    }

    /// The same, on the way of another one. All of them together take a bounded number of steps.
    fn hop_on(&self, reference: &str) -> Option<String> {
        self.left.set(self.left.get().checked_sub(1)?);
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let own = self.document.get("$self").and_then(Value::as_str);
        let base = if base.is_empty() || own == Some(base) {
            String::new()
        } else {
            self.names().ids.get(base)?.clone()?
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            self.place(&format!("{base}{fragment}"))
        } else {
            self.names().anchors.get(fragment)?.clone()
        }
    }

    /// The pointer itself, decoded if that is what it takes, or led through the references on its way.
    fn place(&self, at: &str) -> Option<String> {
        if self.document.pointer(at).is_some() {
            return Some(at.to_owned());
        }
        let mut here = String::new();
        for token in pointer::tokens(&percent_decoded(at)) {
            let below = pointer::join(&here, &token);
            here = if self.document.pointer(&below).is_some() {
                below
            } else {
                let reference = self.document.pointer(&here)?.get("$ref")?.as_str()?;
                let target = self.hop_on(reference)?;
                self.place(&pointer::join(&target, &token))?
            };
        }
        Some(here)
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let mut names = Names::default();
            pointer::walk(self.document, "", &mut |at, value| {
                let name = |key: &str| value.get(key).and_then(Value::as_str);
                let Names { anchors, ids } = &mut names;
                note(anchors, name("$anchor"), at);
                note(anchors, name("$dynamicAnchor"), at);
                note(ids, name("$id"), at);
            });
            names
        })
    }
}

/// Notes what a place is called. A name that another place has too means none of them.
fn note(names: &mut HashMap<String, Option<String>>, name: Option<&str>, at: &str) {
    let Some(name) = name else { return };
    names
        .entry(name.to_owned())
        .and_modify(|place| {
            place.take_if(|place| place != at);
        })
        .or_insert_with(|| Some(at.to_owned()));
}

/// Undoes the escapes of a URI, which a fragment is part of.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let decoded = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, decoded) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use serde_json::{Map, json};

    use super::*;

    fn chain(length: usize, last: Value) -> Value {
        let link = |index| (index != length).then(|| json!({"$ref": format!("#/{}", index + 1)}));
        let all =
            (0..=length).map(|index| (index.to_string(), link(index).unwrap_or(last.clone())));
        Map::from_iter(all).into()
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a limit of time")]
    fn a_chain_is_followed_once_for_all_references_into_it() {
        let length = 40_000;
        let document = chain(length, json!({}));
        let mut targets = Targets::new(&document);
        let begin = Instant::now();
        let found = (1..=length).filter(|index| targets.find(&format!("#/{index}")).is_some());
        assert_eq!(found.count(), LONGEST);
        assert!(begin.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn what_leads_into_a_circle_or_nowhere_has_no_target() {
        let circle = chain(5, json!({"$ref": "#/3"}));
        let nowhere = chain(5, json!({"$ref": "#/lost"}));
        for document in [circle, nowhere] {
            let mut targets = Targets::new(&document);
            assert!((0..=5).all(|index| targets.find(&format!("#/{index}")).is_none()));
        }
    }
}
