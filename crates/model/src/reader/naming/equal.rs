//! Equal schemas without a name, which become one type.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::{Model, Place, Schema, Shape};

use super::super::schemas::Inline;

/// Schemas within each other; more than a document can have.
const DEEPEST: usize = 512;

/// The first of the schemas that each schema without a name is equal to, by their names.
pub(super) fn classes(model: &Model, inline: &HashMap<String, Inline>) -> HashMap<String, String> {
    // The body of an operation is called after it.
    let sent = model.operations.iter().flat_map(|operation| {
        let bodies = operation.bodies.iter();
        bodies.map(|body| &body.schema).chain(operation.successes())
    });
    let webhooks = model.webhooks.iter().map(|webhook| &webhook.schema);
    let bodies: BTreeSet<&str> = sent
        .chain(webhooks)
        .filter_map(|place| model.referenced(place))
        .filter(|schema| !matches!(schema.place.shape, Shape::Texts { .. }))
        .map(|schema| schema.name.as_str())
        .collect();
    let mut reader = Reader {
        model,
        inline,
        bodies,
        of: HashMap::new(),
        firsts: HashMap::new(),
        reading: HashSet::new(),
    };
    for schema in &model.schemas {
        if inline.contains_key(&schema.name) {
            reader.class(&schema.name);
        }
    }
    reader.of
}

struct Reader<'m> {
    model: &'m Model,
    inline: &'m HashMap<String, Inline>,
    /// The types of whole bodies, which are never one with another.
    bodies: BTreeSet<&'m str>,
    /// The first of the class of each schema.
    of: HashMap<String, String>,
    /// The first schema of each class.
    firsts: HashMap<String, String>,
    /// The schemas that are being read, which may refer back to themselves.
    reading: HashSet<String>,
}

impl Reader<'_> {
    /// Returns the first schema of the class.
    fn class(&mut self, name: &str) -> String {
        if let Some(known) = self.of.get(name) {
            return known.clone();
        }
        let is_own = !self.inline.contains_key(name) || self.bodies.contains(name);
        let schema = self.model.schema(name).filter(|_| !is_own);
        let Some(schema) = schema.filter(|_| self.reading.len() < DEEPEST) else {
            return name.to_owned();
        };
        if !self.reading.insert(name.to_owned()) {
            return name.to_owned();
        }
        let content = self.type_string(schema);
        self.reading.remove(name);
        let first = self
            .firsts
            .entry(content)
            .or_insert_with(|| name.to_owned());
        let first = first.clone();
        self.of.insert(name.to_owned(), first.clone());
        first
    }

    /// Returns the type of a schema as a string, with each type that it refers to as the first of its class.
    fn type_string(&mut self, schema: &Schema) -> String {
        let place = &schema.place;
        let mut place = Place {
            shape: place.shape.clone(),
            format: place.format.clone(),
            rust_type: place.rust_type.clone(),
            aliases: place.aliases.clone(),
            labels: place.labels.clone(),
            ..Place::default()
        };
        if let Shape::Object(object) = &mut place.shape {
            for property in &mut object.properties {
                property.pointer.clear();
            }
        }
        place.walk_mut(&mut |place| {
            place.example = None;
            if let Shape::Reference(name) = &mut place.shape {
                *name = self.class(name);
            }
        });
        // Scalars and unions are the same in both directions; an object demands less of a service than of a caller.
        let usage = Some(schema.usage).filter(|_| self.depends_on_direction(schema));
        format!("{usage:?} {place:?}")
    }

    /// Returns whether a type differs between requests and responses. A union of scalars without a title would be called after a place that it
    /// has nothing else in common with.
    fn depends_on_direction(&self, schema: &Schema) -> bool {
        match &schema.place.shape {
            Shape::Union { alternatives, .. } => {
                let has_title = |inline: &Inline| inline.title.is_some();
                !self.inline.get(&schema.name).is_some_and(has_title)
                    && alternatives
                        .iter()
                        .all(|one| self.model.resolved(one).scalar().is_some())
            }
            _ => schema.place.scalar().is_none(),
        }
    }
}
