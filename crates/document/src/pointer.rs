//! JSON Pointer (RFC 6901): the notation of every location in a document.
//! Pointers are strings; this module reads no file.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::ops::Bound;

use serde_json::Value;

/// Escapes one reference token.
pub fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// Reverts [`escape`].
pub fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// Appends one unescaped token to a pointer.
pub fn join(pointer: &str, token: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + token.len() + 1);
    joined.push_str(pointer);
    push(&mut joined, token);
    joined
}

/// Appends one unescaped token in place.
pub fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    if token.contains(['~', '/']) {
        pointer.push_str(&escape(token))
    } else {
        pointer.push_str(token)
    }
}

/// Returns the unescaped tokens of a pointer.
pub fn tokens(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer.split('/').skip(1).map(unescape)
}

/// Returns the pointer of the parent and the unescaped last token; `None` for the root.
pub fn split_last(pointer: &str) -> Option<(&str, String)> {
    let (parent, token) = pointer.rsplit_once('/')?;
    Some((parent, unescape(token)))
}

/// Returns whether `inner` is `outer` or lies below it.
pub fn is_within(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns two URL paths without their common trailing segments.
pub fn prefixes(old: &str, new: &str) -> (String, String) {
    let mut old: Vec<&str> = old.split('/').collect();
    let mut new: Vec<&str> = new.split('/').collect();
    while old.len() > 1 && new.len() > 1 && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    (old.join("/"), new.join("/"))
}

/// Returns whether any of these pointers is `outer` or lies below it.
pub fn any_within<P: AsRef<str> + Borrow<str> + Ord>(inner: &BTreeSet<P>, outer: &str) -> bool {
    let below = format!("{outer}/");
    let mut after = inner.range::<str, _>((Bound::Included(below.as_str()), Bound::Unbounded));
    inner.contains(outer)
        || after
            .next()
            .is_some_and(|first| first.as_ref().starts_with(&below))
}

/// Returns the pointer of a local `$ref` such as `#/components/schemas/Pet`; `None` for another document.
pub fn from_fragment(reference: &str) -> Option<&str> {
    reference
        .strip_prefix('#')
        .filter(|pointer| pointer.is_empty() || pointer.starts_with('/'))
}

/// Decodes percent-encoding, as in the fragment or path of a URI. Invalid escapes stay unchanged.
pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let mut byte = *first;
        if let (b'%', [high, low, after @ ..]) = (first, after)
            && let Some(high) = char::from(*high).to_digit(16)
            && let Some(low) = char::from(*low).to_digit(16)
        {
            byte = (high << 4 | low) as u8;
            rest = after;
        }
        bytes.push(byte);
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Removes the value at a pointer, keeping the order of the others; `None` if it does not exist.
pub fn remove(root: &mut Value, pointer: &str) -> Option<Value> {
    let (parent, token) = split_last(pointer)?;
    match root.pointer_mut(parent)? {
        Value::Object(map) => map.shift_remove(&token),
        Value::Array(items) => {
            let index = token.parse::<usize>().ok()?;
            (index < items.len()).then(|| items.remove(index))
        }
        _ => None,
    }
}

/// Calls `visit` for `value` and everything below it, parents first, with the pointer of each.
pub fn walk<'v>(value: &'v Value, pointer: &str, visit: &mut dyn FnMut(&str, &'v Value)) {
    walk_below(value, &mut pointer.to_owned(), visit);
}

/// Does the same, with one buffer for all pointers.
fn walk_below<'v>(value: &'v Value, pointer: &mut String, visit: &mut dyn FnMut(&str, &'v Value)) {
    visit(pointer, value);
    let end = pointer.len();
    match value {
        Value::Object(map) => {
            for (key, child) in map {
                push(pointer, key);
                walk_below(child, pointer, visit);
                pointer.truncate(end);
            }
        }
        Value::Array(items) => {
            for (index, child) in items.iter().enumerate() {
                pointer.push_str(&format!("/{index}"));
                walk_below(child, pointer, visit);
                pointer.truncate(end);
            }
        }
        _ => {}
    }
}
