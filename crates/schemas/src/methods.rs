//! The methods of operations, and the operations of a document.

use openapi_document::json::members_of;
use openapi_document::pointer;
use openapi_document::resolver::Target;
use serde_json::Value;

/// The methods that a path item has keywords for, in the order in which operations are listed.
pub const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

/// The keyword of a path item for the operations of all other methods, by the method as sent.
pub const OTHERS: &str = "additionalOperations";

/// An operation of a path item.
pub struct Called<'v> {
    /// Method, as sent.
    pub method: String,
    /// Pointer from the path item.
    pub below: String,
    /// The operation.
    pub value: &'v Value,
}

/// Returns the operations of a path item in the order of [`METHODS`], and then those of other methods.
pub fn called(item: &Value) -> impl Iterator<Item = Called<'_>> {
    let known = METHODS.iter().filter_map(|method| {
        Some(Called {
            method: method.to_uppercase(),
            below: format!("/{method}"),
            value: item.get(*method)?,
        })
    });
    let others = members_of(item, OTHERS).map(|(method, value)| Called {
        method: method.clone(),
        below: pointer::join(&format!("/{OTHERS}"), method),
        value,
    });
    known.chain(others)
}

/// Returns the method as sent and the remaining steps, if these steps from a path item lead to an operation.
pub fn method_at(steps: &[String]) -> Option<(String, &[String])> {
    match steps {
        [others, method, rest @ ..] if others == OTHERS => Some((method.clone(), rest)),
        [method, rest @ ..] if METHODS.contains(&method.as_str()) => {
            Some((method.to_uppercase(), rest))
        }
        _ => None,
    }
}

/// Returns the path item of an operation, by the pointers of both.
pub fn item_of(operation: &str) -> Option<&str> {
    let (parent, method) = pointer::split_last(operation)?;
    let is_known = METHODS.contains(&method.as_str());
    match pointer::split_last(parent) {
        Some((item, others)) if others == OTHERS && !is_known => Some(item),
        _ => Some(parent),
    }
}

/// Returns whether a name is valid for a method without a keyword: an HTTP token other than `CONNECT` and the known methods.
pub(crate) fn is_other(method: &str) -> bool {
    let is_known = METHODS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(method));
    is_token(method) && !is_known && method != "CONNECT"
}

/// Returns whether a string is a token of HTTP: a valid name of a method, of a header or of a cookie.
pub fn is_token(name: &str) -> bool {
    let mut bytes = name.bytes();
    !name.is_empty()
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Returns the names in the braces of a template, in order.
pub fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    let parts = template.split('{').skip(1);
    parts.filter_map(|part| Some(part.split_once('}')?.0))
}

/// Returns the path items of a document, unchanged.
pub fn path_items(document: &Value) -> impl Iterator<Item = Target<'_>> {
    let root = Target {
        pointer: String::new(),
        value: document,
    };
    root.below("paths")
}

/// Returns the operations of a document, path by path, each in the order of [`called`].
pub fn operations(document: &Value) -> impl Iterator<Item = Target<'_>> {
    path_items(document).flat_map(|item| {
        let all: Vec<Target<'_>> = called(item.value)
            .map(|one| Target {
                pointer: format!("{}{}", item.pointer, one.below),
                value: one.value,
            })
            .collect();
        all
    })
}
