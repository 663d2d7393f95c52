//! The schemas that a discriminator chooses beside the alternatives of its object.

use std::collections::HashSet;

use serde_json::Value;

use super::choice::Choice;
use super::document::Document;

/// A discriminator of a part.
pub(super) struct Chosen<'r, 'd> {
    pub(super) part: &'d Value,
    pub(super) discriminator: &'d Value,
    /// First component on the path to the part.
    pub(super) component: Option<&'d Value>,
    /// The choices that the part lists.
    pub(super) listed: &'r [Choice<'d>],
}

impl<'d> Chosen<'_, 'd> {
    /// Returns the schemas of the mapping. Without alternatives, all schemas that have the object among their parts are chosen too. Within
    /// one of these, only those that it is a part of are chosen. `parts` are those of the schema that is read.
    pub(super) fn children(
        self,
        document: &mut Document<'d>,
        parts: &[&'d Value],
    ) -> Option<Choice<'d>> {
        let Self {
            part,
            discriminator,
            component,
            listed,
        } = self;
        let mapping = document.mapping(discriminator);
        // A schema of another file is no component, but a mapping may name it.
        let named = parts.iter().copied().find(|read| {
            let mut targets = mapping.targets.iter();
            !std::ptr::eq(*read, part) && targets.any(|target| std::ptr::eq(*target, *read))
        });
        let parent = component.or(named).unwrap_or(part);
        let listed = listed.iter().flat_map(|choice| &choice.alternatives);
        let listed: Vec<&'d Value> = listed.copied().collect();
        let mut seen: HashSet<*const Value> = HashSet::new();
        for one in &listed {
            seen.extend(document.object(one).map(std::ptr::from_ref));
        }
        let is_named = named.is_some_and(|named| std::ptr::eq(named, parent));
        let is_within = is_named || document.family().is_descendant(parent, part);
        let mut alternatives = Vec::new();
        for schema in &mapping.targets {
            if is_within && !std::ptr::eq(*schema, parent) {
                continue;
            }
            let end = document.object(schema).unwrap_or(schema);
            if seen.insert(std::ptr::from_ref(end)) {
                alternatives.push(*schema);
            }
        }
        if listed.is_empty() {
            let mut descendants = document.descendants(parent);
            descendants.retain(|schema| seen.insert(std::ptr::from_ref(*schema)));
            alternatives.extend(descendants);
        }
        (!alternatives.is_empty()).then_some(Choice {
            keyword: "discriminator",
            list: discriminator,
            alternatives,
            discriminator: Some(discriminator),
        })
    }
}
