//! The types of a client: each value that its schema allows is decoded and serialized again.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::requests::{RANDOM, STATES};
use crate::responses::known;
use crate::schema::same;
use crate::{Direction, Document, Read, Row, Values, again, wire};

/// A type of a client.
pub struct Type {
    /// Its name.
    pub name: &'static str,
    /// JSON Pointer of its schema.
    pub at: &'static str,
    /// The directions of its values.
    pub directions: &'static [Direction],
    /// Decodes JSON as the type and serializes it again.
    pub again: Read,
}

impl Type {
    /// A type that is only sent.
    pub const fn sent<T: Serialize + DeserializeOwned>(
        name: &'static str,
        at: &'static str,
    ) -> Self {
        Self::of::<T>(name, at, &[Direction::Request])
    }

    /// A type that is only received.
    pub const fn received<T: Serialize + DeserializeOwned>(
        name: &'static str,
        at: &'static str,
    ) -> Self {
        Self::of::<T>(name, at, &[Direction::Response])
    }

    /// A type that is sent and received.
    pub const fn both<T: Serialize + DeserializeOwned>(
        name: &'static str,
        at: &'static str,
    ) -> Self {
        Self::of::<T>(name, at, &[Direction::Request, Direction::Response])
    }

    const fn of<T: Serialize + DeserializeOwned>(
        name: &'static str,
        at: &'static str,
        directions: &'static [Direction],
    ) -> Self {
        Self {
            name,
            at,
            directions,
            again: again::<T>,
        }
    }
}

/// Decodes values of a type and serializes them again. What is sent is written exactly as it was read; what is only received without
/// undeclared members.
pub(crate) fn read(document: &Document, of: &Type) -> Row {
    let mut row = Row {
        operation: of.name.to_owned(),
        ..Row::default()
    };
    let itself = document.itself(of.at);
    let Some(schema) = itself.as_ref().or_else(|| document.through(of.at)) else {
        row.defects
            .push(format!("the document has nothing at {}", of.at));
        return row;
    };
    if is_content(document, schema) {
        row.notes
            .push("its values are the content of a string".to_owned());
        return row;
    }
    if has_members_beside(document, of.at) {
        row.notes.push(
            "its values are read as those of its union, which has the other members".to_owned(),
        );
        return row;
    }
    for direction in of.directions {
        let mut values = Values::new(document, *direction);
        let mut all = values.states(schema);
        if all.len() > STATES {
            row.notes
                .push(format!("{STATES} of {} states are read", all.len()));
            all.truncate(STATES);
        }
        all.extend(values.random(schema, RANDOM));
        // Null is one of the place that has the type.
        for value in all.into_iter().filter(|value| !value.is_null()) {
            row.read += 1;
            let of_direction = |value: &_| match direction {
                Direction::Request => wire::declared(document, schema, value, 12),
                Direction::Response => known(&wire::declared(document, schema, value, 12)),
            };
            let meant = of_direction(&value);
            let wrong = match (of.again)(&value) {
                Ok(written) if same(&of_direction(&written), &meant) => continue,
                Ok(written) => format!("{written} is written"),
                Err(error) => format!("it does not decode: {error}"),
            };
            row.changed += 1;
            row.defects.push(format!("{direction:?} {meant}: {wrong}"));
        }
    }
    if row.read == 0 {
        row.notes.push("no value is made".to_owned());
    }
    row
}

/// Returns whether a schema is an alternative beside properties, which its type has, too.
fn has_members_beside(document: &Document, at: &str) -> bool {
    let mut steps = at.rsplitn(3, '/');
    let is_listed = steps
        .next()
        .is_some_and(|index| index.parse::<usize>().is_ok())
        && steps
            .next()
            .is_some_and(|list| matches!(list, "oneOf" | "anyOf"));
    let union = steps.next().and_then(|union| document.0.pointer(union));
    is_listed && union.is_some_and(|union| union.get("properties").is_some())
}

/// Returns whether a schema, or one of its properties, describes the content of a string: that of an event, which is no JSON value.
fn is_content(document: &Document, schema: &Value) -> bool {
    let flat = document.flat(schema, 8);
    let properties = flat.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flat_map(Map::values);
    let has = |schema: &Value| document.flat(schema, 8).get("contentSchema").is_some();
    has(&flat) || properties.into_iter().any(has)
}
