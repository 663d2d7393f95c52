//! Encodings of a media type: how the parts of a body are written, by property or by element.

use openapi_document::json::{elements_of, text_of};
use serde_json::Value;

use super::documents::Documents;
use super::scope::Scope;
use crate::verdicts::{Both, Keyword, Rule, rules};
use openapi_schemas::Style;
use openapi_schemas::reading::{Document, Site, read, types};

/// Keyword for the encodings of the first elements of a body, by position.
const PREFIX: &str = "prefixEncoding";

/// Keyword for the encoding of the other elements.
const OTHERS: &str = "itemEncoding";

/// Compares the encodings of two media types.
pub(super) fn encodings<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    media_type: &str,
    both: Both<'d>,
) {
    let media_type = media_type.to_lowercase();
    let is_form = media_type.contains("form");
    let mut encodings: Vec<_> = both.keyword("encoding").entries().collect();
    encodings.retain(|encoding| encoding.differs());
    encodings.sort_by_key(|encoding| encoding.name);
    for encoding in encodings {
        let name = encoding.name.to_owned();
        let old = property(&mut documents.schemas.old, both.old, &name);
        let new = property(&mut documents.schemas.new, both.new, &name);
        let encoding = Keyword {
            name: "encoding",
            home: both,
            ..encoding
        };
        match (old, new) {
            (Some(old), Some(new)) => Part {
                name,
                is_form,
                encoding,
                old,
                new,
            }
            .compare(documents, scope),
            (None, None) => changed(documents, scope, &rules::NO_EFFECT, &name, encoding),
            // An added or removed property is reported as such.
            _ => {}
        }
    }
    let [before, after] = [both.old, both.new].map(|media| elements_of(media, PREFIX));
    let number = before.len().max(after.len());
    for index in (0..number).map(Some).chain([None]) {
        let mut encoding = both.keyword(OTHERS);
        if let Some(index) = index {
            encoding.name = PREFIX;
            encoding.old = before.get(index).or(encoding.old);
            encoding.new = after.get(index).or(encoding.new);
        }
        if !encoding.differs() {
            continue;
        }
        // Only a multipart body has elements that are encoded separately.
        if !media_type.starts_with("multipart/") {
            documents.changed(scope, &rules::NO_EFFECT, encoding);
            continue;
        }
        let part = Part {
            name: index.map_or("[]".to_owned(), |index| index.to_string()),
            is_form,
            encoding,
            old: element(&mut documents.schemas.old, both.old, index),
            new: element(&mut documents.schemas.new, both.new, index),
        };
        part.compare(documents, scope);
    }
}

/// One part of a body, for which at least one document has an encoding.
struct Part<'d> {
    name: String,
    /// True in a form. Styles apply to forms only.
    is_form: bool,
    encoding: Keyword<'static, 'd>,
    old: Property,
    new: Property,
}

impl<'d> Part<'d> {
    fn compare(self, documents: &mut Documents<'d>, scope: Scope) {
        let encoding = self.encoding;
        for name in ["contentType", "style", "explode", "allowReserved"] {
            let keyword = encoding.inner(name);
            if !keyword.differs() {
                continue;
            }
            let old = self.old.effective(name, encoding.old);
            let new = self.new.effective(name, encoding.new);
            let rule = match name {
                "contentType" => content_type_rule(&old, &new),
                _ if old == new || !self.is_form => &rules::NO_EFFECT,
                // A value may still be escaped.
                "allowReserved" if new == "true" => &rules::PARAMETER_RESPELLED,
                _ => &rules::MEDIA_ENCODING,
            };
            changed(documents, scope, rule, &self.name, keyword);
        }
        // A media type has no `headers`, so a part without an encoding counts as one without headers.
        let headers = encoding.inner("headers");
        (documents.headers)(documents, scope, headers.home);
        let Some(both) = encoding.both() else {
            return;
        };
        for name in ["encoding", PREFIX, OTHERS] {
            let keyword = both.keyword(name);
            if keyword.differs() {
                let rule = &rules::MEDIA_ENCODING;
                changed(documents, scope, rule, &self.name, keyword);
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
        documents.leftovers(scope, both, &known);
    }
}

/// Returns the rule of changed lists of media types, which are alternatives.
fn content_type_rule(old: &str, new: &str) -> &'static Rule {
    match (contains_all(new, old), contains_all(old, new)) {
        (true, true) => &rules::NO_EFFECT,
        (true, false) => &rules::MEDIA_TYPE_WIDENED,
        (false, true) => &rules::MEDIA_TYPE_RESTRICTED,
        (false, false) => &rules::MEDIA_ENCODING,
    }
}

/// Returns whether a list of media types and ranges contains those of another.
fn contains_all(outer: &str, inner: &str) -> bool {
    inner.split(',').all(|one| {
        let mut ranges = outer.split(',');
        ranges.any(|range| match range.strip_suffix('*') {
            Some(kind) => kind == "*/" || one.starts_with(kind),
            None => one == range,
        })
    })
}

/// Records that the encodings of a part differ under a keyword.
fn changed<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    rule: &'static Rule,
    part: &str,
    keyword: Keyword<'_, 'd>,
) {
    documents.note(scope, rule, keyword, || {
        format!("the part `{part}`: {}", keyword.changed())
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

impl Property {
    /// Returns the effective value of an encoding's keyword, with its default.
    fn effective(self, name: &str, encoding: Option<&Value>) -> String {
        let style = Style::of(encoding.unwrap_or(&Value::Null), "query");
        match name {
            "contentType" => {
                let default = match self.kind {
                    Kind::Plain => "text/plain",
                    Kind::Bytes => "application/octet-stream",
                    Kind::Composed => "application/json",
                };
                let written = encoding.and_then(|one| text_of(one, name));
                written.unwrap_or(default).to_lowercase().replace(' ', "")
            }
            // A value that is neither a list nor an object has only one form.
            "style" | "explode" if !self.is_composed => String::new(),
            "style" => style.name.to_owned(),
            "explode" => style.is_exploded.to_string(),
            _ => style.is_reserved.to_string(),
        }
    }
}
