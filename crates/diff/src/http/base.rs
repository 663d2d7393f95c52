//! A prefix that moved from the paths to the server addresses, or back: calls keep their URLs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use openapi_schemas::METHODS;
use serde_json::{Map, Value};

use super::template::shape;
use openapi_schemas::reading::Document;

/// Prefix that the server addresses lack in each document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Base {
    pub(super) old: String,
    pub(super) new: String,
}

impl Base {
    /// Returns whether two servers have the same address after each prefix is added.
    pub(super) fn joins(&self, old: &Value, new: &Value) -> bool {
        let (old, new) = (address(old), address(new));
        if self.old.is_empty() && self.new.is_empty() {
            return old == new;
        }
        let whole = |url: Option<Cow<'_, str>>, rest: &str| {
            Some(format!("{}{rest}", url?.trim_end_matches('/')))
        };
        whole(old, &self.old) == whole(new, &self.new)
    }
}

/// Returns the address of a server, with the values of variables that have one.
fn address(server: &Value) -> Option<Cow<'_, str>> {
    let url = server.get("url")?.as_str()?;
    let variables = server.get("variables").and_then(Value::as_object);
    let variables = variables.into_iter().flatten();
    let fixed = variables.filter_map(|(name, variable)| Some((name, only_value(variable)?)));
    Some(fixed.fold(Cow::Borrowed(url), |url, (name, value)| {
        Cow::Owned(url.replace(&format!("{{{name}}}"), value))
    }))
}

/// Returns the value of a variable that has only one.
pub(super) fn only_value(variable: &Value) -> Option<&str> {
    match variable.get("enum")?.as_array()?.as_slice() {
        [one] => one.as_str(),
        _ => None,
    }
}

/// Matches paths of the new document with those of the old one, if the prefix is part of the address in the other document.
pub(super) fn rebased<'d>(
    old: &mut Document<'d>,
    new: &mut Document<'d>,
) -> Option<(HashMap<&'d str, &'d str>, Base)> {
    let base = base(&addresses(old.root)?, &addresses(new.root)?)?;
    let (before, after) = (paths(old.root)?, paths(new.root)?);
    let whole: HashMap<String, (&'d str, &'d Value)> = before
        .iter()
        .map(|(path, item)| (shape(&format!("{}{path}", base.new)), (path.as_str(), item)))
        .collect();
    let kept: HashSet<String> = before.keys().map(|path| shape(path)).collect();
    let mut moved = HashMap::new();
    for (path, item) in after.iter().filter(|(path, _)| path.starts_with('/')) {
        // Paths are matched by the full URL: each is completed with the prefix of the other's address.
        let found = whole.get(&shape(&format!("{}{path}", base.old)));
        let found = found.map(|(other, value)| (*other, old.object(value)));
        let item = new.object(item);
        if kept.contains(&shape(path)) {
            // An equal path leads to other URLs now, unless it has its own address.
            let is_own = item.is_some_and(has_own_servers);
            if !is_own {
                return None;
            }
        } else if let (Some((other, Some(a))), Some(b)) = (found, item)
            && goes_along(&base, (old.root, a), (new.root, b))
        {
            moved.insert(path.as_str(), other);
        }
    }
    (!moved.is_empty()).then_some((moved, base))
}

/// Returns whether the addresses of all operations that two path items share moved in this way.
fn goes_along(base: &Base, old: (&Value, &Value), new: (&Value, &Value)) -> bool {
    METHODS.iter().all(|method| {
        let (Some(x), Some(y)) = (old.1.get(method), new.1.get(method)) else {
            return true;
        };
        match (called_at(old, x), called_at(new, y)) {
            (Some(x), Some(y)) => self::base(&x, &y).as_ref() == Some(base),
            _ => false,
        }
    })
}

/// Returns the addresses of an operation: its own, those of its path, or those of the document.
fn called_at((root, item): (&Value, &Value), operation: &Value) -> Option<Vec<String>> {
    let mut holders = [operation, item, root].into_iter();
    addresses(holders.find(|holder| holder.get("servers").is_some())?)
}

/// Returns whether all operations of a path item override the addresses of the document.
fn has_own_servers(item: &Value) -> bool {
    let has = |holder: &Value| holder.get("servers").is_some();
    let mut operations = METHODS.iter().filter_map(|method| item.get(method));
    has(item) || operations.all(has)
}

/// Returns the addresses of all servers of a document, path item or operation, without a trailing slash.
fn addresses(holder: &Value) -> Option<Vec<String>> {
    let servers = holder.get("servers")?.as_array()?;
    let urls = servers.iter().map(address);
    let urls = urls.map(|url| url.map(|url| url.trim_end_matches('/').to_owned()));
    urls.collect()
}

/// Returns the suffix by which every address of one document is longer than its counterpart.
fn base(old: &[String], new: &[String]) -> Option<Base> {
    let more = |long: &[String], short: &[String]| -> Option<String> {
        let mut pairs = long.iter().zip(short);
        let (first, second) = pairs.next()?;
        let rest = first.strip_prefix(second.as_str())?;
        let is_same = pairs.all(|(a, b)| a.strip_prefix(b.as_str()) == Some(rest));
        (rest.starts_with('/') && is_same && long.len() == short.len()).then(|| rest.to_owned())
    };
    if let Some(new) = more(new, old) {
        return Some(Base {
            old: new,
            new: String::new(),
        });
    }
    more(old, new).map(|old| Base {
        new: old,
        old: String::new(),
    })
}

fn paths(root: &Value) -> Option<&Map<String, Value>> {
    root.get("paths")?.as_object()
}
