//! The credentials that an operation requires.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::documents::Documents;
use super::schemes::scheme_in_new;
use super::scope::Scope;
use crate::verdicts::{Mark, rules};
use openapi_schemas::reading::Document;

/// One security requirement: schemes, each with its required scopes.
type Demand<'d> = BTreeMap<&'d str, BTreeSet<&'d str>>;

/// Returns the alternative security requirements of an operation, each with its location.
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
    // No credentials are required.
    if all.is_empty() {
        vec![(Demand::new(), list.unwrap_or(home))]
    } else {
        all
    }
}

/// Returns the requirements of an operation or of the document, and the object that has them.
fn listed<'d>(side: &mut Document<'d>, operation: &'d Value) -> (Option<&'d Value>, &'d Value) {
    let own = operation.get("security");
    let home = if own.is_some() { operation } else { side.root };
    let list = own.or_else(|| side.root.get("security"));
    (list.and_then(|list| side.object(list)), home)
}

/// Returns whether a caller that meets the second requirement meets the first.
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

pub(super) fn security<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    a: &'d Value,
    b: &'d Value,
) {
    let (x, home_x) = listed(&mut documents.schemas.old, a);
    let (y, home_y) = listed(&mut documents.schemas.new, b);
    let mut before = demands(x, home_x);
    let after = demands(y, home_y);
    for (demand, _) in &mut before {
        *demand = std::mem::take(demand)
            .into_iter()
            .map(|(scheme, scopes)| (scheme_in_new(documents, scheme), scopes))
            .collect();
    }
    for scheme in before
        .iter()
        .chain(&after)
        .flat_map(|(demand, _)| demand.keys())
    {
        let users = documents.scheme_users.entry(scheme).or_default();
        if users.last() != Some(&scope.operation) {
            users.push(scope.operation);
        }
    }
    for (demand, place) in &before {
        if !after.iter().any(|(other, _)| is_met(other, demand)) {
            documents.note(
                scope.both(),
                &rules::SECURITY_TIGHTENED,
                Mark::at(place),
                Mark::within(None, y.unwrap_or(home_y)),
                || {
                    let now: Vec<String> = after.iter().map(|(demand, _)| spell(demand)).collect();
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
            documents.note(
                scope.both(),
                &rules::SECURITY_LOOSENED,
                Mark::within(None, x.unwrap_or(home_x)),
                Mark::at(place),
                || format!("{} is enough now", spell(demand)),
            );
        }
    }
}
