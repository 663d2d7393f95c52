//! How the properties of a form are written: the `encoding` of a media type, property by property.

use std::collections::BTreeSet;

use serde_json::Value;

use super::documents::Documents;
use super::scope::{Both, Scope};
use crate::schemas::{Flat, Side, Site, types};
use crate::verdicts::{Mark, Rule, changed, rules};

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
            // Of a property that comes or goes, the property says it.
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
        let homes = (x.unwrap_or(a), y.unwrap_or(b));
        let form = media.to_lowercase().contains("form");
        for keyword in ["contentType", "style", "explode", "allowReserved"] {
            let said = |encoding: Option<&'d Value>| encoding.and_then(|one| one.get(keyword));
            let (m, n) = (said(x), said(y));
            if m == n {
                continue;
            }
            let same = effective(keyword, x, was) == effective(keyword, y, is);
            // Styles are for forms alone.
            let rule = match same || keyword != "contentType" && !form {
                true => &rules::NO_EFFECT,
                false => &rules::MEDIA_ENCODING,
            };
            let marks = (Mark::within(m, homes.0), Mark::within(n, homes.1));
            encoding(documents, scope, ways, rule, marks, name, || {
                changed(keyword, m, n)
            });
        }
        if let (Some(x), Some(y)) = (x, y) {
            (documents.headers)(documents, scope, ways, x, y);
            let known = [
                "contentType",
                "style",
                "explode",
                "allowReserved",
                "headers",
            ];
            documents.leftovers(&[scope.operation], ways, (x, y), &known);
        }
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

/// What a property is, or an element of it, as far as the default of its encoding depends on it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Bytes,
    Composed,
}

/// What is asked of a property.
#[derive(Clone, Copy)]
struct Property {
    kind: Kind,
    /// Whether it is a list or an object.
    is_composed: bool,
}

/// The kind of a property of a body, or of the elements of a list; `None` where the body has no such property.
fn property<'d>(side: &mut Side<'d>, media: &'d Value, name: &str) -> Option<Property> {
    let schema = media.get("schema")?;
    let body = Flat::of(side, &Site::new(Some(schema), schema));
    let properties = body.all("properties").filter_map(Value::as_object);
    let parts: Vec<&'d Value> = properties.filter_map(|map| map.get(name)).collect();
    let first = *parts.first()?;
    let mut flat = Flat::of(side, &Site::all(parts, first));
    let composed = types::OBJECT | types::ARRAY;
    let is_composed = flat.types & composed != 0;
    if flat.types == types::ARRAY {
        let items: Vec<&'d Value> = flat.all("items").collect();
        flat = Flat::of(side, &Site::all(items, first));
    }
    let is_bytes = flat.all("format").any(|format| format == "binary")
        || flat.first("contentEncoding").is_some()
        || flat.first("contentMediaType").is_some();
    let kind = match flat.types & composed {
        _ if is_bytes => Kind::Bytes,
        0 => Kind::Plain,
        _ => Kind::Composed,
    };
    Some(Property { kind, is_composed })
}

/// What holds where nothing is said, too.
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
        // What is neither a list nor an object is written one way.
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
