//! The list of `--from`: one call for each of its lines, or for each value of a column.

use std::collections::BTreeMap;

use crate::argument::Argument;
use crate::arguments::read;
use crate::ended::Ended;
use crate::visible::visible;
use generated_client::values::website;

/// The list of `--from`, with the argument that it fills.
pub(crate) type Listed = Option<(&'static Argument, Inputs)>;

/// An input of a list.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    /// Its name in the journal: a website in one spelling, anything else as it is given.
    pub(crate) name: String,
    /// The lines of the list that have it, in their order.
    pub(crate) lines: Vec<String>,
}

impl Input {
    /// Returns the input of a single call, which has no name.
    pub(crate) fn single() -> Self {
        Self {
            name: String::new(),
            lines: Vec::new(),
        }
    }

    /// Returns what is sent: the first spelling, as one value.
    pub(crate) fn given(&self) -> &[String] {
        self.lines.get(..1).unwrap_or_default()
    }
}

/// The inputs of a list, each once: a value that stands there twice, or a website in another spelling, would be paid for twice.
pub(crate) struct Inputs {
    pub(crate) values: Vec<Input>,
    /// How many lines repeat an earlier one.
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
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut values: Vec<Input> = Vec::new();
        let mut repeated = 0_usize;
        for value in all {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let website = website(value).filter(|_| is_website);
            let name = website.unwrap_or_else(|| value.to_owned());
            let place = *places.entry(name.clone()).or_insert(values.len());
            if let Some(input) = values.get_mut(place) {
                input.lines.push(value.to_owned());
                repeated = repeated.saturating_add(1);
            } else {
                let lines = vec![value.to_owned()];
                values.push(Input { name, lines });
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
