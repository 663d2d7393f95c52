//! A policy on a report.

use serde_json::Value;

use super::model::{Date, Policy, What};
use crate::diff::report::attribution::{Entry, Report, Waived};
use crate::diff::report::filter::is_below;
use crate::diff::verdicts::{Place, Wire};
use crate::finding::Finding;
use crate::pointer::is_within;
use crate::source::Source;

impl Report {
    /// The report as a policy has it. `file` is the text of the policy, `old` the old document, `today` the date. What the policy says of
    /// nothing, and what is over, are findings.
    pub fn under(mut self, policy: &Policy, file: &Source, old: &Source, today: &str) -> Self {
        let mut findings = Vec::new();
        for entry in &mut self.changes {
            if let Some(wire) = sunset(policy, entry, old, today) {
                entry.change.wire = wire;
            }
        }
        for (index, one) in policy.severity.iter().enumerate() {
            let mut has_matched = false;
            for entry in self.changes.iter_mut().filter(|entry| one.what.is(entry)) {
                entry.change.wire = one.is.into();
                has_matched = true;
            }
            if !has_matched {
                findings.push(unused(file, &format!("/severity/{index}")));
            }
        }
        for (index, waiver) in policy.waivers.iter().enumerate() {
            let at = format!("/waivers/{index}");
            let until = waiver.until.as_ref();
            if let Some(until) = until.filter(|until| until.0.as_str() < today) {
                let message = format!("the waiver ended on {}", until.0);
                let help = "delete it, or agree on another date";
                findings.push(file.finding("policy", format!("{at}/until"), message, help));
                continue;
            }
            let (waived, kept): (Vec<Entry>, Vec<Entry>) = self
                .changes
                .into_iter()
                .partition(|entry| waiver.what.is(entry));
            self.changes = kept;
            if waived.is_empty() {
                findings.push(unused(file, &at));
            }
            let reason = &waiver.reason;
            self.waived.extend(waived.into_iter().map(|entry| Waived {
                entry,
                reason: reason.clone(),
            }));
        }
        // Verdicts may be others now; within one, the order stays.
        self.changes
            .sort_by_key(|entry| std::cmp::Reverse(entry.change.wire));
        let wire = self.changes.iter().map(|entry| entry.change.wire).max();
        self.wire = wire.unwrap_or(Wire::None);
        self.findings.extend(findings);
        self
    }
}

fn unused(file: &Source, at: &str) -> Finding {
    file.finding(
        "policy",
        at,
        "no change is meant by this",
        "delete it, or correct its rule and place",
    )
}

impl What {
    /// Whether a change is meant.
    fn is(&self, entry: &Entry) -> bool {
        let change = &entry.change;
        let places = || [&change.old, &change.new].into_iter().flatten();
        self.names(change.rule.id)
            && self.at.as_ref().is_none_or(|at| {
                if let Some(pointer) = at.strip_prefix('#') {
                    return places().any(|place| is_within(&place.pointer, pointer));
                }
                let mut operations = change.operations.iter();
                change.owner == *at || operations.any(|name| **name == **at || is_below(name, at))
            })
    }
}

/// What the removal of something is worth that was announced.
fn sunset(policy: &Policy, entry: &Entry, old: &Source, today: &str) -> Option<Wire> {
    let sunset = policy.sunset.as_ref()?;
    let change = &entry.change;
    let (Some(place), None) = (&change.old, &change.new) else {
        return None;
    };
    let announced = announced(place, old)?;
    let level = match announced.get("x-sunset").and_then(Value::as_str) {
        Some(date) => Date::read(date.get(..10)?)
            .filter(|date| date.0.as_str() <= today)
            .map(|_| sunset.over),
        None => sunset.undated,
    };
    level.map(Wire::from)
}

/// What is gone, if it was deprecated.
fn announced<'d>(place: &Place, old: &'d Source) -> Option<&'d Value> {
    let gone = old.value.pointer(&place.pointer)?;
    (gone.get("deprecated") == Some(&Value::Bool(true))).then_some(gone)
}
