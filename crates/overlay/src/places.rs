//! Evaluates JSONPath queries: one step after the other, each value once in a step.

use std::collections::HashSet;
use std::rc::Rc;

use openapi_document::pointer::escape;
use serde_json::Value;
use serde_json_path::NodeList;

use super::parse::{JsonPath, Step};

/// A value that a query selects, with the way to it.
pub(super) struct Place<'d> {
    pub(super) value: &'d Value,
    around: Option<Rc<Place<'d>>>,
    /// Last token of the pointer, with its `/`.
    token: String,
    /// Bytes of the pointer.
    pub(super) length: usize,
}

impl<'d> Place<'d> {
    pub(super) fn root(document: &'d Value) -> Rc<Self> {
        Rc::new(Self {
            value: document,
            around: None,
            token: String::new(),
            length: 0,
        })
    }

    fn below(around: &Rc<Self>, token: String, value: &'d Value) -> Rc<Self> {
        Rc::new(Self {
            value,
            length: around.length + token.len(),
            around: Some(Rc::clone(around)),
            token,
        })
    }

    /// Returns the places of all members or elements.
    fn children(place: &Rc<Self>) -> Vec<Rc<Self>> {
        match place.value {
            Value::Object(map) => map
                .iter()
                .map(|(key, value)| Self::below(place, format!("/{}", escape(key)), value))
                .collect(),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(index, value)| Self::below(place, format!("/{index}"), value))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the JSON Pointer.
    pub(super) fn pointer(&self) -> String {
        let mut tokens = Vec::new();
        let mut at = Some(self);
        while let Some(place) = at {
            tokens.push(place.token.as_str());
            at = place.around.as_deref();
        }
        tokens.reverse();
        tokens.concat()
    }
}

/// Returns the places that a query selects, in its order; each once, however often the query names it.
pub(super) fn places<'d>(query: &JsonPath, document: &'d Value) -> Vec<Rc<Place<'d>>> {
    let mut places = vec![Place::root(document)];
    for step in &query.steps {
        places = step.select(places, document);
    }
    places
}

impl JsonPath {
    /// Returns the values that the query selects, as [`nodes`](super::nodes) returns their pointers.
    pub fn query<'d>(&self, document: &'d Value) -> NodeList<'d> {
        let places = places(self, document);
        let values: Vec<&Value> = places.iter().map(|place| place.value).collect();
        values.into()
    }
}

impl Step {
    /// Returns the places that the step selects from others.
    pub(super) fn select<'d>(
        &self,
        mut places: Vec<Rc<Place<'d>>>,
        document: &'d Value,
    ) -> Vec<Rc<Place<'d>>> {
        if self.descends {
            places = at_and_below(places);
        }
        let anywhere = self.anywhere.as_ref().map(|query| {
            let found = query.query(document);
            let addresses = found.iter().map(|value| std::ptr::from_ref(*value));
            addresses.collect::<HashSet<_>>()
        });
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for place in &places {
            let mut selected = match &anywhere {
                Some(_) => Place::children(place),
                None => self.children(place),
            };
            if let Some(anywhere) = &anywhere {
                selected.retain(|one| anywhere.contains(&std::ptr::from_ref(one.value)));
            }
            selected.retain(|one| seen.insert(std::ptr::from_ref(one.value)));
            found.append(&mut selected);
        }
        found
    }

    /// Returns the members or elements of a place that the selectors select.
    fn children<'d>(&self, place: &Rc<Place<'d>>) -> Vec<Rc<Place<'d>>> {
        let located = self.selectors.query_located(place.value);
        let selected = located
            .iter()
            .map(|one| Place::below(place, one.location().to_json_pointer(), one.node()));
        selected.collect()
    }
}

/// Returns the objects and lists at these places and below them, each before those within it.
fn at_and_below<'d>(mut places: Vec<Rc<Place<'d>>>) -> Vec<Rc<Place<'d>>> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    places.reverse();
    while let Some(place) = places.pop() {
        let is_plain = !place.value.is_object() && !place.value.is_array();
        if is_plain || !seen.insert(std::ptr::from_ref(place.value)) {
            continue;
        }
        places.extend(Place::children(&place).into_iter().rev());
        found.push(place);
    }
    found
}
