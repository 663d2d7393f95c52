//! The policy file.

use std::collections::BTreeMap;
use std::ops::Range;

use openapi_document::finding::{DocumentError, Finding, near};
use openapi_document::pointer;
use openapi_document::source::Source;
use serde::Deserialize;
use serde::de::Error;

use crate::verdicts::{Level, RULES};

/// A policy.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Other verdicts; the last match applies.
    #[serde(default)]
    pub(super) severity: Vec<Severity>,
    /// Changes that do not count.
    #[serde(default)]
    pub(super) waivers: Vec<Waiver>,
    /// Verdicts on removals that the old document announced.
    pub(super) sunset: Option<Sunset>,
    /// Worst verdict on operations of each stability level, which is the `x-stability-level` in the old document.
    #[serde(default)]
    pub(super) stability: BTreeMap<String, Level>,
}

/// Another verdict.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Severity {
    #[serde(flatten)]
    pub(super) what: What,
    pub(super) is: Level,
}

/// A change that does not count.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Waiver {
    #[serde(flatten)]
    pub(super) what: What,
    pub(super) reason: String,
    /// Last day of the waiver.
    pub(super) until: Option<Date>,
    /// Sentence of the change, for people.
    #[serde(rename = "change")]
    _change: Option<String>,
}

/// Selection of changes.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct What {
    /// A rule, or all rules with a prefix, as `schema.*`.
    pub(super) rule: String,
    /// A component or operation as the report names it, or a path, or `#` and a JSON Pointer; the last two include everything below them.
    pub(super) at: Option<String>,
    /// The one change with this fingerprint.
    pub(super) fingerprint: Option<String>,
}

/// Verdicts on removals that the old document announced.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sunset {
    /// Verdict if it was deprecated and its `x-sunset` is over.
    pub(super) over: Level,
    /// Verdict if it was deprecated without an `x-sunset`.
    pub(super) undated: Option<Level>,
}

/// A day, as `2030-01-31`. Days compare like their strings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date(pub(super) String);

impl Date {
    pub(super) fn read(text: &str) -> Option<Self> {
        let form = text.bytes().zip(0..);
        let fits = |(byte, at): (u8, usize)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        let is_written = text.len() == 10 && form.into_iter().all(fits);
        let number = |at: Range<usize>| text.get(at)?.parse::<u16>().ok();
        let (year, month) = (number(0..4)?, number(5..7)?);
        let is_leap =
            year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let is_day = (1..=days).contains(&number(8..10)?);
        (is_written && is_day).then(|| Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is not a date")))
    }
}

const HELP: &str = "a policy has `severity` (rule, at, fingerprint, is), `waivers` (rule, at, fingerprint, change, reason, until), `sunset` (over, undated) and `stability` (verdicts by level)";

/// Reads a policy. `today` is a date; a policy with dates requires it.
///
/// # Errors
///
/// A member is invalid, a rule does not exist, or a date is missing.
pub fn read(source: &Source, today: Option<&str>) -> Result<Policy, DocumentError> {
    let policy: Policy = serde_path_to_error::deserialize(&source.value).map_err(|error| {
        let segments = error.path().iter();
        let at = segments.filter_map(|segment| match segment {
            serde_path_to_error::Segment::Seq { index } => Some(index.to_string()),
            serde_path_to_error::Segment::Map { key } => Some(key.clone()),
            _ => None,
        });
        let at = at.fold(String::new(), |at, token| pointer::join(&at, &token));
        let message = error.inner().to_string();
        DocumentError::Unreadable(vec![source.finding("policy", at, message, HELP)])
    })?;
    let mut findings: Vec<Finding> = Vec::new();
    for (at, what) in policy.all() {
        if !RULES.iter().any(|rule| rule.is_called(&what.rule)) {
            let ids = RULES.iter().map(|rule| rule.id);
            let help = near(&what.rule, ids).map_or_else(
                || "crates/diff/README.md lists the rules".to_owned(),
                |near| format!("`{near}` is a rule"),
            );
            let message = format!("no rule is called `{}`", what.rule);
            findings.push(source.finding("policy", format!("{at}/rule"), message, help));
        }
    }
    for (index, waiver) in policy.waivers.iter().enumerate() {
        if waiver.reason.trim().is_empty() {
            let at = format!("/waivers/{index}/reason");
            let help = "explain why the change does not count, for later readers";
            findings.push(source.finding("policy", at, "the reason is empty", help));
        }
    }
    let needs_today =
        policy.sunset.is_some() || policy.waivers.iter().any(|one| one.until.is_some());
    match today {
        None if needs_today => findings.push(source.finding(
            "policy",
            "",
            "the policy has dates, but the current date is not given",
            "give `--today` with the date, as 2030-01-31",
        )),
        Some(today) if Date::read(today).is_none() => findings.push(source.finding(
            "policy",
            "",
            format!("`--today {today}` is not a date"),
            "give the year, the month and the day, as 2030-01-31",
        )),
        _ => {}
    }
    if findings.is_empty() {
        Ok(policy)
    } else {
        Err(DocumentError::Unreadable(findings))
    }
}

impl Policy {
    /// Returns the selections of the policy, each with its location.
    fn all(&self) -> impl Iterator<Item = (String, &What)> {
        let severity = self.severity.iter().enumerate();
        let severity = severity.map(|(index, one)| (format!("/severity/{index}"), &one.what));
        let waivers = self.waivers.iter().enumerate();
        severity.chain(waivers.map(|(index, one)| (format!("/waivers/{index}"), &one.what)))
    }
}
