//! Small documents, and what is emitted for them: the files of `fixtures/cases`.

use client_generator::emit::FileTree;
use openapi_document::finding::{DocumentError, Finding};
use serde_json::{Map, Value};

use crate::support::{Emitted, Item, made};

/// Compares each case of a file with what is emitted for its document.
///
/// `base` is the document. A case adds `fields` to the schema `Things`, `schemas` to the components, and all of `document`. With `rows`, it is
/// one case for each row: `$1` stands for the first cell, and the members of `...` for those of an object. `has` and `lacks` are parts of the
/// [outline], `warnings` has a part of each warning: its rule, place, message and notes; `errors` is the same where there is no crate. `files`
/// are further files.
fn check(file: &str) {
    let file: Value = serde_yaml::from_str(file).unwrap();
    let mut wrong = Vec::new();
    for case in file["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let rows = case.get("rows").and_then(Value::as_array);
        let rows = rows.cloned().unwrap_or_else(|| vec![Value::Null]);
        for row in rows {
            let cells = row.as_array().cloned().unwrap_or_default();
            let case = with_cells(case, &cells);
            let found = made(&document(&file["base"], &case), case.get("files"));
            for problem in problems(&case, found.map(|found| (found.tree, found.warnings))) {
                wrong.push(format!("{name} {row}: {problem}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn schemas_have_their_types() {
    check(include_str!("../../fixtures/cases/schemas.yaml"));
}

#[test]
fn required_properties_are_plain_fields() {
    check(include_str!("../../fixtures/cases/required.yaml"));
}

#[test]
fn schemas_that_a_tag_chooses_are_unions() {
    check(include_str!("../../fixtures/cases/families.yaml"));
}

#[test]
fn constants_are_set_and_values_have_their_names() {
    check(include_str!("../../fixtures/cases/constants.yaml"));
}

#[test]
fn inline_schemas_have_their_names() {
    check(include_str!("../../fixtures/cases/names.yaml"));
}

#[test]
fn operations_are_called_as_the_document_describes_them() {
    check(include_str!("../../fixtures/cases/operations.yaml"));
}

#[test]
fn arguments_are_checked_and_files_included() {
    check(include_str!("../../fixtures/cases/arguments.yaml"));
}

#[test]
fn credentials_and_addresses_are_those_of_the_document() {
    check(include_str!("../../fixtures/cases/access.yaml"));
}

#[test]
fn packages_are_configured_by_their_documents() {
    check(include_str!("../../fixtures/cases/packages.yaml"));
}

/// Returns a case whose `$1`, `$2` and so on are the cells of a row.
fn with_cells(value: &Value, cells: &[Value]) -> Value {
    match value {
        Value::String(text) => {
            let number = text.strip_prefix('$').and_then(|text| text.parse().ok());
            let cell = number.and_then(|number: usize| cells.get(number - 1));
            cell.cloned()
                .unwrap_or_else(|| text_with_cells(text, cells).into())
        }
        Value::Array(items) => items.iter().map(|item| with_cells(item, cells)).collect(),
        Value::Object(map) => {
            let mut replaced = Map::new();
            for (key, value) in map {
                match with_cells(value, cells) {
                    Value::Object(more) if key == "..." => replaced.extend(more),
                    value => drop(replaced.insert(text_with_cells(key, cells), value)),
                }
            }
            Value::Object(replaced)
        }
        other => other.clone(),
    }
}

fn text_with_cells(text: &str, cells: &[Value]) -> String {
    let mut text = text.to_owned();
    for (index, cell) in cells.iter().enumerate() {
        let cell = cell
            .as_str()
            .map_or_else(|| cell.to_string(), str::to_owned);
        text = text.replace(&format!("${}", index + 1), &cell);
    }
    text
}

/// Returns the document of a case.
fn document(base: &Value, case: &Value) -> Value {
    let mut document = base.clone();
    for (key, at) in [
        ("document", ""),
        ("schemas", "/components/schemas"),
        ("fields", "/components/schemas/Things/properties"),
    ] {
        if let Some(added) = case.get(key) {
            merge(document.pointer_mut(at).unwrap(), added);
        }
    }
    document
}

/// Adds the members of objects to those that are there.
fn merge(value: &mut Value, added: &Value) {
    match (value, added) {
        (Value::Object(map), Value::Object(added)) => {
            for (key, added) in added {
                merge(map.entry(key).or_insert(Value::Null), added);
            }
        }
        (value, added) => *value = added.clone(),
    }
}

fn problems(case: &Value, found: Result<(FileTree, Vec<Finding>), DocumentError>) -> Vec<String> {
    let mut problems = Vec::new();
    let key = if found.is_ok() { "warnings" } else { "errors" };
    let (lines, findings) = match found {
        Ok((tree, warnings)) => (outline(&tree), warnings),
        Err(stop) => (Vec::new(), stop.findings().to_vec()),
    };
    let has = |part: &Value| {
        let part = part.as_str().unwrap();
        lines.iter().any(|line| has_part(line, part))
    };
    for part in parts(case, "has").filter(|part| !has(part)) {
        let types = lines
            .iter()
            .filter(|line| line.starts_with("struct ") || line.starts_with("enum "));
        let types: Vec<&str> = types.map(String::as_str).collect();
        problems.push(format!("there is no {part} in\n{}", types.join("\n")));
    }
    for part in parts(case, "lacks").filter(|part| has(part)) {
        problems.push(format!("there is {part}"));
    }
    let found = findings.iter().map(|one| {
        let notes = one.notes.join("; ");
        format!("{} {} {} [{notes}]", one.rule, one.pointer, one.message)
    });
    let found: Vec<String> = found.collect();
    let expected: Vec<&str> = parts(case, key).filter_map(Value::as_str).collect();
    let mut pairs = found.iter().zip(&expected);
    if found.len() != expected.len() || !pairs.all(|(found, part)| has_part(found, part)) {
        problems.push(format!("the {key} are {found:#?}"));
    }
    problems
}

fn parts<'c>(case: &'c Value, key: &str) -> impl Iterator<Item = &'c Value> {
    case.get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Returns whether a line has a part, in any layout. In a part, `…` stands for anything.
fn has_part(line: &str, part: &str) -> bool {
    let line = without_blanks(line);
    let mut rest = line.as_str();
    part.split('…').all(|piece| {
        let piece = without_blanks(piece);
        let found = rest.split_once(&piece);
        rest = found.map_or(rest, |(_, after)| after);
        found.is_some()
    })
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the items of a crate, a line each: `struct Thing { name: String, -kind: Constant }`, with a minus before a private field. Lines for its
/// attributes and documentation follow, and lines for those of its members. Other items are their code. Lines of other files than Rust's follow
/// the name of their file.
fn outline(tree: &FileTree) -> Vec<String> {
    let emitted = Emitted::of_tree(tree);
    let items = emitted.items().iter().flat_map(item_lines);
    let others = tree.iter().filter(|(path, _)| !path.ends_with(".rs"));
    let lines =
        others.flat_map(|(path, text)| text.lines().map(move |line| format!("{path}: {line}")));
    items.chain(lines).collect()
}

fn item_lines(item: &Item) -> Vec<String> {
    if !["struct", "enum"].contains(&item.kind) {
        return vec![item.code.clone()];
    }
    let name = item.path.rsplit("::").next().unwrap();
    let members = item
        .members
        .iter()
        .map(|member| match (item.kind, member.is_public) {
            ("enum", _) => member.signature.clone(),
            (_, true) => format!("{}: {}", member.name, member.signature),
            (_, false) => format!("-{}: {}", member.name, member.signature),
        });
    let members: Vec<String> = members.collect();
    let mut lines = vec![format!("{} {name} {{ {} }}", item.kind, members.join(", "))];
    lines.extend(item.attributes.iter().map(|one| format!("{name}: {one}")));
    lines.push(format!("{name}: /// {}", item.docs));
    for member in &item.members {
        let attributes = member.attributes.iter();
        lines.extend(attributes.map(|one| format!("{name}.{}: {one}", member.name)));
        lines.push(format!("{name}.{}: /// {}", member.name, member.docs));
    }
    lines
}
