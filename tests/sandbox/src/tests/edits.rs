//! Edits of the document by meaning, independent of its structure and names.

use serde_json::Value;

use crate::vocabulary;

/// Returns the operation that the sample data call `id`.
pub(super) fn operation<'d>(document: &'d mut Value, id: &str) -> &'d mut Value {
    let paths = document["paths"].as_object_mut().unwrap();
    let items = paths.values_mut().filter_map(Value::as_object_mut);
    let mut operations = items.flat_map(|item| item.values_mut());
    let is_it = |one: &Value| {
        let name = vocabulary::method(one).or_else(|| one.get("operationId")?.as_str());
        name == Some(id)
    };
    let operation = operations.find(|one| is_it(one));
    operation.unwrap_or_else(|| panic!("no operation {id}"))
}

/// Renames an operation, in the document and in the client.
pub(super) fn rename_operation(document: &mut Value, id: &str, name: &str) {
    let operation = operation(document, id).as_object_mut().unwrap();
    operation.insert("operationId".to_owned(), name.into());
    operation.remove("x-rust-name");
}

/// Returns the schema of a type of the crate.
pub(super) fn schema<'d>(document: &'d mut Value, of: &str) -> &'d mut Value {
    let place = vocabulary::place(of).unwrap_or_else(|| panic!("no type {of}"));
    document.pointer_mut(place).unwrap()
}

/// Changes the path of an operation.
pub(super) fn move_path(document: &mut Value, id: &str, path: &str) {
    let own = operation(document, id).clone();
    let paths = document["paths"].as_object_mut().unwrap();
    let has = |item: &Value| item.as_object().unwrap().values().any(|one| *one == own);
    let (old, _) = paths.iter().find(|(_, item)| has(item)).unwrap();
    let old = old.clone();
    let item = paths.remove(&old).unwrap();
    paths.insert(path.to_owned(), item);
}

/// Visits every member of every object: with its key, and its value to change. Removes a member if `visit` returns so.
fn members(value: &mut Value, visit: &mut dyn FnMut(&str, &mut Value) -> bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| members(item, visit)),
        Value::Object(object) => {
            object.retain(|key, value| !visit(key, value));
            object.values_mut().for_each(|value| members(value, visit));
        }
        _ => {}
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().is_some() && one.as_f64() == other.as_f64()
}

/// Changes the value of every member of this name and value, or removes it.
pub(super) fn set(document: &mut Value, key: &str, from: impl Into<Value>, to: Option<Value>) {
    let from = from.into();
    let mut count = 0;
    members(document, &mut |name, value| {
        let is_it = name == key && is_same(value, &from);
        count += usize::from(is_it);
        if let (true, Some(to)) = (is_it, &to) {
            *value = to.clone();
        }
        is_it && to.is_none()
    });
    assert!(count > 0, "the document has no `{key}: {from}`");
}

/// Renames every member of this name and value.
pub(super) fn rename(document: &mut Value, key: &str, value: &str, name: &str) {
    fn visit(at: &mut Value, (key, value, name): (&str, &str, &str)) -> usize {
        let mut count = 0;
        if let Some(object) = at.as_object_mut()
            && object.get(key).is_some_and(|one| one == value)
        {
            let value = object.remove(key).unwrap();
            object.insert(name.to_owned(), value);
            count += 1;
        }
        let below: Vec<&mut Value> = match at {
            Value::Array(items) => items.iter_mut().collect(),
            Value::Object(object) => object.values_mut().collect(),
            _ => Vec::new(),
        };
        let below = below.into_iter().map(|one| visit(one, (key, value, name)));
        count + below.sum::<usize>()
    }
    let count = visit(document, (key, value, name));
    assert!(count > 0, "the document has no `{key}: {value}`");
}

/// Replaces an enum value everywhere.
pub(super) fn replace_enum_value(document: &mut Value, from: &str, to: &str) {
    let mut count = 0;
    members(document, &mut |name, value| {
        if let ("enum", Value::Array(all)) = (name, value) {
            for one in all.iter_mut().filter(|one| **one == from) {
                *one = to.into();
                count += 1;
            }
        }
        false
    });
    assert!(count > 0, "the document has no enum value {from}");
}

/// Breaks the first reference.
pub(super) fn break_a_reference(document: &mut Value) {
    let mut is_done = false;
    members(document, &mut |name, value| {
        if name == "$ref" && !is_done {
            *value = "#/components/nowhere".into();
            is_done = true;
        }
        false
    });
    assert!(is_done, "the document has no reference");
}
