//! The servers of an operation.

use serde_json::Value;

use super::base::{Base, only_value};
use super::documents::Documents;
use super::flags::elements;
use super::scope::{Operation, Scope};
use crate::verdicts::{Both, Keyword, Mark, Marks, quote, rules};

/// Name of the host of a relative address.
const OF_DOCUMENT: &str = "the host of the document";

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
    fn of(operation: Operation<'_, 'd>, root: &'d Value) -> Self {
        let holders = [operation.value, operation.item.value, root];
        let found = holders
            .into_iter()
            .find(|holder| holder.get("servers").is_some());
        let list = found.and_then(|holder| holder.get("servers"));
        Self {
            servers: list.and_then(Value::as_array).map_or(&[], Vec::as_slice),
            home: list.unwrap_or(root),
            is_own: found.is_some_and(|holder| !std::ptr::eq(holder, root)),
        }
    }

    /// Returns whether the only address is the default one.
    fn is_default(&self) -> bool {
        self.servers.is_empty()
            || matches!(self.servers, [only] if only.get("url").is_some_and(|url| url == "/"))
    }

    /// Returns whether the servers are those of the document.
    fn is_of_all(&self, root: &Value) -> bool {
        let all = root.get("servers").and_then(Value::as_array);
        all.map(Vec::as_ptr) == Some(self.servers.as_ptr())
    }
}

/// Returns the host of a server, with its port; `None` for a relative address.
fn host(server: &Value) -> Option<&str> {
    let url = server.get("url")?.as_str()?;
    let (_, rest) = url.split_once("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    authority.rsplit('@').next()
}

/// The servers of an operation in both documents.
struct Servers<'d> {
    old: Listed<'d>,
    new: Listed<'d>,
    /// Prefix that the addresses lack.
    base: Base,
    /// True if calls go to another host by the servers of the operation.
    is_moved: bool,
}

impl<'d> Servers<'d> {
    /// Returns whether no old server has a host. Without servers, calls go to the host of the document.
    fn is_other(&self, other: Option<&str>) -> bool {
        let is_default = self.old.servers.is_empty() && other.is_none();
        !is_default && self.old.servers.iter().all(|server| host(server) != other)
    }

    fn is_own(&self) -> bool {
        self.old.is_own || self.new.is_own
    }

    /// Returns whether an old server has the address of this one.
    fn has_old(&self, new: &Value) -> bool {
        let mut old = self.old.servers.iter();
        old.any(|old| self.base.joins(old, new))
    }

    /// Returns the new server with the address of an old one; of several, the most similar one.
    fn new_of(&self, old: &Value) -> Option<&'d Value> {
        let same = self
            .new
            .servers
            .iter()
            .filter(|new| self.base.joins(old, new));
        same.rev().max_by_key(|new| {
            let keys = ["variables", "description"];
            (old == *new, keys.map(|key| old.get(key) == new.get(key)))
        })
    }
}

/// Compares the servers of an operation: its own, those of its path, or those of the document.
pub(super) fn servers<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    old: Operation<'_, 'd>,
    new: Operation<'_, 'd>,
) {
    let is_rebased = new.item.is_moved;
    let roots = documents.roots();
    let (old, new) = (Listed::of(old, roots.old), Listed::of(new, roots.new));
    let are_of_all = old.is_of_all(roots.old) && new.is_of_all(roots.new);
    let is_absent = old.servers.is_empty() || new.servers.is_empty();
    let is_respelled = is_absent && old.is_default() && new.is_default();
    documents.has_compared_servers |= are_of_all || is_respelled;
    if old.servers == new.servers || is_respelled {
        return;
    }
    // If the operation has its own addresses, the common prefix does not apply.
    let base = if are_of_all || is_rebased {
        documents.base.clone()
    } else {
        Base::default()
    };
    let mut servers = Servers {
        old,
        new,
        base,
        is_moved: false,
    };
    // Calls go to the first server.
    let (first_old, first_new) = (servers.old.servers.first(), servers.new.servers.first());
    let after = first_new.and_then(host);
    servers.is_moved = servers.is_own() && servers.is_other(after);
    if servers.is_moved {
        let marks = Marks::new(
            Mark::within(first_old, servers.old.home),
            Mark::within(first_new, servers.new.home),
        );
        documents.note(scope, &rules::SERVER_HOST_CHANGED, marks, || {
            let hosts = [first_old.and_then(host), after];
            let [before, after] = hosts.map(|host| host.unwrap_or(OF_DOCUMENT));
            format!("calls went to {before}, and go to {after}")
        });
    }
    if let (Some(old), Some(new)) = (first_old, first_new)
        && !servers.base.joins(old, new)
        && servers.has_old(new)
        && servers.new_of(old).is_some()
    {
        documents.note(scope, &rules::SERVER_REMOVED, Both { old, new }, || {
            format!("the first server was {}, and is {}", named(old), named(new))
        });
    }
    kept(documents, scope, &servers);
    added(documents, scope, &servers);
}

/// Compares the old servers with their counterparts.
fn kept<'d>(documents: &mut Documents<'d>, scope: Scope, servers: &Servers<'d>) {
    let skipped = usize::from(servers.is_moved);
    for old in servers.old.servers.iter().skip(skipped) {
        let Some(new) = servers.new_of(old) else {
            let marks = Marks::removed_from(servers.new.home, old);
            documents.note(scope, &rules::SERVER_REMOVED, marks, || {
                format!("the server {} is gone", named(old))
            });
            continue;
        };
        let both = Both { old, new };
        variables(documents, scope, both);
        let name = both.keyword("name");
        if name.differs() {
            documents.changed(scope, &rules::DOCS_CHANGED, name);
        }
        documents.leftovers(scope, both, &["url", "variables", "name"]);
    }
}

/// Notes new servers.
fn added<'d>(documents: &mut Documents<'d>, scope: Scope, servers: &Servers<'d>) {
    for (index, new) in servers.new.servers.iter().enumerate() {
        let host = host(new);
        let is_first = index == 0;
        let is_other = servers.is_other(host);
        if servers.has_old(new) || is_other && is_first && servers.is_moved {
            continue;
        }
        let has_before = !servers.old.servers.is_empty();
        let has_effect = servers.is_own() || is_first && host.is_some() && has_before;
        let rule = if is_other && has_effect {
            &rules::SERVER_HOST_ADDED
        } else {
            &rules::SERVER_ADDED
        };
        let elsewhere = match host {
            Some(host) if *rule == rules::SERVER_HOST_ADDED => {
                format!(", and {host} is another host")
            }
            _ => String::new(),
        };
        let marks = Marks::added_to(servers.old.home, new);
        documents.note(scope, rule, marks, || {
            format!("the server {} is new{elsewhere}", named(new))
        });
    }
}

/// Compares the variables of an address: their values are a set, their descriptions are documentation.
fn variables<'d>(documents: &mut Documents<'d>, scope: Scope, servers: Both<'d>) {
    let mut variables: Vec<_> = servers.keyword("variables").entries().collect();
    variables.sort_by_key(|variable| variable.name);
    for variable in variables {
        let Some(both) = variable.both() else {
            // One of the documents may have the value in the address itself.
            let given = variable.old.or(variable.new);
            if given.is_none_or(|given| only_value(given).is_none()) {
                let variable = Keyword {
                    home: servers,
                    ..variable
                };
                documents.changed(scope, &rules::SERVER_REMOVED, variable);
            }
            continue;
        };
        for name in ["default", "enum"] {
            let keyword = both.keyword(name);
            let (old, new) = (elements(keyword.old), elements(keyword.new));
            let rule = match name {
                _ if !keyword.differs() => continue,
                "enum" if old == new => continue,
                "enum" if keyword.new.is_none() => &rules::SERVER_ADDED,
                "enum" if keyword.old.is_some() && old.is_subset(&new) => &rules::SERVER_ADDED,
                _ => &rules::SERVER_REMOVED,
            };
            documents.note(scope, rule, keyword, || {
                format!("the variable `{}`: {}", variable.name, keyword.changed())
            });
        }
        documents.leftovers(scope, both, &["default", "enum"]);
    }
}
