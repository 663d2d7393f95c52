//! The file of `--resume`: what a run has done and paid, so that a later one pays for nothing again.
//!
//! One line of JSON for each fact, appended before the next call is made. First the run that it is of; then, in the order in which things
//! happen, for which input a call began, what the calls have cost, how far each input is, which are done, and which the service refused for
//! good. A call that began, and of which nothing else is said, may have been billed: its price is at risk, and it is made again only with
//! `--again`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};

use fs4::fs_std::FileExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ended::Ended;
use crate::money::Usage;
use crate::money::credits::Credits;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Run(Run),
    Usage(Usage),
    /// A call that costs so much at most; all that is left, where no price is known.
    Began {
        input: String,
        at_most: Option<Credits>,
    },
    /// What began was not billed.
    Free {
        input: String,
    },
    /// What began may have been billed, and the usage has what is at risk.
    Unsure {
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
    /// Calls that began before the run broke off.
    pending: BTreeMap<String, Option<Credits>>,
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
        let not_a_journal = |number: u64, why: &str| {
            Ended::Usage(format!(
                "{path}, line {number}: {why}. This is not the journal of a run; name another file"
            ))
        };
        let whole = match text.rfind('\n') {
            Some(end) => end.saturating_add(1),
            None if text.is_empty() => 0,
            None => return Err(not_a_journal(1, "the file is no list of lines")),
        };
        let mut journal = Self {
            path: path.to_owned(),
            file,
            usage: Usage::default(),
            offsets: BTreeMap::new(),
            done: BTreeSet::new(),
            refused: BTreeSet::new(),
            unsure: BTreeSet::new(),
            pending: BTreeMap::new(),
            goes_on: false,
        };
        for (number, line) in (1_u64..).zip(text.get(..whole).unwrap_or_default().lines()) {
            let line = serde_json::from_str(line)
                .map_err(|error| not_a_journal(number, &error.to_string()))?;
            journal.read(line, run)?;
        }
        // A line that broke off is of a run that broke off. It goes only now: the file is one of ours.
        let length = u64::try_from(whole).unwrap_or(u64::MAX);
        journal.file.set_len(length).map_err(failed)?;
        journal.file.seek(io::SeekFrom::End(0)).map_err(failed)?;
        journal.reserve_pending()?;
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
            Line::Began { input, at_most } => {
                self.pending.insert(input.clone(), at_most);
                self.unsure.insert(input);
            }
            Line::Unsure { input } => _ = self.pending.remove(&input),
            Line::Free { input } => self.settled(&input),
            Line::At { input, offset } => {
                self.settled(&input);
                self.offsets.insert(input, offset);
            }
            Line::Done { input } => {
                self.settled(&input);
                self.done.insert(input);
            }
            Line::Refused { input, .. } => {
                self.settled(&input);
                self.refused.insert(input);
            }
        }
        Ok(())
    }

    /// It is known what became of the call of an input.
    fn settled(&mut self, input: &str) {
        self.pending.remove(input);
        self.unsure.remove(input);
    }

    /// Counts what began and did not end as reserved, also where the run broke off before its ledger could say so.
    fn reserve_pending(&mut self) -> Result<(), Ended> {
        let Usage {
            limit,
            spent,
            at_risk,
            ..
        } = self.usage;
        let used = spent.micros().saturating_add(at_risk.micros());
        let left = limit.map_or(0, |limit| limit.micros().saturating_sub(used));
        let pending = self.pending.values();
        let pending = pending.fold(0_u64, |sum, at_most| {
            sum.saturating_add(at_most.map_or(left, Credits::micros))
        });
        let reserved = self.usage.reserved.max(Credits::from_micros(pending));
        self.usage(Usage {
            reserved,
            ..self.usage
        })?;
        for input in std::mem::take(&mut self.pending).into_keys() {
            self.unsure(&input)?;
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

    pub(super) fn began(&mut self, input: &str, at_most: Option<Credits>) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(&Line::Began { input, at_most })
    }

    pub(super) fn unsure(&mut self, input: &str) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(&Line::Unsure { input })
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
