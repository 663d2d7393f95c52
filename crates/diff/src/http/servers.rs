//! The servers of an operation.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::base::{Base, only_value};
use super::documents::Documents;
use super::scope::{Item, Scope};
use crate::verdicts::{Mark, changed, quote, rules, way};

/// Name of the host of a relative address.
const OF_DOCUMENT: &str = "the host of the document";

/// Returns the host of an address, with its port; `None` for a relative address.
fn host(url: Option<&Value>) -> Option<&str> {
    let url = url?.as_str()?;
    let (_, rest) = url.split_once("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    authority.rsplit('@').next()
}

/// Returns the name of a server in a sentence.
fn named(server: &Value) -> String {
    server.get("url").map(quote).unwrap_or_default()
}

/// Servers of an operation.
struct Listed<'d> {
    servers: &'d [Value],
    /// Object to point at: the list, or the document if it has none.
    home: &'d Value,
    /// True if the servers are those of the operation or its path.
    is_own: bool,
}

impl<'d> Listed<'d> {
    fn of((item, operation): (&Item<'d>, &'d Value), root: &'d Value) -> Self {
        let holders = [operation, item.value, root].into_iter();
        let mut said = holders.filter_map(|holder| Some((holder, holder.get("servers")?)));
        let found = said.next();
        let list = found.map(|(_, list)| list);
        Self {
            servers: list.and_then(Value::as_array).map_or(&[], Vec::as_slice),
            home: list.unwrap_or(root),
            is_own: found.is_some_and(|(holder, _)| !std::ptr::eq(holder, root)),
        }
    }
}

/// Returns the prefix that the addresses of these servers lack.
fn joining<'d>(
    documents: &mut Documents<'d>,
    x: &Listed<'d>,
    y: &Listed<'d>,
    is_moved: bool,
) -> Base {
    let is_of_all = |root: &Value, listed: &Listed<'d>| {
        let all = root.get("servers").and_then(Value::as_array);
        all.map(Vec::as_ptr) == Some(listed.servers.as_ptr())
    };
    let roots = (documents.schemas.old.root, documents.schemas.new.root);
    let are_of_all = is_of_all(roots.0, x) && is_of_all(roots.1, y);
    documents.has_compared_servers |= are_of_all;
    if are_of_all || is_moved {
        documents.base.clone()
    } else {
        // The operation has its own addresses, so the common prefix does not apply.
        Base::default()
    }
}

/// The servers of an operation in both documents.
struct Both<'d> {
    old: Listed<'d>,
    new: Listed<'d>,
    base: Base,
    /// Hosts of the old servers.
    hosts: Vec<Option<&'d str>>,
    /// True if calls go to another host by the servers of the operation.
    is_moved: bool,
}

impl Both<'_> {
    fn is_other(&self, host: Option<&str>) -> bool {
        !self.hosts.contains(&host)
    }

    fn is_own(&self) -> bool {
        self.old.is_own || self.new.is_own
    }
}

/// Compares the servers of an operation: its own, those of its path, or those of the document.
pub(super) fn servers<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    old: (&Item<'d>, &'d Value),
    new: (&Item<'d>, &'d Value),
) {
    let (x, y) = (
        Listed::of(old, documents.schemas.old.root),
        Listed::of(new, documents.schemas.new.root),
    );
    let base = joining(documents, &x, &y, new.0.is_moved);
    if std::ptr::eq(x.servers, y.servers) || x.servers == y.servers {
        return;
    }
    // Without servers, calls go to the host of the document.
    let hosts: Vec<Option<&str>> = match x.servers {
        [] => vec![None],
        before => before.iter().map(|a| host(a.get("url"))).collect(),
    };
    let mut both = Both {
        old: x,
        new: y,
        base,
        hosts,
        is_moved: false,
    };
    // Calls go to the first server.
    let first = both.new.servers.first().and_then(|b| host(b.get("url")));
    both.is_moved = both.is_own() && both.is_other(first);
    if both.is_moved {
        documents.note(
            scope.both(),
            &rules::SERVER_HOST_CHANGED,
            Mark::within(both.old.servers.first(), both.old.home),
            Mark::within(both.new.servers.first(), both.new.home),
            || {
                let before = both.hosts.first().copied().flatten();
                let [before, after] = [before, first].map(|host| host.unwrap_or(OF_DOCUMENT));
                format!("calls went to {before}, and go to {after}")
            },
        );
    }
    kept(documents, scope, &both);
    added(documents, scope, &both);
}

/// Compares the old servers with their counterparts.
fn kept<'d>(documents: &mut Documents<'d>, scope: Scope, both: &Both<'d>) {
    for a in both.old.servers.iter().skip(usize::from(both.is_moved)) {
        let after = both.new.servers.iter();
        let same = after.filter(|b| both.base.joins(a, b));
        // If several servers share the address, the most similar one.
        let is_said = |b: &Value, key: &str| a.get(key) == b.get(key);
        let alike = |b: &&Value| (a == *b, is_said(b, "variables"), is_said(b, "description"));
        let Some(b) = same.rev().max_by_key(alike) else {
            let (gone, home) = (Mark::at(a), Mark::within(None, both.new.home));
            documents.note(scope.both(), &rules::SERVER_REMOVED, gone, home, || {
                format!("the server {} is gone", named(a))
            });
            continue;
        };
        variables(documents, scope, a, b);
        let (x, y) = (a.get("name"), b.get("name"));
        if x != y {
            documents.changed(scope.both(), &rules::DOCS_CHANGED, "name", (a, x), (b, y));
        }
        let known = ["url", "variables", "name"];
        documents.leftovers(&[scope.operation], way::BOTH, (a, b), &known);
    }
}

/// Notes new servers.
fn added<'d>(documents: &mut Documents<'d>, scope: Scope, both: &Both<'d>) {
    let before = both.old.servers;
    for (index, b) in both.new.servers.iter().enumerate() {
        let at = host(b.get("url"));
        let rule = match both.is_other(at) {
            _ if before.iter().any(|a| both.base.joins(a, b)) => continue,
            true if both.is_moved && index == 0 => continue,
            true if both.is_own() || index == 0 && at.is_some() && !before.is_empty() => {
                &rules::SERVER_HOST_ADDED
            }
            _ => &rules::SERVER_ADDED,
        };
        let marks = (Mark::within(None, both.old.home), Mark::at(b));
        documents.note(scope.both(), rule, marks.0, marks.1, || {
            let host = match at {
                Some(host) if *rule == rules::SERVER_HOST_ADDED => {
                    format!(", and {host} is another host")
                }
                _ => String::new(),
            };
            format!("the server {} is new{host}", named(b))
        });
    }
}

/// Compares the variables of an address: their values are a set, their descriptions are documentation.
fn variables<'d>(documents: &mut Documents<'d>, scope: Scope, a: &'d Value, b: &'d Value) {
    let all = |server: &'d Value| server.get("variables").and_then(Value::as_object);
    let (before, after) = (all(a), all(b));
    let names = before.into_iter().chain(after).flat_map(|map| map.keys());
    let names: BTreeSet<&'d String> = names.collect();
    for name in names {
        let of = |map: Option<&'d Map<String, Value>>| map.and_then(|map| map.get(name));
        let (Some(x), Some(y)) = (of(before), of(after)) else {
            let (x, y) = (of(before), of(after));
            // One of the documents has the value in the address itself.
            if [x, y]
                .into_iter()
                .flatten()
                .any(|one| only_value(one).is_some())
            {
                continue;
            }
            documents.changed(scope.both(), &rules::SERVER_REMOVED, name, (a, x), (b, y));
            continue;
        };
        let listed = |variable: &'d Value| -> BTreeSet<String> {
            let list = variable.get("enum").and_then(Value::as_array);
            list.into_iter().flatten().map(Value::to_string).collect()
        };
        for keyword in ["default", "enum"] {
            let (m, n) = (x.get(keyword), y.get(keyword));
            let rule = match keyword {
                _ if m == n => continue,
                "enum" if listed(x) == listed(y) => continue,
                "enum" if listed(x).is_subset(&listed(y)) && m.is_some() || n.is_none() => {
                    &rules::SERVER_ADDED
                }
                _ => &rules::SERVER_REMOVED,
            };
            let marks = (Mark::within(m, x), Mark::within(n, y));
            documents.note(scope.both(), rule, marks.0, marks.1, || {
                format!("the variable `{name}`: {}", changed(keyword, m, n))
            });
        }
        let known = ["default", "enum"];
        documents.leftovers(&[scope.operation], way::BOTH, (x, y), &known);
    }
}
