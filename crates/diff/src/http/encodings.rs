//! Encodings of a media type: how the parts of a body are written, by property or by element.

use std::collections::BTreeSet;

use serde_json::Value;

use super::documents::Documents;
use super::scope::{Both, Scope};
use crate::verdicts::{Mark, Rule, changed, rules};
use openapi_schemas::reading::{Document, Site, read, types};

/// Keyword for the encodings of the first elements of a body, by position.
const PREFIX: &str = "prefixEncoding";

/// Keyword for the encoding of the other elements.
const OTHERS: &str = "itemEncoding";

pub(super) fn encodings<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    media: &str,
    (a, b): Both<'d>,
) {
    let all = |media: &'d Value| media.get("encoding").and_then(Value::as_object);
    let (before, after) = (all(a), all(b));
    let names = before.into_iter().chain(after).flat_map(|map| map.keys());
    let names: BTreeSet<&'d str> = names.map(String::as_str).collect();
    for name in names {
        let of =
            |map: Option<&'d serde_json::Map<String, Value>>| map.and_then(|map| map.get(name));
        let (x, y) = (of(before), of(after));
        if x == y {
            continue;
        }
        let was = property(&mut documents.schemas.old, a, name);
        let is = property(&mut documents.schemas.new, b, name);
        let (Some(was), Some(is)) = (was, is) else {
            // An added or removed property is reported as such.
            if was.is_none() && is.is_none() {
                let marks = (Mark::within(x, a), Mark::within(y, b));
                encoding(
                    documents,
                    scope,
                    ways,
                    &rules::NO_EFFECT,
                    marks,
                    name,
                    || changed("encoding", x, y),
                );
            }
            continue;
        };
        part(
            documents,
            scope,
            ways,
            (media, name),
            (a, b),
            (x, y),
            (was, is),
        );
    }
    elements(documents, scope, ways, media, (a, b));
}

/// Compares the encodings of elements by position, and of all others.
fn elements<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    media: &str,
    (a, b): Both<'d>,
) {
    let first = |media: &'d Value| {
        let list = media.get(PREFIX).and_then(Value::as_array);
        list.map(Vec::as_slice).unwrap_or_default()
    };
    let (before, after) = (first(a), first(b));
    let number = before.len().max(after.len());
    for index in (0..number).map(Some).chain([None]) {
        let of = |list: &'d [Value], media: &'d Value| {
            let own = index.and_then(|index| list.get(index));
            own.or_else(|| media.get(OTHERS))
        };
        let (x, y) = (of(before, a), of(after, b));
        if x == y {
            continue;
        }
        // Only a multipart body has elements that are encoded separately.
        if !media.to_lowercase().starts_with("multipart/") {
            let marks = (Mark::within(x, a), Mark::within(y, b));
            documents.note(scope.by(ways), &rules::NO_EFFECT, marks.0, marks.1, || {
                changed(index.map_or(OTHERS, |_| PREFIX), x, y)
            });
            continue;
        }
        let kinds = (
            element(&mut documents.schemas.old, a, index),
            element(&mut documents.schemas.new, b, index),
        );
        let name = index.map_or("[]".to_owned(), |index| index.to_string());
        part(
            documents,
            scope,
            ways,
            (media, &name),
            (a, b),
            (x, y),
            kinds,
        );
    }
}

/// Compares one part of a body, if at least one document has an encoding for it.
fn part<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    (media, name): (&str, &str),
    (a, b): Both<'d>,
    (x, y): (Option<&'d Value>, Option<&'d Value>),
    (was, is): (Property, Property),
) {
    let homes = (x.unwrap_or(a), y.unwrap_or(b));
    let form = media.to_lowercase().contains("form");
    for keyword in ["contentType", "style", "explode", "allowReserved"] {
        let said = |encoding: Option<&'d Value>| encoding.and_then(|one| one.get(keyword));
        let (m, n) = (said(x), said(y));
        if m == n {
            continue;
        }
        let same = effective(keyword, x, was) == effective(keyword, y, is);
        // Styles apply to forms only.
        let rule = if same || keyword != "contentType" && !form {
            &rules::NO_EFFECT
        } else {
            &rules::MEDIA_ENCODING
        };
        let marks = (Mark::within(m, homes.0), Mark::within(n, homes.1));
        encoding(documents, scope, ways, rule, marks, name, || {
            changed(keyword, m, n)
        });
    }
    // A media type has no `headers`, so a part without an encoding counts as one without headers.
    (documents.headers)(documents, scope, ways, homes.0, homes.1);
    if let (Some(x), Some(y)) = (x, y) {
        for keyword in ["encoding", PREFIX, OTHERS] {
            let (m, n) = (x.get(keyword), y.get(keyword));
            if m != n {
                let marks = (Mark::within(m, x), Mark::within(n, y));
                let rule = &rules::MEDIA_ENCODING;
                encoding(documents, scope, ways, rule, marks, name, || {
                    changed(keyword, m, n)
                });
            }
        }
        let known = [
            "contentType",
            "style",
            "explode",
            "allowReserved",
            "headers",
            "encoding",
            PREFIX,
            OTHERS,
        ];
        documents.leftovers(&[scope.operation], ways, (x, y), &known);
    }
}

fn encoding<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    rule: &'static Rule,
    marks: (Mark<'d>, Mark<'d>),
    name: &str,
    what: impl FnOnce() -> String,
) {
    documents.note(scope.by(ways), rule, marks.0, marks.1, || {
        format!("the part `{name}`: {}", what())
    });
}

/// Kind of a property or its elements, as far as the default of its encoding depends on it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Bytes,
    Composed,
}

/// Kind of a property, as encodings need it.
#[derive(Clone, Copy)]
struct Property {
    kind: Kind,
    /// True for a list or an object.
    is_composed: bool,
}

/// Returns the kind of a property of a body, or of the elements of a list; `None` if the body has no such property.
fn property<'d>(side: &mut Document<'d>, media: &'d Value, name: &str) -> Option<Property> {
    let schema = media.get("schema")?;
    let body = read(side, &Site::new(Some(schema), schema));
    let properties = body.all("properties").filter_map(Value::as_object);
    let parts: Vec<&'d Value> = properties.filter_map(|map| map.get(name)).collect();
    let first = *parts.first()?;
    Some(kind(side, Site::all(parts, first)))
}

/// Returns the kind of an element of a body: at this position, or of the remaining ones.
fn element<'d>(side: &mut Document<'d>, media: &'d Value, index: Option<usize>) -> Property {
    let mut parts: Vec<&'d Value> = Vec::new();
    if let Some(schema) = media.get("schema") {
        let body = read(side, &Site::new(Some(schema), schema));
        let lists = body.all("prefixItems").filter_map(Value::as_array);
        parts.extend(lists.filter_map(|list| list.get(index?)));
        if parts.is_empty() {
            parts.extend(body.all("items"));
        }
    }
    if parts.is_empty() {
        parts.extend(media.get("itemSchema"));
    }
    kind(side, Site::all(parts, media))
}

/// Returns the kind of a schema, or of the elements of its lists.
fn kind<'d>(side: &mut Document<'d>, site: Site<'d>) -> Property {
    let mut flat = read(side, &site);
    let composed = types::OBJECT | types::ARRAY;
    let is_composed = flat.types & composed != 0;
    if flat.types == types::ARRAY {
        let items: Vec<&'d Value> = flat.all("items").collect();
        flat = read(side, &Site::all(items, site.home));
    }
    let is_bytes = flat.all("format").any(|format| format == "binary")
        || flat.first("contentEncoding").is_some()
        || flat.first("contentMediaType").is_some();
    let kind = match flat.types & composed {
        _ if is_bytes => Kind::Bytes,
        0 => Kind::Plain,
        _ => Kind::Composed,
    };
    Property { kind, is_composed }
}

/// Returns the effective value of a keyword, with its default.
fn effective(keyword: &str, encoding: Option<&Value>, property: Property) -> String {
    let said = |keyword: &str| encoding.and_then(|one| one.get(keyword));
    let text = |keyword: &str, otherwise: &str| {
        let said = said(keyword).and_then(Value::as_str);
        said.unwrap_or(otherwise).to_lowercase().replace(' ', "")
    };
    let style = text("style", "form");
    match keyword {
        "contentType" => text(
            keyword,
            match property.kind {
                Kind::Plain => "text/plain",
                Kind::Bytes => "application/octet-stream",
                Kind::Composed => "application/json",
            },
        ),
        // A value that is neither a list nor an object has only one form.
        "style" | "explode" if !property.is_composed => String::new(),
        "style" => style,
        "explode" => {
            let said = said(keyword).and_then(Value::as_bool);
            said.unwrap_or(style == "form").to_string()
        }
        _ => said(keyword)
            .and_then(Value::as_bool)
            .unwrap_or_default()
            .to_string(),
    }
}
