//! Finds a guarded place in a document: a member of an object, or what a schema says by one of its keywords, behind references.

use openapi_document::keywords::has_order;
use openapi_document::pointer;
use openapi_document::resolver::REFERRING;
use openapi_schemas::reading::{Document, Site, read};
use serde_json::Value;

use super::equality::{Equality, Kind};
use super::pointers::whole_schema;

/// A guarded place in one document.
enum Place<'e> {
    /// The document has nothing there.
    Absent,
    /// A value that is no schema.
    Value {
        kind: Kind,
        in_order: bool,
        value: &'e Value,
    },
    /// A schema.
    Schema(Site<'e>),
    /// A keyword of a schema.
    Keyword(Site<'e>, String),
}

impl<'e> Equality<'e> {
    /// Returns whether the values at two places are equal. Each is a target, and the rest of the pointer below it.
    pub(super) fn places(&mut self, old: (&str, &str), new: (&str, &str)) -> bool {
        let a = place(&mut self.old, old.0, old.1);
        let b = place(&mut self.new, new.0, new.1);
        match (a, b) {
            (Place::Absent, Place::Absent) => true,
            (
                Place::Value {
                    kind,
                    in_order,
                    value: a,
                },
                Place::Value { value: b, .. },
            ) => self.values(kind, in_order, a, b),
            (Place::Schema(a), Place::Schema(b)) => self.sites(&a, &b),
            (Place::Keyword(a, key), Place::Keyword(b, _)) => self.keyword(&a, &b, &key),
            _ => false,
        }
    }
}

fn place<'e>(document: &mut Document<'e>, target: &str, rest: &str) -> Place<'e> {
    // A member may be in another part of the schema.
    let owner = target.strip_suffix("/properties");
    let owner = owner.filter(|_| !rest.is_empty()).map(whole_schema);
    if let Some(site) = owner.and_then(|owner| schema(document.root, owner)) {
        return below(document, Place::Schema(site), &format!("/properties{rest}"));
    }
    // What a schema says may be said by another keyword.
    if let Some((owner, key)) = pointer::split_last(target).filter(|_| rest.is_empty())
        && let Some(site) = schema(document.root, owner)
        && document.root.pointer(target).is_some()
    {
        return Place::Keyword(site, key);
    }
    let here = start(document.root, target);
    below(document, here, rest)
}

/// Returns the schema at a pointer as it is written.
fn schema<'e>(root: &'e Value, at: &str) -> Option<Site<'e>> {
    match start(root, at) {
        Place::Schema(site) => Some(site),
        _ => None,
    }
}

fn below<'e>(document: &mut Document<'e>, start: Place<'e>, rest: &str) -> Place<'e> {
    let mut here = start;
    let mut tokens = pointer::tokens(rest).peekable();
    while let Some(token) = tokens.next() {
        here = match here {
            Place::Schema(site) => {
                let name = (token == "properties").then(|| tokens.next()).flatten();
                match name {
                    Some(name) => member(document, &site, &name),
                    None if tokens.peek().is_none() => Place::Keyword(site, token),
                    None => content(document, &site, &token),
                }
            }
            // A member beside a reference is none of its target.
            Place::Value { kind, value, .. }
                if REFERRING.contains(&token.as_str()) || value.get(&token).is_some() =>
            {
                child(kind, value, &token)
            }
            Place::Value { kind, value, .. } => {
                let value = document.object(value).unwrap_or(value);
                child(kind, value, &token)
            }
            Place::Absent | Place::Keyword(..) => Place::Absent,
        };
    }
    here
}

/// Returns the place of a pointer as it is written, without a reference.
fn start<'e>(root: &'e Value, target: &str) -> Place<'e> {
    let mut here = Place::Value {
        kind: Kind::Object,
        in_order: true,
        value: root,
    };
    for token in pointer::tokens(target) {
        here = match here {
            Place::Value { kind, value, .. } => child(kind, value, &token),
            Place::Schema(site) => match site.parts.as_slice() {
                [part] => child(Kind::Schema, part, &token),
                _ => Place::Absent,
            },
            Place::Absent | Place::Keyword(..) => Place::Absent,
        };
    }
    here
}

fn child<'e>(kind: Kind, value: &'e Value, token: &str) -> Place<'e> {
    let (kind, found) = match value {
        Value::Object(map) => (kind.below(token), map.get(token)),
        Value::Array(items) => {
            let index = token.parse::<usize>().ok();
            (kind.element(), index.and_then(|index| items.get(index)))
        }
        _ => return Place::Absent,
    };
    match found {
        None => Place::Absent,
        Some(value) if kind == Kind::Schema && !value.is_array() => {
            Place::Schema(Site::new(Some(value), value))
        }
        Some(value) => Place::Value {
            kind,
            in_order: has_order(token),
            value,
        },
    }
}

fn member<'e>(document: &mut Document<'e>, site: &Site<'e>, name: &str) -> Place<'e> {
    let member = read(document, site).members().remove(name);
    match member.filter(|member| !member.parts.is_empty()) {
        Some(member) => Place::Schema(Site::all(member.parts, site.home)),
        None => Place::Absent,
    }
}

/// Returns the schema or value of a keyword.
fn content<'e>(document: &mut Document<'e>, site: &Site<'e>, key: &str) -> Place<'e> {
    match read(document, site).first(key) {
        Some(value) if Kind::Schema.below(key) == Kind::Schema && value.is_object() => {
            let parts = read(document, site).remaining(key).parts();
            Place::Schema(Site::all(parts, value))
        }
        Some(value) => Place::Value {
            kind: Kind::Schema.below(key),
            in_order: has_order(key),
            value,
        },
        None => Place::Absent,
    }
}
