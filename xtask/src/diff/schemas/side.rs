//! One of the two documents: its references, followed and remembered.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::pointer;
use crate::source::anchors;

/// A chain of references longer than this is a circle.
const CHAIN: usize = 64;

/// Keywords that refer. A dynamic reference is followed where one schema only has its anchor.
pub(super) const REFERRING: [&str; 2] = ["$ref", "$dynamicRef"];

/// One document and what its references lead to.
pub(in crate::diff) struct Side<'d> {
    pub(in crate::diff) root: &'d Value,
    targets: HashMap<&'d str, Option<&'d Value>>,
    /// Schemas by their anchors; nothing for a name that several have.
    anchors: OnceCell<HashMap<&'d str, Option<&'d Value>>>,
    /// References that lead nowhere or out of the document, with the object that has them; each once.
    pub(in crate::diff) unresolved: Vec<(&'d str, &'d Value)>,
    /// References into a circle.
    circles: HashSet<&'d str>,
    /// Prints of schemas, by address and depth.
    pub(super) prints: HashMap<(usize, u8, bool), u64>,
}

/// What stands where a reference may stand.
#[derive(Clone, Copy)]
pub(in crate::diff) enum Found<'d> {
    Value(&'d Value),
    /// The text of a reference that leads nowhere.
    Nothing(&'d str),
}

impl<'d> Side<'d> {
    pub(in crate::diff) fn new(root: &'d Value) -> Self {
        Self {
            root,
            targets: HashMap::new(),
            anchors: OnceCell::new(),
            unresolved: Vec::new(),
            circles: HashSet::new(),
            prints: HashMap::new(),
        }
    }

    /// Whether a reference was followed, or found to lead nowhere.
    pub(in crate::diff) fn has_followed(&self, reference: &str) -> bool {
        self.targets.contains_key(reference)
    }

    /// What the reference leads to, one step.
    pub(super) fn target(&mut self, reference: &'d str, holder: &'d Value) -> Option<&'d Value> {
        if let Some(known) = self.targets.get(reference) {
            return *known;
        }
        let target = self.look_up(reference);
        if target.is_none() {
            self.unresolved.push((reference, holder));
        }
        self.targets.insert(reference, target);
        target
    }

    /// Follows references to the object that is meant.
    pub(in crate::diff) fn resolve(&mut self, value: &'d Value) -> Found<'d> {
        let mut at = value;
        for _ in 0..CHAIN {
            let Some(reference) = reference(at) else {
                return Found::Value(at);
            };
            match self.target(reference, at) {
                Some(next) => at = next,
                None => return Found::Nothing(reference),
            }
        }
        let circle = reference(value).unwrap_or_default();
        if self.circles.insert(circle) {
            self.unresolved.push((circle, value));
        }
        Found::Nothing(circle)
    }

    /// The object that is meant, where an unresolvable one may count as none.
    pub(in crate::diff) fn object(&mut self, value: &'d Value) -> Option<&'d Value> {
        match self.resolve(value) {
            Found::Value(value) => Some(value),
            Found::Nothing(_) => None,
        }
    }

    /// Addresses of all that is referenced, directly or not, from outside of the definitions.
    pub(in crate::diff) fn used(&mut self) -> HashSet<*const Value> {
        let mut used = HashSet::new();
        let mut waiting: Vec<&'d Value> = Vec::new();
        for (key, value) in self.root.as_object().into_iter().flatten() {
            if key != "components" {
                waiting.push(value);
            }
        }
        while let Some(value) = waiting.pop() {
            match value {
                Value::Array(items) => waiting.extend(items),
                Value::Object(map) => {
                    if let Some(reference) = reference(value)
                        && let Some(target) = self.look_up(reference)
                        && used.insert(std::ptr::from_ref(target))
                    {
                        waiting.push(target);
                    }
                    let mapping = map
                        .get("discriminator")
                        .and_then(|discriminator| discriminator.get("mapping"))
                        .and_then(Value::as_object);
                    for target in mapping
                        .into_iter()
                        .flatten()
                        .filter_map(|(_, v)| v.as_str())
                    {
                        if let Some(target) = self.schema_named(target)
                            && used.insert(std::ptr::from_ref(target))
                        {
                            waiting.push(target);
                        }
                    }
                    waiting.extend(
                        map.iter()
                            .filter(|(key, _)| *key != "$defs")
                            .map(|(_, value)| value),
                    );
                }
                _ => {}
            }
        }
        used
    }

    fn look_up(&self, reference: &str) -> Option<&'d Value> {
        if let Some(found) = look_up(self.root, reference) {
            return Some(found);
        }
        let name = reference.strip_prefix('#')?;
        let anchors = self.anchors.get_or_init(|| {
            let mut all: HashMap<&'d str, Option<&'d Value>> = HashMap::new();
            for (name, schema) in anchors(self.root) {
                let is_only = |known: &Option<&'d Value>| {
                    known.is_some_and(|known| std::ptr::eq(known, schema))
                };
                let entry = all.entry(name).or_insert(Some(schema));
                *entry = entry.filter(|_| is_only(entry));
            }
            all
        });
        anchors.get(name).copied().flatten()
    }

    /// The name of the component that a schema is.
    pub(super) fn component_of(&self, schema: &Value) -> Option<&'d str> {
        let all = self.root.get("components")?.get("schemas")?.as_object()?;
        let found = all.iter().find(|(_, one)| std::ptr::eq(*one, schema));
        found.map(|(name, _)| name.as_str())
    }

    /// The schema that a discriminator's mapping means: a reference, or the name of a component.
    pub(super) fn schema_named(&self, text: &str) -> Option<&'d Value> {
        if text.starts_with('#') {
            self.look_up(text)
        } else {
            self.root.get("components")?.get("schemas")?.get(text)
        }
    }
}

/// The keyword by which an object refers with this text, and its value.
pub(in crate::diff) fn referring<'v>(
    holder: &'v Value,
    text: &str,
) -> Option<(&'static str, &'v Value)> {
    let mut all = REFERRING
        .iter()
        .map(|keyword| (*keyword, holder.get(keyword)));
    let (keyword, value) = all.find(|(_, value)| value.and_then(Value::as_str) == Some(text))?;
    Some((keyword, value?))
}

/// What an object refers to.
pub(in crate::diff) fn reference(value: &Value) -> Option<&str> {
    REFERRING
        .iter()
        .find_map(|keyword| value.get(keyword)?.as_str())
}

fn look_up<'d>(root: &'d Value, reference: &str) -> Option<&'d Value> {
    let at = pointer::from_fragment(reference)?;
    root.pointer(at)
        .or_else(|| {
            // A pointer in a URI may have its braces and the like escaped.
            at.contains('%')
                .then(|| percent_decoded(at))
                .flatten()
                .and_then(|decoded| root.pointer(&decoded))
        })
        .or_else(|| through(root, at, CHAIN))
}

/// What a pointer leads to, through references in place of a map of names.
fn through<'d>(root: &'d Value, at: &str, left: usize) -> Option<&'d Value> {
    let left = left.checked_sub(1)?;
    let mut here = root;
    for token in pointer::tokens(at) {
        let below = format!("/{}", pointer::escape(&token));
        here = match here.pointer(&below) {
            Some(next) => next,
            None => {
                let at = pointer::from_fragment(reference(here)?)?;
                let target = root.pointer(at).or_else(|| through(root, at, left))?;
                target.pointer(&below)?
            }
        };
    }
    Some(here)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            decoded.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}
