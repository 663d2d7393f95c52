//! Accepts changes: they are waived in this report, and by the policy file in the next one.

use std::collections::HashMap;

use openapi_document::source::{Source, restyled};
use serde_json::Value;

use crate::report::attribution::{Entry, Report, Waived};
use crate::verdicts::Wire;

/// Reason and duration of an acceptance.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The reason.
    pub reason: String,
    /// Last day of the acceptance, as 2030-01-31.
    pub until: Option<String>,
}

/// Returns the number of operations that each change of a report reaches, by its fingerprint.
pub fn reached(report: &Report) -> HashMap<String, usize> {
    let mut all: HashMap<String, usize> = HashMap::new();
    for Entry { change, .. } in &report.changes {
        *all.entry(change.fingerprint.clone()).or_default() += change.operations.len();
    }
    all
}

/// Waives the changes with this verdict or a worse one, and returns the waivers for the policy file. If a change is shown in part,
/// only that part is accepted; `reached` has the number of operations of the whole change.
pub fn accept(
    report: &mut Report,
    least: Wire,
    accepted: &Accepted,
    reached: &HashMap<String, usize>,
) -> Vec<Value> {
    let changes = std::mem::take(&mut report.changes);
    let (meant, others): (Vec<Entry>, Vec<Entry>) = changes
        .into_iter()
        .partition(|entry| entry.change.wire >= least);
    report.changes = others;
    let wire = report.changes.iter().map(|entry| entry.change.wire).max();
    report.wire = wire.unwrap_or(Wire::None);
    let mut waivers = Vec::new();
    for entry in meant {
        let names = &entry.change.operations;
        let is_whole = reached.get(&entry.change.fingerprint) == Some(&names.len());
        if is_whole {
            waivers.push(waiver(&entry, None, accepted));
        } else {
            waivers.extend(
                names
                    .iter()
                    .map(|name| waiver(&entry, Some(name), accepted)),
            );
        }
        report.waived.push(Waived {
            entry,
            reason: accepted.reason.clone(),
        });
    }
    waivers
}

fn waiver(entry: &Entry, at: Option<&str>, accepted: &Accepted) -> Value {
    let change = &entry.change;
    let sentence = format!("{}: {}", change.owner, change.message);
    let members = [
        ("rule", Some(change.rule.id)),
        ("at", at),
        ("fingerprint", Some(change.fingerprint.as_str())),
        ("change", Some(sentence.as_str())),
        ("reason", Some(accepted.reason.as_str())),
        ("until", accepted.until.as_deref()),
    ];
    let members = members.into_iter();
    let said = members.filter_map(|(name, value)| Some((name.to_owned(), Value::from(value?))));
    Value::Object(said.collect())
}

/// Returns the file of a policy with more waivers. Existing lines and comments are kept.
pub fn with_waivers(policy: &Source, more: Vec<Value>) -> String {
    let mut value = policy.value.clone();
    if let Some(map) = value.as_object_mut() {
        let waivers = map
            .entry("waivers")
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Some(waivers) = waivers.as_array_mut() {
            waivers.extend(more);
        }
    }
    restyled(policy, &value)
}
