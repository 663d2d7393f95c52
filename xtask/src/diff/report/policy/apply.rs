//! A policy on a report.

use std::rc::Rc;

use serde_json::Value;

use super::model::{Date, Policy, What};
use crate::diff::report::attribution::{Entry, Report, Waived};
use crate::diff::report::filter::is_below;
use crate::diff::verdicts::{Place, Wire};
use crate::finding::Finding;
use crate::pointer::{self, is_within};
use crate::source::Source;

/// The extension with the stability of an operation.
const STABILITY: &str = "x-stability-level";
/// The extension with the day of a removal.
const SUNSET: &str = "x-sunset";

impl Report {
    /// The report as a policy has it. `file` is the text of the policy, `old` the old document, `today` the date. What the policy says of
    /// nothing, and what is over, are findings.
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
            let changes = std::mem::take(&mut self.changes);
            let is_of_level = |name: &&Rc<str>| stability(name, old) == Some(level);
            for entry in changes {
                let (mut capped, others) = entry.parted(is_of_level);
                if let Some(entry) = &mut capped {
                    entry.change.wire = entry.change.wire.min((*worst).into());
                }
                self.changes.extend(capped.into_iter().chain(others));
            }
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
        // Verdicts may be others now.
        self.changes.sort_by(|a, b| a.change.order(&b.change));
        let wire = self.changes.iter().map(|entry| entry.change.wire).max();
        self.wire = wire.unwrap_or(Wire::None);
        self.findings.extend(findings);
        self
    }

    /// The changes that are meant, and the others. Of a change that several operations share, those operations are meant that are named.
    fn divided(&mut self, what: &What) -> (Vec<Entry>, Vec<Entry>) {
        let (mut meant, mut others) = (Vec::new(), Vec::new());
        for entry in std::mem::take(&mut self.changes) {
            let (named, left) = what.meant(&entry);
            if left.is_empty() && named.is_some() {
                meant.push(entry);
                continue;
            }
            if let Some(named) = named {
                let mut part = entry.clone();
                part.change.operations = named;
                meant.push(part);
                let mut rest = entry;
                rest.change.operations = left;
                others.push(rest);
            } else {
                others.push(entry);
            }
        }
        (meant, others)
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

/// Operations that share a change.
type Names = Rc<[Rc<str>]>;

impl What {
    /// The operations of a change that are meant, unless it is not meant at all, and the operations that are not.
    fn meant(&self, entry: &Entry) -> (Option<Names>, Names) {
        let change = &entry.change;
        let operations = || Rc::clone(&change.operations);
        let none = || Rc::from([]);
        if !self.names(change.rule.id) {
            return (None, operations());
        }
        let Some(at) = &self.at else {
            return (Some(operations()), none());
        };
        if let Some(pointer) = at.strip_prefix('#') {
            let mut places = [&change.old, &change.new].into_iter().flatten();
            return match places.any(|place| is_within(&place.pointer, pointer)) {
                true => (Some(operations()), none()),
                false => (None, operations()),
            };
        }
        if change.owner == *at {
            return (Some(operations()), none());
        }
        let is_named = |name: &&Rc<str>| ***name == **at || is_below(name, at);
        let all = change.operations.iter();
        let (named, left): (Vec<_>, Vec<_>) = all.partition(is_named);
        let shared = |names: Vec<&Rc<str>>| names.into_iter().cloned().collect::<Names>();
        match named.is_empty() {
            true => (None, operations()),
            false => (Some(shared(named)), shared(left)),
        }
    }
}

impl Entry {
    /// The part of a change that is about these operations, and the rest of it.
    fn parted(self, is_meant: impl Fn(&&Rc<str>) -> bool) -> (Option<Self>, Option<Self>) {
        let operations = Rc::clone(&self.change.operations);
        let (named, left): (Vec<_>, Vec<_>) = operations.iter().partition(is_meant);
        let part = |names: Vec<&Rc<str>>| {
            let mut part = self.clone();
            part.change.operations = names.into_iter().cloned().collect();
            part
        };
        match (named.is_empty(), left.is_empty()) {
            (true, _) => (None, Some(self)),
            (false, true) => (Some(self), None),
            (false, false) => (Some(part(named)), Some(part(left))),
        }
    }
}

/// How stable the old document calls an operation, such as `GET /things`.
fn stability<'d>(operation: &str, old: &'d Source) -> Option<&'d str> {
    let (method, path) = operation.split_once(' ')?;
    let item = pointer::join("/paths", path);
    let place = pointer::join(&item, &method.to_lowercase());
    old.value.pointer(&place)?.get(STABILITY)?.as_str()
}

/// What the removal of something is worth that was announced; a finding where the announcement has no date that can be read.
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
                let message = format!("`{SUNSET}: {written}` is no date");
                let help = "write the day as 2030-01-31; until then the removal keeps its verdict";
                return Err(Box::new(old.finding("policy", at, message, help)));
            };
            (date.0.as_str() <= today).then_some(sunset.over)
        }
    };
    Ok(level.map(Wire::from))
}

/// What is gone, if it was deprecated.
fn announced<'d>(place: &Place, old: &'d Source) -> Option<&'d Value> {
    let gone = old.value.pointer(&place.pointer)?;
    (gone.get("deprecated") == Some(&Value::Bool(true))).then_some(gone)
}
