//! Where the output of a run goes, from its options: standard output, a new file, or a table of a database.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Write};

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, ValueEnum};

use crate::ended::Ended;
use crate::options::value;
use crate::output::{Format, Output};
#[cfg(feature = "cache")]
use crate::sqlite::Rows;
use crate::table::{Command, Does};
use crate::visible::visible;

/// What `--output` names.
#[derive(Debug, Clone)]
struct Target {
    format: Format,
    /// The file of a database.
    #[cfg(feature = "cache")]
    database: Option<String>,
}

/// Reads a format, or `sqlite:` and a file.
#[derive(Clone)]
struct TargetParser;

impl TypedValueParser for TargetParser {
    type Value = Target;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Target, clap::Error> {
        #[cfg(feature = "cache")]
        if let Some(path) = value
            .to_str()
            .and_then(|value| value.strip_prefix("sqlite:"))
        {
            return Ok(Target {
                format: Format::Sqlite,
                database: Some(path.to_owned()),
            });
        }
        let format = EnumValueParser::new().parse_ref(command, arg, value)?;
        Ok(Target {
            format,
            #[cfg(feature = "cache")]
            database: None,
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let formats = Format::value_variants().iter();
        Some(Box::new(formats.filter_map(Format::to_possible_value)))
    }
}

/// Returns the options.
pub(crate) fn options() -> Vec<Arg> {
    let output = "The output format. On a terminal, control characters and changes of direction are escapes such as \\u202e";
    let mut all = vec![
        value("output", "FORMAT", output)
            .value_parser(TargetParser)
            .default_value("ndjson"),
        value(
            "save",
            "FILE",
            "Write the output to this new file, in place of standard output; `--resume` appends to it",
        ),
        value(
            "columns",
            "NAMES",
            "The columns of csv and sqlite, separated by commas",
        )
        .value_delimiter(',')
        .action(ArgAction::Append),
    ];
    if cfg!(feature = "cache") {
        all.extend([
            value("table", "NAME", "Put records into this table, with `--output sqlite:FILE`. It is made if it is missing"),
            value("key", "NAMES", "The columns by which a record replaces its row, separated by commas. Default: the input, if it has one record")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .requires("table"),
        ]);
    }
    all
}

/// The output that the options of a run name.
pub(crate) struct Chosen {
    format: Format,
    columns: Vec<String>,
    save: Option<String>,
    #[cfg(feature = "cache")]
    database: Option<Database>,
}

/// A table of a database.
#[cfg(feature = "cache")]
struct Database {
    path: String,
    table: String,
    /// The columns by which a record replaces its row; without any, the input.
    key: Vec<String>,
}

impl Chosen {
    /// Reads the options. A watch has none but the file.
    pub(crate) fn read(given: &ArgMatches) -> Result<Self, Ended> {
        let target = given.try_get_one::<Target>("output").ok().flatten();
        let save = given.try_get_one::<String>("save").ok().flatten();
        Ok(Self {
            format: target.map_or(Format::Ndjson, |target| target.format),
            columns: many(given, "columns"),
            save: save.cloned(),
            #[cfg(feature = "cache")]
            database: Database::read(given, target, save.is_some())?,
        })
    }

    /// Returns its form, for people. A later run that goes on has the same.
    pub(crate) fn form(&self) -> String {
        let format = self.format.to_string();
        #[cfg(feature = "cache")]
        let format = match &self.database {
            Some(database) => format!("table `{}`", database.table),
            None => format,
        };
        match self.columns.as_slice() {
            [] => format,
            columns => format!("{format} of {}", columns.join(",")),
        }
    }

    /// Opens the output. `listed`: the argument that a list fills. A dry run writes to standard output.
    pub(crate) fn open(
        &self,
        command: &'static Command,
        listed: Option<&'static str>,
        goes_on: bool,
        is_dry: bool,
    ) -> Result<Output, Ended> {
        if goes_on && !self.format.can_go_on() {
            return Err(Ended::usage(
                "`--resume` appends to what an earlier run has written: use `--output ndjson`, `csv` or `sqlite:FILE`",
            ));
        }
        let save = self.save.as_deref().filter(|_| !is_dry);
        let is_seen = save.is_none() && io::stdout().is_terminal();
        let is_single = listed.is_none() && command.does == Does::Once;
        let output = Output::new(
            destination(save, goes_on)?,
            self.format,
            command.record,
            listed,
            &self.columns,
            is_single,
            is_seen,
        );
        let output = output.map_err(Ended::Usage)?;
        #[cfg(feature = "cache")]
        if let Some(database) = self.database.as_ref().filter(|_| !is_dry) {
            let rows = database.open(command, &output)?;
            return Ok(output.into_table(rows));
        }
        Ok(output)
    }
}

#[cfg(feature = "cache")]
impl Database {
    fn read(
        given: &ArgMatches,
        target: Option<&Target>,
        has_save: bool,
    ) -> Result<Option<Self>, Ended> {
        let path = target.and_then(|target| target.database.clone());
        let table = given.try_get_one::<String>("table").ok().flatten();
        match (path, table) {
            (None, None) => Ok(None),
            (Some(path), Some(table)) if !has_save => Ok(Some(Self {
                path,
                table: table.clone(),
                key: many(given, "key"),
            })),
            _ => Err(Ended::usage(
                "`--output sqlite:FILE` needs `--table NAME`, and both exclude `--save`",
            )),
        }
    }

    fn open(&self, command: &Command, output: &Output) -> Result<Rows, Ended> {
        let (names, key) = (output.names(), self.key(command, output)?);
        let rows = Rows::open(&self.path, &self.table, &names, &key);
        rows.map_err(|error| Ended::Usage(format!("{}: {error}", visible(&self.path))))
    }

    /// Returns the columns by which a record replaces its row.
    fn key(&self, command: &Command, output: &Output) -> Result<Vec<String>, Ended> {
        let names = output.names();
        if let Some(unknown) = self.key.iter().find(|name| !names.contains(name)) {
            return Err(Ended::Usage(format!(
                "there is no column `{}` for `--key`. There are: {}",
                visible(unknown),
                names.join(", ")
            )));
        }
        match (self.key.as_slice(), output.input_name()) {
            ([], Some(input)) if command.does != Does::Pages => Ok(vec![input]),
            ([], _) => Err(Ended::usage(
                "`--key NAMES` says by which columns a record replaces its row",
            )),
            (key, _) => Ok(key.to_vec()),
        }
    }
}

fn many(given: &ArgMatches, name: &str) -> Vec<String> {
    let values = given.try_get_many::<String>(name).ok().flatten();
    values.into_iter().flatten().cloned().collect()
}

/// Opens what the output is written to: a new file, which a run that goes on appends to, or standard output.
fn destination(file: Option<&str>, goes_on: bool) -> Result<Box<dyn Write + Send>, Ended> {
    let Some(path) = file else {
        return Ok(Box::new(io::stdout()));
    };
    let mut options = File::options();
    let opened = if goes_on {
        options.append(true).create(true).open(path)
    } else {
        options.write(true).create_new(true).open(path)
    };
    match opened {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => {
            let path = visible(path);
            Err(Ended::Usage(format!("`{path}` cannot be written: {error}")))
        }
    }
}
