//! A prefix that moved from the paths to the server addresses, or back: calls keep their URLs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use openapi_document::json::members_of;
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
        // The variables of one address are compared separately.
        let is_written_alike = old.get("url") == new.get("url");
        let [old, new] = [(old, &self.old), (new, &self.new)].map(|(server, prefix)| {
            address(server).map(|url| format!("{}{prefix}", url.trim_end_matches('/')))
        });
        is_written_alike && *self == Self::default() || old == new
    }
}

/// Returns the address of a server, with the values of variables that have one.
fn address(server: &Value) -> Option<Cow<'_, str>> {
    let url = server.get("url")?.as_str()?;
    let variables = members_of(server, "variables");
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

/// Paths of the new document, with those of the old one that reach the same URLs.
pub(super) struct Rebased<'d> {
    pub(super) base: Base,
    pub(super) moved: HashMap<&'d str, &'d str>,
}

/// Matches paths of the new document with those of the old one, if the prefix is part of the address in the other document.
pub(super) fn rebased<'d>(old: &mut Document<'d>, new: &mut Document<'d>) -> Option<Rebased<'d>> {
    let base = base(&addresses(old.root)?, &addresses(new.root)?)?;
    let (before, after) = (paths(old.root)?, paths(new.root)?);
    let mut by_url: HashMap<String, (&'d str, &'d Value)> = HashMap::new();
    for (path, item) in before {
        by_url.insert(shape(&format!("{}{path}", base.new)), (path, item));
    }
    let kept: HashSet<String> = before.keys().map(|path| shape(path)).collect();
    let mut moved = HashMap::new();
    for (path, item) in after.iter().filter(|(path, _)| path.starts_with('/')) {
        let item = new.object(item);
        if kept.contains(&shape(path)) {
            // An equal path leads to other URLs now, unless it has its own address.
            if !item.is_some_and(has_own_servers) {
                return None;
            }
            continue;
        }
        // Paths are matched by the full URL: each is completed with the prefix of the other's address.
        if let Some((other, old_item)) = by_url.get(&shape(&format!("{}{path}", base.old)))
            && let (Some(old_item), Some(item)) = (old.object(old_item), item)
            && goes_along(&base, [old.root, old_item], [new.root, item])
        {
            moved.insert(path.as_str(), *other);
        }
    }
    (!moved.is_empty()).then_some(Rebased { base, moved })
}

/// Returns whether the addresses of all operations that two path items share moved in this way. Each item has its document before it.
fn goes_along(base: &Base, old: [&Value; 2], new: [&Value; 2]) -> bool {
    METHODS.iter().all(|method| {
        let [old, new] = [old, new].map(|[root, item]| {
            let operation = item.get(method)?;
            Some(called_at([operation, item, root]))
        });
        match (old, new) {
            (Some(Some(old)), Some(Some(new))) => self::base(&old, &new).as_ref() == Some(base),
            (Some(_), Some(_)) => false,
            _ => true,
        }
    })
}

/// Returns the addresses of an operation: its own, those of its path, or those of the document.
fn called_at(holders: [&Value; 3]) -> Option<Vec<String>> {
    let mut holders = holders.into_iter();
    addresses(holders.find(|holder| has_servers(holder))?)
}

fn has_servers(holder: &Value) -> bool {
    holder.get("servers").is_some()
}

/// Returns whether all operations of a path item override the addresses of the document.
fn has_own_servers(item: &Value) -> bool {
    let mut operations = METHODS.iter().filter_map(|method| item.get(method));
    has_servers(item) || operations.all(has_servers)
}

/// Returns the addresses of all servers of a document, path item or operation, without a trailing slash.
fn addresses(holder: &Value) -> Option<Vec<String>> {
    let servers = holder.get("servers")?.as_array()?;
    let urls = servers.iter().map(address);
    let urls = urls.map(|url| url.map(|url| url.trim_end_matches('/').to_owned()));
    urls.collect()
}

/// Returns the prefix that the addresses of one document lack.
fn base(old: &[String], new: &[String]) -> Option<Base> {
    if let Some(rest) = suffix(new, old) {
        return Some(Base {
            old: rest,
            new: String::new(),
        });
    }
    suffix(old, new).map(|rest| Base {
        old: String::new(),
        new: rest,
    })
}

/// Returns the suffix by which every address of one list is longer than its counterpart.
fn suffix(long: &[String], short: &[String]) -> Option<String> {
    let mut pairs = long.iter().zip(short);
    let (first, second) = pairs.next()?;
    let rest = first.strip_prefix(second.as_str())?;
    let is_same = pairs.all(|(long, short)| long.strip_prefix(short.as_str()) == Some(rest));
    (rest.starts_with('/') && is_same && long.len() == short.len()).then(|| rest.to_owned())
}

fn paths(root: &Value) -> Option<&Map<String, Value>> {
    root.get("paths")?.as_object()
}
