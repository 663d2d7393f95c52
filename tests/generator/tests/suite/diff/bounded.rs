//! A report has a bounded part for each change, however many operations it reaches, but its verdict considers all of them.

use openapi_diff::{Report, Surfaces, json, sarif};
use serde_json::{Map, Value, json};

use super::{compare, document};

/// More operations than a list has ranges.
const OPERATIONS: usize = 200;

/// Returns a chain of changed schemas, each with an operation. Every second operation begins at the first schema,
/// and reaches all of them.
fn chain(kind: &str) -> Value {
    let mut schemas = Map::new();
    let mut paths = Map::new();
    for number in 0..OPERATIONS {
        let next =
            json!({"$ref": format!("#/components/schemas/S{}", (number + 1).min(OPERATIONS - 1))});
        let schema = json!({"properties": {"own": {"type": kind}, "next": next}});
        schemas.insert(format!("S{number}"), schema);
        let first = if number % 2 == 0 { 0 } else { number };
        let schema = json!({"$ref": format!("#/components/schemas/S{first}")});
        let content = json!({"application/json": {"schema": schema}});
        let operation = json!({"responses": {"200": {"content": content}}});
        paths.insert(format!("/{number:03}"), json!({"get": operation}));
    }
    document(&json!({"paths": paths, "components": {"schemas": schemas}}))
}

fn report() -> Report {
    let differences = compare(&chain("string"), &chain("integer"));
    Report::new("old.json", "new.json", differences, Surfaces::Skipped)
}

/// Returns the number of operations in a list of ranges.
fn listed(ranges: &Value) -> usize {
    let ranges = ranges.as_array().unwrap().iter();
    let sizes = ranges.map(|range| range[1].as_u64().unwrap() - range[0].as_u64().unwrap() + 1);
    usize::try_from(sizes.sum::<u64>()).unwrap()
}

#[test]
fn a_list_of_operations_is_cut_and_its_count_is_not() {
    let report = report();
    let read = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let json = read(json(&report).unwrap());
    let sarif = read(sarif(&report).unwrap());
    let run = &sarif["runs"][0];
    for (lists, changes, at) in [
        (&json["reaches"], &json["changes"], ""),
        (
            &run["properties"]["reaches"],
            &run["results"],
            "/properties",
        ),
    ] {
        let changes = changes.as_array().unwrap();
        assert_eq!(changes.len(), OPERATIONS);
        let mut cut = 0;
        for (change, entry) in changes.iter().zip(&report.changes) {
            let change = change.pointer(at).unwrap();
            let list = &lists[usize::try_from(change["reaches"].as_u64().unwrap()).unwrap()];
            let number = entry.change.operations.len();
            assert_eq!(change["reached"], number);
            assert!(list.as_array().unwrap().len() <= 32);
            assert!(listed(list) <= number);
            cut += usize::from(listed(list) < number);
        }
        assert!(cut > OPERATIONS / 2, "{cut}");
    }
}
