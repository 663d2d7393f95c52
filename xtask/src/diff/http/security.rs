//! Who may call, and where.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::diff::http::paths::Scope;
use crate::diff::schemas::comparison::{Comparison, Mark, way};
use crate::diff::verdicts::rules;
use crate::diff::verdicts::say::{changed, quote};

/// One way to be let in: schemes, and the scopes that each needs.
type Demand<'d> = BTreeMap<&'d str, BTreeSet<&'d str>>;

/// The demands of an operation, each with the place where it stands; any one is enough.
fn demands<'d>(list: Option<&'d Value>, home: &'d Value) -> Vec<(Demand<'d>, &'d Value)> {
    let all: Vec<_> = list
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|one| {
            let schemes = one.as_object().into_iter().flatten();
            let demand = schemes.map(|(scheme, scopes)| {
                let scopes = scopes
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                (scheme.as_str(), scopes.collect())
            });
            (demand.collect(), one)
        })
        .collect();
    // Nothing is demanded.
    if all.is_empty() {
        vec![(Demand::new(), list.unwrap_or(home))]
    } else {
        all
    }
}

/// Whether who meets the second demand meets the first.
fn is_met(demand: &Demand<'_>, by: &Demand<'_>) -> bool {
    demand
        .iter()
        .all(|(scheme, scopes)| by.get(scheme).is_some_and(|has| scopes.is_subset(has)))
}

fn spell(demand: &Demand<'_>) -> String {
    if demand.is_empty() {
        return "no credential".to_owned();
    }
    let all: Vec<String> = demand
        .iter()
        .map(|(scheme, scopes)| {
            if scopes.is_empty() {
                return format!("`{scheme}`");
            }
            let scopes: Vec<&str> = scopes.iter().copied().collect();
            format!("`{scheme}` with {}", scopes.join(", "))
        })
        .collect();
    all.join(" and ")
}

impl<'d> Comparison<'d> {
    pub(in crate::diff) fn security(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let list = |operation: &'d Value, root: &'d Value| {
            let own = operation.get("security");
            (
                own.or_else(|| root.get("security")),
                if own.is_some() { operation } else { root },
            )
        };
        let (x, home_x) = list(a, self.old.root);
        let (y, home_y) = list(b, self.new.root);
        let mut before = demands(x, home_x);
        let after = demands(y, home_y);
        for (demand, _) in &mut before {
            *demand = std::mem::take(demand)
                .into_iter()
                .map(|(scheme, scopes)| (self.scheme_in_new(scheme), scopes))
                .collect();
        }
        for scheme in before
            .iter()
            .chain(&after)
            .flat_map(|(demand, _)| demand.keys())
        {
            let users = self.scheme_users.entry(scheme).or_default();
            if users.last() != Some(&scope.operation) {
                users.push(scope.operation);
            }
        }
        for (demand, place) in &before {
            if !after.iter().any(|(other, _)| is_met(other, demand)) {
                self.direct(
                    scope.operation,
                    way::BOTH,
                    &rules::SECURITY_TIGHTENED,
                    Mark::at(place),
                    Mark::within(None, y.unwrap_or(home_y)),
                    || {
                        let now: Vec<String> =
                            after.iter().map(|(demand, _)| spell(demand)).collect();
                        format!(
                            "{} is no longer enough: it takes {}",
                            spell(demand),
                            now.join(", or ")
                        )
                    },
                );
            }
        }
        for (demand, place) in &after {
            if !before.iter().any(|(other, _)| is_met(other, demand)) {
                self.direct(
                    scope.operation,
                    way::BOTH,
                    &rules::SECURITY_LOOSENED,
                    Mark::within(None, x.unwrap_or(home_x)),
                    Mark::at(place),
                    || format!("{} is enough now", spell(demand)),
                );
            }
        }
    }

    /// The name that a scheme of the old document has in the new one.
    fn scheme_in_new(&self, name: &'d str) -> &'d str {
        let schemes = |root: &'d Value| {
            root.get("components")
                .and_then(|all| all.get("securitySchemes"))
                .and_then(Value::as_object)
        };
        let (Some(before), Some(after)) = (schemes(self.old.root), schemes(self.new.root)) else {
            return name;
        };
        let Some(own) = before.get(name).filter(|_| !after.contains_key(name)) else {
            return name;
        };
        let renamed = after
            .iter()
            .find(|(other, value)| !before.contains_key(*other) && *value == own);
        renamed.map_or(name, |(other, _)| other)
    }

    /// The definitions of the schemes.
    pub(in crate::diff) fn schemes(&mut self) {
        let all = |root: &'d Value| {
            root.get("components")
                .and_then(|all| all.get("securitySchemes"))
                .and_then(Value::as_object)
        };
        let (before, after) = (all(self.old.root), all(self.new.root));
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        for (name, a) in before.into_iter().flatten() {
            let new_name = self.scheme_in_new(name);
            taken.insert(new_name);
            let users = self.scheme_users.get(new_name).cloned().unwrap_or_default();
            let Some(b) = after.and_then(|map| map.get(new_name)) else {
                self.delta(
                    &rules::COMPONENT_REMOVED,
                    Mark::at(a),
                    Mark::NONE,
                    way::ALL,
                    || format!("the security scheme `{name}` is gone"),
                );
                continue;
            };
            let (Some(a), Some(b)) = (self.old.object(a), self.new.object(b)) else {
                self.leftovers(&users, way::BOTH, (a, b), &[]);
                continue;
            };
            for (keyword, rule) in [
                ("type", &rules::SECURITY_SCHEME),
                ("name", &rules::SECURITY_SCHEME),
                ("in", &rules::SECURITY_SCHEME),
                ("scheme", &rules::SECURITY_SCHEME),
                ("openIdConnectUrl", &rules::SECURITY_FLOW),
                ("bearerFormat", &rules::DOCS_CHANGED),
            ] {
                let (x, y) = (a.get(keyword), b.get(keyword));
                if x != y {
                    self.scheme_delta(&users, rule, (x, a), (y, b), || changed(keyword, x, y));
                }
            }
            self.flows(&users, a, b);
            let known = [
                "type",
                "name",
                "in",
                "scheme",
                "openIdConnectUrl",
                "bearerFormat",
                "flows",
            ];
            self.leftovers(&users, way::BOTH, (a, b), &known);
        }
        for (name, b) in after
            .into_iter()
            .flatten()
            .filter(|(name, _)| !taken.contains(name.as_str()))
        {
            self.delta(
                &rules::COMPONENT_ADDED,
                Mark::NONE,
                Mark::at(b),
                way::ALL,
                || format!("the security scheme `{name}` is new"),
            );
        }
    }

    fn scheme_delta(
        &mut self,
        users: &[usize],
        rule: &'static rules::Rule,
        (x, a): (Option<&'d Value>, &'d Value),
        (y, b): (Option<&'d Value>, &'d Value),
        what: impl FnOnce() -> String,
    ) {
        let delta = self.delta(rule, Mark::within(x, a), Mark::within(y, b), way::ALL, what);
        for user in users {
            self.reached(delta, *user, way::BOTH);
        }
    }

    fn flows(&mut self, users: &[usize], a: &'d Value, b: &'d Value) {
        let (Some(a), Some(b)) = (a.get("flows"), b.get("flows")) else {
            if a.get("flows") != b.get("flows") {
                let (x, y) = (a.get("flows"), b.get("flows"));
                self.scheme_delta(users, &rules::SECURITY_FLOW, (x, a), (y, b), || {
                    changed("flows", x, y)
                });
            }
            return;
        };
        let keys = |x: &'d Value, y: &'d Value| -> BTreeSet<&'d str> {
            [x, y]
                .into_iter()
                .filter_map(Value::as_object)
                .flat_map(|map| map.keys())
                .map(String::as_str)
                .collect()
        };
        for flow in keys(a, b) {
            let (Some(x), Some(y)) = (a.get(flow), b.get(flow)) else {
                let rule = if b.get(flow).is_some() {
                    &rules::SECURITY_LOOSENED
                } else {
                    &rules::SECURITY_FLOW
                };
                let (x, y) = (a.get(flow), b.get(flow));
                self.scheme_delta(users, rule, (x, a), (y, b), || changed(flow, x, y));
                continue;
            };
            for key in keys(x, y) {
                let (m, n) = (x.get(key), y.get(key));
                if m == n {
                    continue;
                }
                let (Some(m), Some(n), "scopes") = (m, n, key) else {
                    let rule = if key.starts_with("x-") {
                        &rules::EXTENSION_CHANGED
                    } else {
                        &rules::SECURITY_FLOW
                    };
                    self.scheme_delta(users, rule, (m, x), (n, y), || changed(key, m, n));
                    continue;
                };
                for scope in keys(m, n) {
                    let (p, q) = (m.get(scope), n.get(scope));
                    let rule = match (p, q) {
                        _ if p == q => continue,
                        (Some(_), Some(_)) => &rules::DOCS_CHANGED,
                        (None, _) => &rules::SECURITY_LOOSENED,
                        (Some(_), None) => &rules::SECURITY_FLOW,
                    };
                    self.scheme_delta(users, rule, (p, m), (q, n), || changed(scope, p, q));
                }
            }
        }
    }

    /// The servers of an operation: its own, those of its path, or those of the document.
    pub(in crate::diff) fn servers(
        &mut self,
        scope: Scope,
        old: (&'d Value, &'d Value),
        new: (&'d Value, &'d Value),
    ) {
        let list = |(item, operation): (&'d Value, &'d Value), root: &'d Value| {
            let holder = [operation, item, root]
                .into_iter()
                .find(|holder| holder.get("servers").is_some());
            let servers = holder.and_then(|holder| holder.get("servers"));
            (
                servers
                    .and_then(Value::as_array)
                    .map(Vec::as_slice)
                    .unwrap_or_default(),
                servers.unwrap_or(root),
            )
        };
        let (before, home_x) = list(old, self.old.root);
        let (after, home_y) = list(new, self.new.root);
        if std::ptr::eq(before, after) || before == after {
            return;
        }
        let url = |server: &'d Value| server.get("url");
        for a in before {
            match after.iter().find(|b| url(b) == url(a)) {
                None => self.direct(
                    scope.operation,
                    way::BOTH,
                    &rules::SERVER_REMOVED,
                    Mark::at(a),
                    Mark::within(None, home_y),
                    || {
                        format!(
                            "the server {} is gone",
                            url(a).map(quote).unwrap_or_default()
                        )
                    },
                ),
                Some(b) => {
                    let (x, y) = (a.get("variables"), b.get("variables"));
                    if x != y {
                        self.direct(
                            scope.operation,
                            way::BOTH,
                            &rules::SERVER_REMOVED,
                            Mark::within(x, a),
                            Mark::within(y, b),
                            || changed("variables", x, y),
                        );
                    }
                    self.leftovers(&[scope.operation], way::BOTH, (a, b), &["url", "variables"]);
                }
            }
        }
        for b in after
            .iter()
            .filter(|b| !before.iter().any(|a| url(a) == url(b)))
        {
            self.direct(
                scope.operation,
                way::BOTH,
                &rules::SERVER_ADDED,
                Mark::within(None, home_x),
                Mark::at(b),
                || {
                    format!(
                        "the server {} is new",
                        url(b).map(quote).unwrap_or_default()
                    )
                },
            );
        }
    }
}
