//! Parameters and forms in their wire format: OpenAPI's styles, decoded by the schema into values. A scalar is the raw string.

use serde_json::{Map, Value, json};

use crate::Document;
use crate::scalars::may_be;
use crate::schema::{allows, has_type};

/// Decodes percent-encoding; in a form, `+` is a space too.
pub(crate) fn decoded(text: &str, is_form: bool) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |at: usize| {
            after
                .get(at)
                .and_then(|byte| char::from(*byte).to_digit(16))
        };
        let (byte, left) = match (first, digit(0).zip(digit(1))) {
            (b'%', Some((high, low))) => {
                ((high * 16 + low) as u8, after.get(2..).unwrap_or_default())
            }
            (b'+', _) if is_form => (b' ', after),
            (byte, _) => (*byte, after),
        };
        bytes.push(byte);
        rest = left;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the pairs of a query or a form: names, and values that are still encoded.
pub(crate) fn pairs(text: &str, between: &str) -> Vec<(String, String)> {
    let all = text.split(between).filter(|pair| !pair.is_empty());
    all.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name.trim_start(), true), value.to_owned())
    })
    .collect()
}

/// Shape of a schema's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar,
    List,
    Object,
}

/// Returns the shape of a schema's values; for a union, that of the first member that is not scalar.
pub(crate) fn kind(document: &Document, schema: &Value, depth: u8) -> Kind {
    let flat = document.flat(schema, 8);
    // A type says more than keywords of another type.
    let is = |name: &str, keyword: &str| {
        may_be(&flat, name) || flat.get("type").is_none() && flat.get(keyword).is_some()
    };
    if is("array", "items") {
        return Kind::List;
    }
    if is("object", "properties") {
        return Kind::Object;
    }
    let members = ["oneOf", "anyOf"]
        .into_iter()
        .filter_map(|key| flat.get(key)?.as_array());
    let kinds = members
        .flatten()
        .filter_map(|one| Some(kind(document, one, depth.checked_sub(1)?)));
    kinds
        .into_iter()
        .find(|kind| *kind != Kind::Scalar)
        .unwrap_or(Kind::Scalar)
}

/// Returns the names of a schema's properties, and whether others are allowed.
fn names(document: &Document, schema: &Value) -> (Vec<String>, bool) {
    let (mut names, mut is_open) = (Vec::new(), false);
    parts(document, schema, 8, &mut |flat| {
        let properties = flat.get("properties").and_then(Value::as_object);
        names.extend(properties.into_iter().flat_map(Map::keys).cloned());
        let others = flat.get("additionalProperties");
        is_open |= others.is_some_and(|others| others != &json!(false));
    });
    (names, is_open)
}

/// Serialization style of a value.
pub(crate) struct Style<'a> {
    pub(crate) name: &'a str,
    pub(crate) explode: bool,
}

impl<'a> Style<'a> {
    /// Returns the style of a parameter or an encoding, or the default where it names none.
    pub(crate) fn of(declared: &'a Value, usual: &'a str) -> Self {
        let name = declared
            .get("style")
            .and_then(Value::as_str)
            .unwrap_or(usual);
        let explode = declared.get("explode").and_then(Value::as_bool);
        Self {
            name,
            explode: explode.unwrap_or(matches!(name, "form" | "cookie")),
        }
    }
}

/// Reads a value from one string: of a path, of a header, or of a pair.
pub(crate) fn one(
    kind: Kind,
    style: &Style<'_>,
    name: &str,
    text: &str,
    decode: &dyn Fn(&str) -> String,
) -> Result<Value, String> {
    let (text, between) = match (style.name, style.explode) {
        ("label", explode) => (
            text.strip_prefix('.').ok_or("must begin with `.`")?,
            if explode { "." } else { "," },
        ),
        ("matrix", explode) => {
            let text = text.strip_prefix(';').ok_or("must begin with `;`")?;
            let named = |part: &str| {
                part.strip_prefix(name)?
                    .strip_prefix('=')
                    .map(str::to_owned)
            };
            return match (kind, explode) {
                (Kind::List, true) => {
                    let all: Option<Vec<String>> = text.split(';').map(named).collect();
                    let all = all.ok_or("must have a name before each element")?;
                    Ok(all.iter().map(|text| decode(text)).collect())
                }
                (Kind::Object, true) => members(text, ";", true, decode),
                _ => one(
                    kind,
                    &Style {
                        name: "simple",
                        explode: false,
                    },
                    name,
                    &named(text).ok_or("must begin with its name")?,
                    decode,
                ),
            };
        }
        ("spaceDelimited", _) => (text, "%20"),
        ("pipeDelimited", _) => (text, "%7C"),
        _ => (text, ","),
    };
    match kind {
        Kind::Scalar => Ok(decode(text).into()),
        Kind::List if text.is_empty() => Ok(json!([])),
        Kind::List => Ok(text.split(between).map(decode).collect()),
        Kind::Object => members(text, between, style.explode, decode),
    }
}

/// Reads the members of an object from one string.
fn members(
    text: &str,
    between: &str,
    explode: bool,
    decode: &dyn Fn(&str) -> String,
) -> Result<Value, String> {
    let parts: Vec<&str> = text.split(between).collect();
    let pairs: Option<Vec<(&str, &str)>> = if explode {
        parts.iter().map(|part| part.split_once('=')).collect()
    } else {
        parts
            .chunks(2)
            .map(|pair| Some((*pair.first()?, *pair.get(1)?)))
            .collect()
    };
    let pairs = pairs.ok_or("must have a value for each member")?;
    let members = pairs
        .into_iter()
        .map(|(name, value)| (decode(name), decode(value).into()));
    Ok(Value::Object(members.collect()))
}

/// Removes the pairs of a value and decodes them; `None` if it has no pairs.
pub(crate) fn of_pairs(
    document: &Document,
    schema: &Value,
    style: &Style<'_>,
    name: &str,
    pairs: &mut Vec<(String, String)>,
) -> Result<Option<Value>, String> {
    let kind = kind(document, schema, 8);
    let decode = |text: &str| decoded(text, true);
    if style.name == "deepObject" {
        let taken = take(pairs, |key| {
            key.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('['))
        });
        let mut object = Map::new();
        for (key, value) in &taken {
            let path = key.strip_prefix(name).unwrap_or_default();
            let path: Option<Vec<&str>> = path
                .split_terminator(']')
                .map(|part| part.strip_prefix('['))
                .collect();
            put(
                &mut object,
                &path.ok_or("must have a valid name")?,
                decode(value),
            );
        }
        return Ok((!object.is_empty()).then_some(object.into()));
    }
    if kind == Kind::Object && style.explode {
        let (names, is_open) = names(document, schema);
        let taken = take(pairs, |key| is_open || names.iter().any(|name| name == key));
        let mut members = Map::new();
        for (key, value) in &taken {
            put(&mut members, &[key], decode(value));
        }
        return Ok((!members.is_empty()).then_some(members.into()));
    }
    let taken = take(pairs, |key| key == name);
    match (taken.as_slice(), kind, style.explode) {
        ([], _, _) => Ok(None),
        // An empty list has no pair.
        ([(_, value)], Kind::List, false) if value.is_empty() => Ok(Some(json!([""]))),
        (all, Kind::List, true) => Ok(Some(all.iter().map(|(_, value)| decode(value)).collect())),
        ([(_, value)], ..) => one(kind, style, name, value, &decode).map(Some),
        _ => Err("must be given once".to_owned()),
    }
}

fn take(
    pairs: &mut Vec<(String, String)>,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let (taken, left) = std::mem::take(pairs)
        .into_iter()
        .partition(|(name, _)| is_wanted(name));
    *pairs = left;
    taken
}

/// Sets a value in nested objects; a second value of the same name makes a list.
fn put(object: &mut Map<String, Value>, path: &[&str], text: String) {
    let (Some(first), rest) = (path.first(), path.get(1..).unwrap_or_default()) else {
        return;
    };
    if !rest.is_empty() && rest != [""] {
        let inner = object
            .entry((*first).to_owned())
            .or_insert_with(|| json!({}));
        if let Some(inner) = inner.as_object_mut() {
            put(inner, rest, text);
        }
        return;
    }
    match object.get_mut(*first) {
        Some(Value::Array(all)) => all.push(text.into()),
        Some(one) => *one = json!([one.take(), text]),
        None => {
            object.insert((*first).to_owned(), text.into());
        }
    }
}

/// Converts strings to the types of a schema: values of any type but string are parsed as JSON.
pub fn typed(document: &Document, schema: &Value, texts: &Value) -> Value {
    let flat = document.flat(schema, 8);
    for key in ["oneOf", "anyOf"] {
        for member in flat
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            // A list of one text may be that text.
            let alone = texts.as_array().and_then(|all| match all.as_slice() {
                [one] => Some(one),
                _ => None,
            });
            for texts in std::iter::once(texts).chain(alone) {
                let value = typed(document, member, texts);
                if allows(document, member, &value) {
                    return value;
                }
            }
        }
    }
    match texts {
        Value::Array(all) => {
            let items = flat.get("items").unwrap_or(&Value::Null);
            all.iter().map(|one| typed(document, items, one)).collect()
        }
        Value::Object(all) => {
            let members = all.iter().map(|(name, value)| {
                let property = flat.get("properties").and_then(|all| all.get(name));
                let property = property.or_else(|| flat.get("additionalProperties"));
                (
                    name.clone(),
                    typed(document, property.unwrap_or(&Value::Null), value),
                )
            });
            Value::Object(members.collect())
        }
        Value::String(text) => {
            let is_text = allows(document, &flat, texts);
            let other = serde_json::from_str(text).ok().filter(|_| !is_text);
            let other = other.filter(|value| match flat.get("type") {
                Some(types) => has_type(value, types),
                None => allows(document, &flat, value),
            });
            // A list of one element may have no separator.
            let list = || json!([texts]);
            let items = flat.get("items").filter(|_| !is_text);
            let is_list = items.is_some_and(|items| kind(document, items, 8) == Kind::Scalar);
            if is_list && other.is_none() {
                typed(document, &flat, &list())
            } else {
                other.unwrap_or_else(|| texts.clone())
            }
        }
        other => other.clone(),
    }
}

/// Returns a value without undeclared members. An object whose schema names no members keeps all.
pub(crate) fn declared(document: &Document, schema: &Value, value: &Value, depth: u8) -> Value {
    let Some(depth) = depth.checked_sub(1) else {
        return value.clone();
    };
    match value {
        Value::Array(all) => {
            let mut items = Vec::new();
            parts(document, schema, depth, &mut |flat| {
                items.extend(flat.get("items").cloned())
            });
            let items = json!({"anyOf": items});
            all.iter()
                .map(|one| declared(document, &items, one, depth))
                .collect()
        }
        Value::Object(all) => {
            let (mut is_open, mut names_any) = (false, false);
            let mut properties: Map<String, Value> = Map::new();
            let mut further = Vec::new();
            parts(document, schema, depth, &mut |flat| {
                let others = flat.get("additionalProperties");
                is_open |= others.is_some_and(|others| others != &json!(false));
                further.extend(others.filter(|others| others.is_object()).cloned());
                for (name, property) in flat
                    .get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                {
                    names_any = true;
                    let all = properties
                        .entry(name.clone())
                        .or_insert_with(|| json!({"anyOf": []}));
                    if let Some(all) = all.get_mut("anyOf").and_then(Value::as_array_mut) {
                        all.push(property.clone());
                    }
                }
            });
            let is_kept = |name: &String| is_open || !names_any || properties.contains_key(name);
            let further = json!({"anyOf": further});
            let kept = all.iter().filter(|(name, _)| is_kept(name));
            let kept = kept.map(|(name, value)| {
                let schema = properties.get(name).unwrap_or(&further);
                (name.clone(), declared(document, schema, value, depth))
            });
            Value::Object(kept.collect())
        }
        scalar => scalar.clone(),
    }
}

/// Visits a schema, and the members of its unions.
pub(crate) fn parts(document: &Document, schema: &Value, depth: u8, show: &mut dyn FnMut(&Value)) {
    let flat = document.flat(schema, 8);
    show(&flat);
    for child in document.chosen(schema) {
        show(&document.flat(&child, 8));
    }
    for key in ["oneOf", "anyOf"] {
        for member in flat
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            if let Some(depth) = depth.checked_sub(1) {
                parts(document, member, depth, show);
            }
        }
    }
}
