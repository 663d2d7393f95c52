//! How long a comparison takes, and how much memory, by the size of the documents: `cargo bench -p generator-tests`.
//! Prints ratios and judges nothing: what counts is that the last columns stay the same from line to line.

#![allow(clippy::unwrap_used, reason = "a benchmark that panics has failed")]

use std::time::Instant;

use xtask::diff::{self, Report, Surfaces};
use xtask::source::Source;

/// Bytes of a megabyte.
const MEGABYTE: f64 = 1e6;

fn main() {
    println!(
        "  MB each  changes  parse s  compare s  report s  total s  s per MB  peak memory / input"
    );
    for size in [0.75, 1.5, 3.0, 6.0] {
        let (old, new) = (shop(size, false), shop(size, true));
        let megabytes = old.len() as f64 / MEGABYTE;
        let input = (old.len() + new.len()) as f64;
        let before = resident("VmRSS");
        let start = Instant::now();
        let old = Source::parse("old.json", old).unwrap();
        let new = Source::parse("new.json", new).unwrap();
        let parsed = start.elapsed().as_secs_f64();
        let differences = diff::compare(&old, &new);
        let compared = start.elapsed().as_secs_f64() - parsed;
        let report = Report::new("old.json", "new.json", differences, Surfaces::Skipped);
        let text = diff::json(&report).unwrap();
        let total = start.elapsed().as_secs_f64();
        assert!(text.len() > 2);
        let memory = match (before, resident("VmHWM")) {
            (Some(before), Some(peak)) => format!("{:.1}", (peak - before) / input),
            _ => "unknown".to_owned(),
        };
        println!(
            "{megabytes:>9.2}  {:>7}  {parsed:>7.3}  {compared:>9.3}  {:>8.3}  {total:>7.3}  {:>8.3}  {memory:>19}",
            report.changes.len(),
            total - parsed - compared,
            total / megabytes,
        );
    }
}

/// Bytes that the process holds, or held at most; where the system says so.
fn resident(what: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(what)?.strip_prefix(':'))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024.0)
}

/// Schemas that refer to each other. If all did, every change would be printed with all operations.
const FAMILY: usize = 50;

/// A document of about so many megabytes: schemas that refer to each other, in circles too, and an operation for each.
/// The new version differs in one schema of ten.
/// Written as text, so that making it is no part of the peak of memory.
fn shop(megabytes: f64, is_new: bool) -> String {
    let count = (megabytes * 400.0) as usize;
    let mut schemas = String::new();
    let mut paths = String::new();
    for number in 0..count {
        let changed = is_new && number % 10 == 0;
        let neighbour = |other: usize| {
            let other = (number / FAMILY * FAMILY + other % FAMILY).min(count - 1);
            format!(r##"{{"$ref": "#/components/schemas/Thing{other}"}}"##)
        };
        let comma = if number == 0 { "" } else { "," };
        let mut properties = String::new();
        for field in 0..20 {
            let schema = match field % 4 {
                0 => neighbour(number * 7 + field),
                1 => format!(
                    r#"{{"type": "array", "items": {}}}"#,
                    neighbour(number + field)
                ),
                2 => format!(
                    r#"{{"type": "string", "maxLength": {}, "description": "A text of moderate length"}}"#,
                    if changed { 20 } else { 30 }
                ),
                _ => format!(
                    r#"{{"type": "integer", "format": "int32", "enum": [1, 2, {field}], "description": "One of a few"}}"#
                ),
            };
            let comma = if field == 0 { "" } else { "," };
            properties += &format!("{comma}\n          \"field{field}\": {schema}");
        }
        schemas += &format!(
            "{comma}\n      \"Thing{number}\": {{\"type\": \"object\", \"required\": [\"field1\"], \"properties\": {{{properties}}}}}"
        );
        let body = format!(
            r##"{{"application/json": {{"schema": {{"$ref": "#/components/schemas/Thing{number}"}}}}}}"##
        );
        paths += &format!(
            r#"{comma}
    "/things{number}/{{id}}": {{
      "put": {{
        "operationId": "putThing{number}",
        "parameters": [{{"name": "id", "in": "path", "required": true, "schema": {{"type": "string"}}}}],
        "requestBody": {{"content": {body}}},
        "responses": {{"200": {{"description": "Done", "content": {body}}}}}
      }}
    }}"#
        );
    }
    format!(
        r#"{{
  "openapi": "3.1.0",
  "info": {{"title": "Things", "version": "1"}},
  "paths": {{{paths}}},
  "components": {{"schemas": {{{schemas}}}}}
}}"#
    )
}
