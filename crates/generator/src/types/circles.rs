//! Structs that are within each other: of each circle, the field that leads back is boxed. Lists, maps and unions end every circle.

use std::collections::HashSet;

use openapi_model::{Model, Place};

use super::runtime::{instead, is_of_runtime};

/// The circles of structs.
pub(super) struct Circles<'m> {
    model: &'m Model,
    seen: HashSet<&'m str>,
    /// The structs that lead to the one that is visited, and this one.
    around: HashSet<&'m str>,
    /// The structs with a field that leads back, each with the struct that it leads to.
    back: HashSet<(&'m str, &'m str)>,
}

impl<'m> Circles<'m> {
    /// Finds the circles of a model.
    pub(super) fn new(model: &'m Model) -> Self {
        let mut circles = Self {
            model,
            seen: HashSet::new(),
            around: HashSet::new(),
            back: HashSet::new(),
        };
        for schema in &model.schemas {
            circles.visit(&schema.name);
        }
        circles
    }

    /// Returns whether a field of a struct with values of a place leads back.
    pub(super) fn lead_back(&self, owner: &str, place: &Place) -> bool {
        inner(place).is_some_and(|name| self.back.contains(&(owner, name)))
    }

    fn visit(&mut self, name: &'m str) {
        if !self.seen.insert(name) {
            return;
        }
        self.around.insert(name);
        let schema = self.model.schema(name);
        let schema = schema.filter(|schema| !is_of_runtime(&schema.place));
        let properties = schema.into_iter().flat_map(|schema| schema.properties());
        for part in properties.filter_map(|property| inner(&property.place)) {
            if self.around.contains(part) {
                self.back.insert((name, part));
            } else {
                self.visit(part);
            }
        }
        self.around.remove(name);
    }
}

/// Returns the schema that values are of, unless a type of the runtime replaces it.
fn inner(place: &Place) -> Option<&str> {
    place.reference().filter(|_| instead(place).is_none())
}
