//! The file of `--resume`: what a run has done and paid, so that a later one pays for nothing again.
//!
//! One line of JSON for each fact, appended before the next call is made. First the run that it is of; then, in the order in which things
//! happen, what the calls have cost, for which input a call began, how far each input is, which are done, and which the service refused for
//! good. An input of which nothing is said after a call began may have been billed: who knows that it was not says `--again`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};

use fs4::fs_std::FileExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ended::Ended;
use crate::money::Usage;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Run(Run),
    Usage(Usage),
    Began {
        input: String,
    },
    /// What began was not billed.
    Free {
        input: String,
    },
    At {
        input: String,
        offset: u64,
    },
    Done {
        input: String,
    },
    Refused {
        input: String,
        why: String,
    },
}

/// What one run is told from another by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) program: String,
    pub(super) command: String,
    pub(super) arguments: Value,
}

/// An open journal, and what it said when it was opened.
pub(super) struct Journal {
    path: String,
    file: File,
    pub(super) usage: Usage,
    pub(super) offsets: BTreeMap<String, u64>,
    pub(super) done: BTreeSet<String>,
    pub(super) refused: BTreeSet<String>,
    /// Inputs with a call of which it is not known whether it was billed.
    pub(super) unsure: BTreeSet<String>,
    /// Whether an earlier run began it.
    pub(super) goes_on: bool,
}

impl Journal {
    /// Opens a journal of this run, or begins one.
    pub(super) fn open(path: &str, run: &Run) -> Result<Self, Ended> {
        let failed = |error: io::Error| Ended::file(path, &error);
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).write(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        if !file.try_lock_exclusive().map_err(failed)? {
            let message = format!("{path}: another run is writing it; two would pay twice");
            return Err(Ended::Usage(message));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // A line that broke off is of a run that broke off: what it was about to say did not happen yet.
        let whole = text.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let length = u64::try_from(whole).unwrap_or(u64::MAX);
        file.set_len(length).map_err(failed)?;
        file.seek(io::SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
            usage: Usage::default(),
            offsets: BTreeMap::new(),
            done: BTreeSet::new(),
            refused: BTreeSet::new(),
            unsure: BTreeSet::new(),
            goes_on: false,
        };
        for (number, line) in (1_u64..).zip(text.get(..whole).unwrap_or_default().lines()) {
            let line = serde_json::from_str(line).map_err(|error| {
                Ended::Usage(format!(
                    "{path}, line {number}: {error}. This is not the journal of a run; name another file"
                ))
            })?;
            journal.read(line, run)?;
        }
        if !journal.goes_on {
            journal.write(&Line::Run(run.clone()))?;
        }
        Ok(journal)
    }

    fn read(&mut self, line: Line, run: &Run) -> Result<(), Ended> {
        match line {
            Line::Run(other) if other == *run => self.goes_on = true,
            Line::Run(other) => {
                return Err(Ended::Usage(format!(
                    "{}: the journal of another run, of `{}` with {}. Give the same arguments, or name another file",
                    self.path, other.command, other.arguments
                )));
            }
            Line::Usage(usage) => self.usage = usage,
            Line::Began { input } => _ = self.unsure.insert(input),
            Line::Free { input } => _ = self.unsure.remove(&input),
            Line::At { input, offset } => {
                self.unsure.remove(&input);
                self.offsets.insert(input, offset);
            }
            Line::Done { input } => {
                self.unsure.remove(&input);
                self.done.insert(input);
            }
            Line::Refused { input, .. } => {
                self.unsure.remove(&input);
                self.refused.insert(input);
            }
        }
        Ok(())
    }

    pub(super) fn usage(&mut self, usage: Usage) -> Result<(), Ended> {
        if usage == self.usage {
            return Ok(());
        }
        self.usage = usage;
        self.write(&Line::Usage(usage))
    }

    pub(super) fn began(&mut self, input: &str) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(&Line::Began { input })
    }

    pub(super) fn free(&mut self, input: &str) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(&Line::Free { input })
    }

    pub(super) fn at(&mut self, input: &str, offset: u64) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(&Line::At { input, offset })
    }

    pub(super) fn done(&mut self, input: &str) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(&Line::Done { input })
    }

    pub(super) fn refused(&mut self, input: &str, why: &str) -> Result<(), Ended> {
        let (input, why) = (input.to_owned(), why.to_owned());
        self.write(&Line::Refused { input, why })
    }

    fn write(&mut self, line: &Line) -> Result<(), Ended> {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| {
            Ended::Output(format!(
                "{}: the journal cannot be written: {error}",
                self.path
            ))
        })
    }
}
