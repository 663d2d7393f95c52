//! The list of `--from`: one call for each of its lines, or for each value of a column.

use std::collections::BTreeSet;

use crate::argument::Argument;
use crate::arguments::read;
use crate::ended::Ended;
use crate::visible::visible;
use generated_client::values::website;

/// The list of `--from`, with the argument that it fills.
pub(crate) type Listed = Option<(&'static Argument, Inputs)>;

/// The values of a list, each once: a value that stands there twice, or a website in another spelling, would be paid for twice.
pub(crate) struct Inputs {
    pub(crate) values: Vec<String>,
    /// How many were there already.
    pub(crate) repeated: usize,
}

impl Inputs {
    /// Reads the lines of a file, or the column of a CSV file; of standard input, if it is called `-`.
    pub(crate) fn read(path: &str, column: Option<&str>, is_website: bool) -> Result<Self, Ended> {
        let bytes = read(path).map_err(|error| Ended::Usage(error.to_string()))?;
        let shown = visible(path);
        let text = String::from_utf8(bytes)
            .map_err(|error| Ended::Usage(format!("{shown}: not valid UTF-8: {error}")))?;
        // Spreadsheet programs write a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let all = match column {
            None => text.lines().map(str::to_owned).collect(),
            Some(column) => {
                cells(text, column).map_err(|why| Ended::Usage(format!("{shown}: {why}")))?
            }
        };
        let mut seen = BTreeSet::new();
        let mut values = Vec::new();
        let mut repeated = 0_usize;
        for value in all {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let website = website(value).filter(|_| is_website);
            if seen.insert(website.unwrap_or_else(|| value.to_owned())) {
                values.push(value.to_owned())
            } else {
                repeated = repeated.saturating_add(1)
            }
        }
        Ok(Self { values, repeated })
    }
}

fn cells(text: &str, column: &str) -> Result<Vec<String>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| error.to_string())?.clone();
    let position = head.iter().position(|name| name.trim() == column);
    let Some(position) = position else {
        let names: Vec<_> = head.iter().map(visible).collect();
        return Err(format!(
            "there is no column `{}`. Its first line has: {}",
            visible(column),
            names.join(", ")
        ));
    };
    let rows = reader.records().map(|row| {
        let row = row.map_err(|error| error.to_string())?;
        Ok(row.get(position).unwrap_or_default().to_owned())
    });
    rows.collect()
}
