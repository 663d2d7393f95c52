//! Reads a statement of the provider: CSV, a JSON array of objects, or an object on each line.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches};
use generated_client::internal::without_mark;
use metered_client::Credits;
use metered_client::money::reconciliation::StatementLine;
use serde_json::Value;

use crate::arguments::read;
use crate::ended::Ended;
use crate::options::value;

const CREDITS: &str = "credits";
const REQUEST_ID: &str = "request-id";
const IDEMPOTENCY_KEY: &str = "idempotency-key";
const OPERATION: &str = "operation";

/// Returns the options that name columns, or members of objects.
pub(crate) fn options() -> [Arg; 4] {
    [
        value(CREDITS, "NAME", "The column of the charges").default_value("credits"),
        value(REQUEST_ID, "NAME", "The column of the request ids").default_value("request_id"),
        value(
            IDEMPOTENCY_KEY,
            "NAME",
            "The column of the idempotency keys",
        )
        .default_value("idempotency_key"),
        value(
            OPERATION,
            "NAME",
            "The column of what was called, to show it",
        )
        .default_value("operation"),
    ]
}

/// A line or an object, by the names of its columns, with its number.
type Row = (u64, BTreeMap<String, String>);

/// Reads the charges of a file, `-` for standard input.
pub(crate) fn statement(path: &str, given: &ArgMatches) -> Result<Vec<StatementLine>, Ended> {
    let bytes = read(path).map_err(|error| Ended::Usage(error.to_string()))?;
    let bytes = without_mark(&bytes);
    let problem = |number: u64, problem: &dyn std::fmt::Display| {
        Ended::Usage(format!("{path}, record {number}: {problem}"))
    };
    let rows = match bytes.trim_ascii_start().first() {
        Some(b'[' | b'{') => json(bytes),
        _ => csv(bytes),
    };
    let rows = rows.map_err(|(number, error)| problem(number, &error))?;
    let column = |option: &str| given.get_one::<String>(option).map_or("", String::as_str);
    let has = |name: &str| rows.iter().any(|(_, row)| row.contains_key(name));
    for (option, is_needed) in [
        (CREDITS, !rows.is_empty()),
        (REQUEST_ID, false),
        (IDEMPOTENCY_KEY, false),
        (OPERATION, false),
    ] {
        let is_given = given.value_source(option) == Some(clap::parser::ValueSource::CommandLine);
        if (is_needed || is_given) && !has(column(option)) {
            let names = rows.iter().flat_map(|(_, row)| row.keys());
            let names: std::collections::BTreeSet<&str> = names.map(String::as_str).collect();
            let names: Vec<&str> = names.into_iter().collect();
            return Err(Ended::Usage(format!(
                "{path}: no record has `{}`: name another column with `--{option}`. There are: {}",
                column(option),
                names.join(", ")
            )));
        }
    }
    let lines = rows.iter().map(|(number, row)| {
        let cell = |option| {
            let cell = row.get(column(option)).filter(|cell| !cell.is_empty());
            cell.cloned()
        };
        let credits = cell(CREDITS).unwrap_or_default();
        let credits: Credits = credits
            .trim()
            .parse()
            .map_err(|error| problem(*number, &error))?;
        Ok(StatementLine {
            number: *number,
            credits,
            operation: cell(OPERATION),
            request_id: cell(REQUEST_ID),
            idempotency_key: cell(IDEMPOTENCY_KEY),
        })
    });
    lines.collect()
}

/// Reads lines behind a line with the names of their columns. Records are numbered without it.
fn csv(bytes: &[u8]) -> Result<Vec<Row>, (u64, String)> {
    let mut reader = ::csv::ReaderBuilder::new()
        .trim(::csv::Trim::Headers)
        .from_reader(bytes);
    let names = reader.headers().map_err(|error| (0, error.to_string()))?;
    let names: Vec<String> = names.iter().map(str::to_owned).collect();
    let records = (1_u64..).zip(reader.into_records());
    let rows = records.map(|(number, record)| {
        let record = record.map_err(|error| (number, error.to_string()))?;
        let cells = names.iter().cloned().zip(record.iter().map(str::to_owned));
        Ok((number, cells.collect()))
    });
    rows.collect()
}

/// Reads objects, one behind the other or in an array.
fn json(bytes: &[u8]) -> Result<Vec<Row>, (u64, String)> {
    let values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    let mut objects = Vec::new();
    for value in values {
        let number = u64::try_from(objects.len()).unwrap_or(u64::MAX);
        match value.map_err(|error| (number.saturating_add(1), error.to_string()))? {
            Value::Array(items) => objects.extend(items),
            object => objects.push(object),
        }
    }
    let rows = (1_u64..).zip(objects).map(|(number, object)| match object {
        Value::Object(members) => {
            let cells = members.into_iter().map(|(name, value)| {
                let cell = match value {
                    Value::String(text) => text,
                    Value::Null => String::new(),
                    other => other.to_string(),
                };
                (name, cell)
            });
            Ok((number, cells.collect()))
        }
        other => Err((number, format!("`{other}` is not an object"))),
    });
    rows.collect()
}
