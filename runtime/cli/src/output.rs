//! The output of a run: records in one of three formats, or in a database.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use clap::ValueEnum;
#[cfg(feature = "cache")]
use rusqlite::types::Value;
use serde_json::value::RawValue;

use crate::columns::{Columns, compact, text};
use crate::inputs::Input;
#[cfg(feature = "cache")]
use crate::sqlite::{Rows, value};
use crate::visible::{legible, visible};
use generated_client::document::Shape;

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A line of JSON for each record
    Ndjson,
    /// One JSON document
    Json,
    /// A line for each record, with a column for each documented member
    Csv,
    /// Rows of a table of a database, which has a name of its own
    #[cfg(feature = "cache")]
    #[value(skip)]
    Sqlite,
}

impl Format {
    /// Returns whether a later run can append to the output.
    pub(crate) fn can_go_on(self) -> bool {
        self != Self::Json
    }

    /// Returns whether it is a table of a database: that has no name as a format.
    fn is_database(self) -> bool {
        self.to_possible_value().is_none()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

/// Where records go.
pub(crate) struct Output {
    out: Box<dyn Write + Send>,
    /// Why nothing more is written: records after half a record could not be read.
    broken: Option<(io::ErrorKind, String)>,
    format: Format,
    columns: Columns,
    /// The positions of the columns to show; without a choice all of them, and what is not documented.
    chosen: Option<Vec<usize>>,
    /// True if the document does not describe the records.
    is_any: bool,
    /// The name of the argument that inputs are of, with a list of them.
    input: Option<&'static str>,
    /// The lines of the list that have an input, by its name.
    lines: BTreeMap<String, Vec<String>>,
    /// True for a single record, false for a list.
    is_single: bool,
    #[cfg(feature = "cache")]
    rows: Option<Rows>,
    written: u64,
    /// True if it goes to a terminal, where some characters are escaped.
    is_seen: bool,
}

impl Output {
    /// Fails if a column cannot be shown.
    pub(crate) fn new(
        out: Box<dyn Write + Send>,
        format: Format,
        record: &'static Shape,
        input: Option<&'static str>,
        columns: &[String],
        is_single: bool,
        is_seen: bool,
    ) -> Result<Self, String> {
        let known = Columns::of(record);
        let position = |name: &String| {
            let found = known.names().iter().position(|one| one == name);
            found.ok_or_else(|| {
                format!(
                    "there is no column `{}`. There are: {}",
                    visible(name),
                    known.names().join(", ")
                )
            })
        };
        let chosen = match columns {
            [] => None,
            names => Some(names.iter().map(position).collect::<Result<_, _>>()?),
        };
        Ok(Self {
            out,
            broken: None,
            format,
            columns: known,
            chosen,
            is_any: matches!(record, Shape::Any),
            input,
            lines: BTreeMap::new(),
            is_single,
            #[cfg(feature = "cache")]
            rows: None,
            written: 0,
            is_seen,
        })
    }

    /// Writes each record of an input once for each line that has it.
    pub(crate) fn repeat_lines(&mut self, inputs: &[Input]) {
        let lines = inputs.iter();
        let lines = lines.map(|input| (input.name.clone(), input.lines.clone()));
        self.lines = lines.collect();
    }

    /// Puts the records into a table of a database.
    #[cfg(feature = "cache")]
    pub(crate) fn into_table(self, rows: Rows) -> Self {
        Self {
            rows: Some(rows),
            ..self
        }
    }

    /// Returns the name of the column for the input, which differs from those of the record.
    pub(crate) fn input_name(&self) -> Option<String> {
        let name = self.input?;
        let is_taken = self.columns.names().iter().any(|column| column == name);
        let is_taken = is_taken && self.format.is_database();
        Some(if is_taken {
            format!("({name})")
        } else {
            name.to_owned()
        })
    }

    /// Returns the names of all columns.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.input_name().into_iter().collect();
        match &self.chosen {
            Some(chosen) => names.extend(select(self.columns.names(), chosen)),
            None => {
                names.extend(self.columns.names().iter().cloned());
                names.push("(undocumented)".to_owned());
            }
        }
        names
    }

    /// Writes what precedes the first record. A continued output has it already.
    pub(crate) fn start(&mut self, goes_on: bool) -> io::Result<()> {
        match self.format {
            Format::Csv if !goes_on => self.row(&self.names()),
            Format::Json if !self.is_single => self.put(b"["),
            _ => Ok(()),
        }
    }

    /// Writes a record of an input. It is out when this returns.
    pub(crate) fn record(&mut self, input: &str, record: &RawValue) -> io::Result<()> {
        let Some(lines) = self.lines.get(input).cloned() else {
            return self.record_of_line(input, record);
        };
        let mut lines = lines.iter();
        lines.try_for_each(|line| self.record_of_line(line, record))
    }

    fn record_of_line(&mut self, input: &str, record: &RawValue) -> io::Result<()> {
        match self.format {
            Format::Ndjson | Format::Json => {
                let mut line = match self.format {
                    Format::Json if self.is_single => "",
                    Format::Json if self.written == 0 => "\n",
                    Format::Json => ",\n",
                    _ => "",
                }
                .to_owned();
                if self.is_seen {
                    line.push_str(&visible(&self.line(input, record)))
                } else {
                    line.push_str(&self.line(input, record))
                }
                if self.format == Format::Ndjson || self.is_single {
                    line.push('\n');
                }
                self.put(line.as_bytes())?;
            }
            Format::Csv => {
                let (cells, rest) = self.columns.cells(record);
                let cells: Vec<String> = cells.into_iter().map(text).collect();
                let mut row: Vec<String> = self.input.iter().map(|_| input.to_owned()).collect();
                match &self.chosen {
                    Some(chosen) => row.extend(select(&cells, chosen)),
                    None => {
                        row.extend(cells);
                        row.push(rest);
                    }
                }
                if self.is_seen {
                    for cell in &mut row {
                        *cell = visible(cell).into_owned();
                    }
                }
                self.row(&row)?;
            }
            #[cfg(feature = "cache")]
            Format::Sqlite => self.put_row(input, record)?,
        }
        self.written = self.written.saturating_add(1);
        Ok(())
    }

    /// Puts a record into the table of a database.
    #[cfg(feature = "cache")]
    fn put_row(&self, input: &str, record: &RawValue) -> io::Result<()> {
        let (cells, rest) = self.columns.cells(record);
        let mut row: Vec<Value> = self.input.iter().map(|_| input.to_owned().into()).collect();
        match &self.chosen {
            Some(chosen) => {
                let cells = chosen
                    .iter()
                    .map(|index| cells.get(*index).copied().flatten());
                row.extend(cells.map(value));
            }
            None => {
                row.extend(cells.into_iter().map(value));
                row.push(if rest.is_empty() {
                    Value::Null
                } else {
                    rest.into()
                });
            }
        }
        match &self.rows {
            Some(rows) => rows.put(row),
            None => Ok(()),
        }
    }

    /// Returns a record as a line of JSON.
    fn line(&self, input: &str, record: &RawValue) -> String {
        match self.input {
            Some(name) => format!(
                "{{{}:{},\"record\":{}}}",
                serde_json::Value::from(name),
                serde_json::Value::from(input),
                compact(record.get())
            ),
            None => compact(record.get()),
        }
    }

    /// Returns whether the document leaves the records undescribed. They may be something other than JSON.
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }

    /// Returns whether one response can be written unchanged, as a download.
    pub(crate) fn takes_bytes(&self) -> bool {
        self.is_any && self.is_single && self.format == Format::Ndjson
    }

    /// Writes bytes that are not JSON.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_seen {
            self.put(legible(bytes).1.as_bytes())
        } else {
            self.put(bytes)
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some((kind, why)) = &self.broken {
            return Err(io::Error::new(*kind, why.clone()));
        }
        let put = self.out.write_all(bytes).and_then(|()| self.out.flush());
        if let Err(error) = &put {
            self.broken = Some((error.kind(), error.to_string()));
        }
        put
    }

    /// Writes what follows the last record.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        match self.written {
            _ if self.format != Format::Json || self.is_single => Ok(()),
            0 => self.put(b"]\n"),
            _ => self.put(b"\n]\n"),
        }
    }

    fn row(&mut self, cells: &[String]) -> io::Result<()> {
        let mut line = csv::Writer::from_writer(Vec::new());
        line.write_record(cells)?;
        let line = line.into_inner().map_err(|error| error.into_error())?;
        self.put(&line)
    }
}

fn select(cells: &[String], chosen: &[usize]) -> impl Iterator<Item = String> {
    chosen
        .iter()
        .map(|index| cells.get(*index).cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use generated_client::document::Shaped;
    use generated_client::wire::object;

    use super::*;

    struct Record {
        name: Option<String>,
    }
    object!(Record {
        name: optional "name" or omitted,
    });

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_steers_a_terminal_is_escaped_where_it_is_read() {
        let record: &RawValue =
            serde_json::from_str("{\"name\": \"a\u{202e}\u{9b}\\u001b\"}").unwrap();
        let raw = "a\u{202e}\u{9b}\u{1b}";
        for (format, is_seen, expected) in [
            (Format::Csv, false, format!("name\n{raw}\n")),
            (
                Format::Csv,
                true,
                "name\na\\u202e\\u009b\\u001b\n".to_owned(),
            ),
            (
                Format::Ndjson,
                false,
                "{\"name\":\"a\u{202e}\u{9b}\\u001b\"}\n".to_owned(),
            ),
            (
                Format::Ndjson,
                true,
                "{\"name\":\"a\\u202e\\u009b\\u001b\"}\n".to_owned(),
            ),
        ] {
            let written = Written::default();
            let out = Box::new(written.clone());
            let columns = ["name".to_owned()];
            let mut output =
                Output::new(out, format, Record::SHAPE, None, &columns, false, is_seen).unwrap();
            output.start(false).unwrap();
            output.record("", record).unwrap();
            output.end().unwrap();
            let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
            assert_eq!(text, expected, "{format} {is_seen}");
        }
    }
}
