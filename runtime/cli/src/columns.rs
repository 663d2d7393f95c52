//! Columns of a table: the documented members of a record, those of objects in it with a dot in between.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use generated_client::document::{Property, Shape};

/// How deep objects are taken apart. What is deeper, and every list, is a cell of JSON.
const DEPTH: usize = 6;

/// The columns of a record.
pub(crate) struct Columns {
    names: Vec<String>,
    tree: Node,
}

enum Node {
    Cell(usize),
    Object {
        members: BTreeMap<&'static str, Node>,
        properties: &'static [Property],
    },
}

type Members<'r> = BTreeMap<Cow<'r, str>, &'r RawValue>;

impl Columns {
    pub(crate) fn of(record: &'static Shape) -> Self {
        let mut names = Vec::new();
        let tree = node(record, "", DEPTH, &mut names);
        Self { names, tree }
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the cells of a record, and its undocumented members as JSON; empty if there are none.
    pub(crate) fn cells<'r>(&self, record: &'r RawValue) -> (Vec<Option<&'r RawValue>>, String) {
        let mut cells = vec![None; self.names.len()];
        let mut rest = BTreeMap::new();
        fill(&self.tree, record, "", &mut cells, &mut rest);
        let rest = if rest.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&rest).unwrap_or_default()
        };
        (cells, rest)
    }
}

fn node(shape: &'static Shape, name: &str, depth: usize, names: &mut Vec<String>) -> Node {
    match shape {
        Shape::Object { properties, .. } if depth > 0 && !properties.is_empty() => {
            let members = properties.iter().map(
                |Property {
                     name: own, shape, ..
                 }| {
                    let below = match name {
                        "" => (*own).to_owned(),
                        name => format!("{name}.{own}"),
                    };
                    (*own, node(shape(), &below, depth.saturating_sub(1), names))
                },
            );
            Node::Object {
                members: members.collect(),
                properties,
            }
        }
        // A union with one alternative.
        Shape::OneOf([one]) => node(one(), name, depth, names),
        _ => {
            let name = match name {
                "" => "value",
                name => name,
            };
            names.push(name.to_owned());
            Node::Cell(names.len().saturating_sub(1))
        }
    }
}

fn fill<'r>(
    node: &Node,
    value: &'r RawValue,
    name: &str,
    cells: &mut [Option<&'r RawValue>],
    rest: &mut BTreeMap<String, &'r RawValue>,
) {
    match node {
        Node::Cell(index) => {
            if let Some(cell) = cells.get_mut(*index) {
                *cell = Some(value);
            }
        }
        Node::Object {
            members,
            properties,
        } => {
            let Ok(read) = serde_json::from_str::<Members<'r>>(value.get()) else {
                if value.get() != "null" {
                    rest.insert(name.to_owned(), value);
                }
                return;
            };
            for (member, value) in read {
                let alias = properties
                    .iter()
                    .find(|one| one.aliases.contains(&&*member));
                let known = alias.map_or(&*member, |one| one.name);
                let below = match name {
                    "" => known.to_owned(),
                    name => format!("{name}.{known}"),
                };
                match members.get(known) {
                    Some(node) => fill(node, value, &below, cells, rest),
                    None => _ = rest.insert(below, value),
                }
            }
        }
    }
}

/// Returns a cell for people: strings are unquoted, null is empty, everything else is JSON.
pub(crate) fn text(cell: Option<&RawValue>) -> String {
    match cell.map(RawValue::get) {
        None | Some("null") => String::new(),
        Some(json) if json.starts_with('"') => {
            serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())
        }
        Some(json) => compact(json),
    }
}

/// Returns JSON in one line, without spaces between its parts.
pub(crate) fn compact(json: &str) -> String {
    let mut line = String::with_capacity(json.len());
    let (mut is_text, mut is_escaped) = (false, false);
    for c in json.chars() {
        if is_text || !c.is_ascii_whitespace() {
            line.push(c);
        }
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use generated_client::document::Shaped;
    use generated_client::wire::object;

    use super::*;

    struct Place {
        city: Option<String>,
        tags: Vec<String>,
    }
    object!(Place {
        city: optional "city" or omitted,
        tags: entries "tags" or omitted,
    });

    struct Person {
        name: Option<String>,
        place: Option<Place>,
        age: Option<u64>,
    }
    object!(Person {
        name: optional "name" | "nom" or omitted,
        place: optional "place" or omitted,
        age: optional "age" or omitted,
    });

    fn cells(json: &str) -> (Vec<String>, String) {
        let record: &RawValue = serde_json::from_str(json).unwrap();
        let (cells, rest) = Columns::of(Person::SHAPE).cells(record);
        (cells.into_iter().map(text).collect(), rest)
    }

    #[test]
    fn members_of_objects_have_columns_of_their_own() {
        let columns = Columns::of(Person::SHAPE);
        assert_eq!(columns.names(), ["name", "place.city", "place.tags", "age"]);
        let record =
            r#"{"age": 18446744073709551617, "nom": "Zoë \"Z\"", "place": {"tags": ["a", "b c"]}}"#;
        let expected = ["Zoë \"Z\"", "", r#"["a","b c"]"#, "18446744073709551617"];
        assert_eq!(
            cells(record),
            (expected.map(str::to_owned).to_vec(), String::new())
        );
    }

    #[test]
    fn what_is_not_documented_is_not_lost() {
        let (known, rest) = cells(r#"{"name": null, "new": 1, "place": {"street": {"no": 2}}}"#);
        assert_eq!(known, ["", "", "", ""]);
        assert_eq!(rest, r#"{"new":1,"place.street":{"no": 2}}"#);
        assert_eq!(cells(r#"{"place": "Rome"}"#).1, r#"{"place":"Rome"}"#);
    }

    #[test]
    fn json_in_one_line_keeps_its_texts() {
        let json = "{\n \"a b\": [1,\t2], \"c\\\"\\\\\": \" \" }";
        assert_eq!(compact(json), r#"{"a b":[1,2],"c\"\\":" "}"#);
    }
}
