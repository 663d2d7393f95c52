//! Where the output of a run goes, from its options: standard output, or a new file.

use std::fs::File;
use std::io::{self, IsTerminal, Write};

use clap::builder::EnumValueParser;
use clap::{Arg, ArgAction, ArgMatches};

use crate::ended::Ended;
use crate::options::value;
use crate::output::{Format, Output};
use crate::table::{Command, Does};
use crate::visible::visible;

/// Returns the options.
pub(crate) fn options() -> Vec<Arg> {
    let output = "The output format. On a terminal, and in a table always, control characters and changes of direction are escapes such as \\u202e";
    vec![
        value("output", "FORMAT", output)
            .value_parser(EnumValueParser::<Format>::new())
            .default_value("ndjson"),
        value(
            "save",
            "FILE",
            "Write the output to this new file, in place of standard output; `--resume` appends to it",
        ),
        value(
            "columns",
            "NAMES",
            "The columns of csv and table, separated by commas",
        )
        .value_delimiter(',')
        .action(ArgAction::Append),
    ]
}

/// The output that the options of a run name.
pub(crate) struct Chosen {
    format: Format,
    columns: Vec<String>,
    save: Option<String>,
}

impl Chosen {
    /// Reads the options. A watch has none but the file.
    pub(crate) fn read(given: &ArgMatches) -> Result<Self, Ended> {
        let format = given.try_get_one::<Format>("output").ok().flatten();
        let save = given.try_get_one::<String>("save").ok().flatten();
        Ok(Self {
            format: format.copied().unwrap_or(Format::Ndjson),
            columns: many(given, "columns"),
            save: save.cloned(),
        })
    }

    /// Returns its form, for people. A later run that goes on has the same.
    pub(crate) fn form(&self) -> String {
        let format = self.format.to_string();
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
                "`--resume` appends to what an earlier run has written: use `--output ndjson` or `csv`",
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
        output.map_err(Ended::Usage)
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
