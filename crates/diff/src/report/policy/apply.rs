//! Applies a policy to a report.

use std::collections::BTreeMap;

use openapi_document::finding::Finding;
use openapi_document::pointer::{self, is_within};
use openapi_document::source::Source;
use serde_json::Value;

use super::model::{Date, Policy, What};
use crate::named::Named;
use crate::report::attribution::{Entry, Report, Waived};
use crate::report::filter::{is_below, is_called};
use crate::report::parts::{Meant, Parts, divided};
use crate::verdicts::{Place, Wire};

/// Extension with the day of a removal.
const SUNSET: &str = "x-sunset";

impl Report {
    /// Applies a policy to the report. `file` is the policy file, `old` the old document, `today` the date. Entries of the policy that match
    /// nothing or have expired are reported as findings.
    pub fn under(mut self, policy: &Policy, file: &Source, old: &Source, today: &str) -> Self {
        let mut findings = Vec::new();
        for entry in &mut self.changes {
            match sunset(policy, entry, old, today) {
                Ok(None) => {}
                Ok(Some(wire)) => entry.change.wire = wire,
                Err(finding) => findings.push(*finding),
            }
        }
        for (level, worst) in &policy.stability {
            let is_of_level = |named: &Named| named.stability.as_ref() == Some(level);
            if !self.operations.values().any(is_of_level) {
                let message = format!("no operation of the old document is `{level}`");
                let help = "delete it, or correct the level";
                let at = pointer::join("/stability", level);
                findings.push(file.finding("policy", at, message, help));
            }
            let is_meant = |name: &str| self.operations.get(name).is_some_and(is_of_level);
            let mut parts = Parts::default();
            let meant = |entry: &Entry| parts.split(&entry.change.operations, is_meant).into();
            let (mut capped, others) = divided(std::mem::take(&mut self.changes), meant);
            for entry in &mut capped {
                entry.change.wire = entry.change.wire.min((*worst).into());
            }
            self.changes = others;
            self.changes.extend(capped);
        }
        for (index, one) in policy.severity.iter().enumerate() {
            let (mut meant, others) = self.divided(&one.what);
            if meant.is_empty() {
                findings.push(unused(file, &format!("/severity/{index}")));
            }
            for entry in &mut meant {
                entry.change.wire = one.is.into();
            }
            self.changes = others;
            self.changes.extend(meant);
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
            let (waived, others) = self.divided(&waiver.what);
            self.changes = others;
            if waived.is_empty() {
                findings.push(unused(file, &at));
            }
            let reason = &waiver.reason;
            self.waived.extend(waived.into_iter().map(|entry| Waived {
                entry,
                reason: reason.clone(),
            }));
        }
        // Verdicts may have changed.
        self.changes.sort_by(|a, b| a.change.order(&b.change));
        let wire = self.changes.iter().map(|entry| entry.change.wire).max();
        self.wire = wire.unwrap_or(Wire::None);
        self.findings.extend(findings);
        self
    }

    /// Returns the selected changes and the rest. Of a change that several operations share, only the named operations are selected.
    fn divided(&mut self, what: &What) -> (Vec<Entry>, Vec<Entry>) {
        let changes = std::mem::take(&mut self.changes);
        let mut parts = Parts::default();
        let at = what.at.as_deref().unwrap_or_default();
        let mut all = self.operations.iter();
        let is_of_operations = all.any(|(name, named)| is_at(at, name, Some(named)));
        divided(changes, |entry| {
            what.meant(entry, &self.operations, is_of_operations, &mut parts)
        })
    }
}

/// Returns whether an operation is this one, or has this path or one below it.
fn is_at(at: &str, name: &str, named: Option<&Named>) -> bool {
    is_called(at, name, named) || is_below(at, name, named)
}

fn unused(file: &Source, at: &str) -> Finding {
    file.finding(
        "policy",
        at,
        "this matches no change",
        "delete it, or correct its rule and place",
    )
}

impl What {
    /// Returns the selected part of a change. `is_of_operations` is true if the location selects operations, and so their part only.
    fn meant(
        &self,
        entry: &Entry,
        operations: &BTreeMap<String, Named>,
        is_of_operations: bool,
        parts: &mut Parts,
    ) -> Meant {
        let change = &entry.change;
        let whole = |is_meant: bool| if is_meant { Meant::All } else { Meant::Nothing };
        let is_other = |one: &String| *one != change.fingerprint;
        if !change.rule.is_called(&self.rule) || self.fingerprint.as_ref().is_some_and(is_other) {
            return Meant::Nothing;
        }
        let Some(at) = &self.at else {
            return Meant::All;
        };
        if let Some(pointer) = at.strip_prefix('#') {
            let mut places = [&change.old, &change.new].into_iter().flatten();
            return whole(places.any(|place| is_within(&place.pointer, pointer)));
        }
        if change.operations.is_empty() || !is_of_operations {
            return whole(change.owner == *at);
        }
        let is_meant = |name: &str| is_at(at, name, operations.get(name));
        parts.split(&change.operations, is_meant).into()
    }
}

/// Returns the verdict on an announced removal; a finding if the announcement has no valid date.
fn sunset(
    policy: &Policy,
    entry: &Entry,
    old: &Source,
    today: &str,
) -> Result<Option<Wire>, Box<Finding>> {
    let change = &entry.change;
    let (Some(sunset), Some(place), None) = (&policy.sunset, &change.old, &change.new) else {
        return Ok(None);
    };
    let Some(announced) = announced(place, old) else {
        return Ok(None);
    };
    let level = match announced.get(SUNSET) {
        None => sunset.undated,
        Some(written) => {
            let day = written.as_str().and_then(|text| text.get(..10));
            let Some(date) = day.and_then(Date::read) else {
                let at = pointer::join(&place.pointer, SUNSET);
                let message = format!("`{SUNSET}: {written}` is not a date");
                let help = "write the day as 2030-01-31; until then the removal keeps its verdict";
                return Err(Box::new(old.finding("policy", at, message, help)));
            };
            (date.0.as_str() <= today).then_some(sunset.over)
        }
    };
    Ok(level.map(Wire::from))
}

/// Returns the removed value, if it was deprecated.
fn announced<'d>(place: &Place, old: &'d Source) -> Option<&'d Value> {
    let gone = old.value.pointer(&place.pointer)?;
    (gone.get("deprecated") == Some(&Value::Bool(true))).then_some(gone)
}
