//! One of the two documents: its references, followed and remembered.

use std::collections::{HashMap, HashSet};

use openapi_document::resolver::{REFERRING, Resolver, reference};
use serde_json::Value;

/// One document and what its references lead to.
pub(crate) struct Side<'d> {
    pub(crate) root: &'d Value,
    resolver: Resolver<'d>,
    /// The references that were followed, and what they lead to.
    targets: HashMap<&'d str, Option<&'d Value>>,
    /// References that lead nowhere or out of the document, with the object that has them; each once.
    pub(crate) unresolved: Vec<(&'d str, &'d Value)>,
    /// Prints of schemas, by address and depth.
    pub(super) prints: HashMap<(usize, u8, bool), u64>,
}

/// What stands where a reference may stand.
#[derive(Clone, Copy)]
pub(crate) enum Found<'d> {
    Value(&'d Value),
    /// The text of a reference that leads nowhere.
    Nothing(&'d str),
}

impl<'d> Side<'d> {
    pub(crate) fn new(root: &'d Value) -> Self {
        Self {
            root,
            resolver: Resolver::new(root),
            targets: HashMap::new(),
            unresolved: Vec::new(),
            prints: HashMap::new(),
        }
    }

    /// Whether a reference was followed, or found to lead nowhere.
    pub(crate) fn has_followed(&self, reference: &str) -> bool {
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
    pub(crate) fn resolve(&mut self, value: &'d Value) -> Found<'d> {
        let (mut at, mut passed) = (value, HashSet::new());
        while let Some(text) = reference(at) {
            let Some(target) = self.target(text, at) else {
                return Found::Nothing(text);
            };
            at = target;
            if reference(at).is_some() && !passed.insert(std::ptr::from_ref(at)) {
                let circle = reference(value).unwrap_or_default();
                if !self.unresolved.iter().any(|(known, _)| *known == circle) {
                    self.unresolved.push((circle, value));
                }
                return Found::Nothing(circle);
            }
        }
        Found::Value(at)
    }

    /// The object that is meant, where an unresolvable one may count as none.
    pub(crate) fn object(&mut self, value: &'d Value) -> Option<&'d Value> {
        match self.resolve(value) {
            Found::Value(value) => Some(value),
            Found::Nothing(_) => None,
        }
    }

    /// Addresses of all that is referenced, directly or not, from outside of the definitions.
    pub(crate) fn used(&mut self) -> HashSet<*const Value> {
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
        Some(self.resolver.target(reference)?.value)
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
pub(crate) fn referring<'v>(holder: &'v Value, text: &str) -> Option<(&'static str, &'v Value)> {
    let mut all = REFERRING
        .iter()
        .map(|keyword| (*keyword, holder.get(keyword)));
    let (keyword, value) = all.find(|(_, value)| value.and_then(Value::as_str) == Some(text))?;
    Some((keyword, value?))
}
