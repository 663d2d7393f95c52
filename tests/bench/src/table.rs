//! The table: measurements, their references, and the targets.

use std::time::Duration;

use serde::Serialize;

#[derive(Serialize)]
pub struct Row {
    pub what: String,
    /// Reference of the comparison, in the same run.
    pub beside: &'static str,
    pub seconds: f64,
    /// Ratio to the reference; absent for a figure without one.
    pub ratio: Option<f64>,
    pub aim: Option<f64>,
    pub note: String,
}

impl Row {
    pub fn ratio(
        what: impl Into<String>,
        time: Duration,
        beside: &'static str,
        reference: Duration,
        aim: impl Into<Option<f64>>,
    ) -> Self {
        Self {
            what: what.into(),
            beside,
            seconds: time.as_secs_f64(),
            ratio: Some(time.as_secs_f64() / reference.as_secs_f64()),
            aim: aim.into(),
            note: String::new(),
        }
    }

    pub fn alone(what: impl Into<String>, time: Duration, note: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            beside: "",
            seconds: time.as_secs_f64(),
            ratio: None,
            aim: None,
            note: note.into(),
        }
    }
}

/// Beginnings of the rows for callers.
const FOR_CALLERS: [&str; 6] = [
    "decode a page of 100 articles",
    "a call for a page",
    "a call for a short response",
    "a call for 100 records",
    "page through 100000 records",
    "build of the generated crate with all dependencies",
];

/// Selects the rows of docs/performance.md.
pub fn for_callers(rows: &[Row]) -> Vec<&Row> {
    let first = |begin: &&str| rows.iter().find(|row| row.what.starts_with(begin));
    FOR_CALLERS.iter().filter_map(first).collect()
}

/// Selects the rows of the README of this package.
pub fn missing_their_aim(rows: &[Row]) -> Vec<&Row> {
    let missing = rows.iter().filter(|row| match (row.ratio, row.aim) {
        (Some(ratio), Some(aim)) => ratio > aim,
        _ => false,
    });
    missing.collect()
}

/// Formats the rows as a Markdown table.
pub fn markdown<'r>(rows: impl IntoIterator<Item = &'r Row>) -> String {
    let mut lines = vec![
        "| what | CPU time | beside | ratio | aim | |".to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(rows.into_iter().map(|row| {
        let number = |number: Option<f64>| number.map(|one| format!("{one:.2}"));
        format!(
            "| {} | {} | {} | {} | {} | {} |",
            row.what,
            time(row.seconds),
            row.beside,
            number(row.ratio).unwrap_or_default(),
            number(row.aim).map_or_else(String::new, |aim| format!("≤ {aim}")),
            row.note
        )
    }));
    lines.join("\n")
}

fn time(seconds: f64) -> String {
    match seconds {
        small if small < 1e-3 => format!("{:.1} µs", small * 1e6),
        middle if middle < 1.0 => format!("{:.2} ms", middle * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// Replaces the last measurement in a page with this one.
pub fn put_into(text: &str, measured: &str) -> Option<String> {
    const START: &str = "<!-- measured -->\n";
    const END: &str = "<!-- /measured -->";
    let (before, rest) = text.split_once(START)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{START}\n{measured}\n\n{END}{after}"))
}
