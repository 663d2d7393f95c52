//! The file of `--resume`: what a run has done and paid, so that a later one pays for nothing again.
//!
//! One line of JSON for each fact, appended before the next call is made. First the run that it is of; then, in the order in which things
//! happen, for which input a call began, what the calls have cost, how far each input is, which have enough, which are done, and which the
//! service refused for good. A free call is not named. A call that began, and of which nothing else is said, may have been billed: its price
//! is at risk, and it is made again only with `--again`. So is what is left of a page of which some records are out.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};

use fs4::fs_std::FileExt;

use crate::ended::Ended;
use crate::past::{Line, Past, Run};
use generated_client::paging::Position;
use metered_client::Credits;
use metered_client::money::Usage;

/// An open journal, and all that it says.
pub(crate) struct Journal {
    path: String,
    file: File,
    past: Past,
    /// Why a line could not be written. What follows half a line could not be read.
    broken: Option<String>,
}

impl Journal {
    /// Opens a journal of this run. Of a new one nothing is written before it [begins](Self::begin).
    pub(crate) fn open(path: &str, run: &Run) -> Result<Self, Ended> {
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
        let (past, whole) = Past::read(path, &text, run, true)?;
        // A line that broke off is of a run that broke off. It goes only now: the file is one of ours.
        let length = u64::try_from(whole).unwrap_or(u64::MAX);
        file.set_len(length).map_err(failed)?;
        file.seek(io::SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
            past,
            broken: None,
        };
        journal.reserve_pending()?;
        Ok(journal)
    }

    /// What the journal of this run says, whatever output it writes. The file stays as it is.
    pub(crate) fn look(path: &str, run: &Run) -> Result<Past, Ended> {
        match fs::read_to_string(path) {
            Ok(text) => Ok(Past::read(path, &text, run, false)?.0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Past::default()),
            Err(error) => Err(Ended::file(path, &error)),
        }
    }

    /// Says which run it is of.
    pub(crate) fn begin(&mut self, run: Run) -> Result<(), Ended> {
        match self.past.goes_on {
            true => Ok(()),
            false => self.write(Line::Run(run)),
        }
    }

    pub(crate) fn past(&self) -> &Past {
        &self.past
    }

    /// Counts what began and did not end as reserved, and notes that it may have been billed.
    fn reserve_pending(&mut self) -> Result<(), Ended> {
        let mut usage = self.past.usage;
        usage.reserved = self.past.reserved();
        self.usage(usage)?;
        for input in self.past.pending() {
            self.unsure(&input)?;
        }
        Ok(())
    }

    pub(crate) fn usage(&mut self, usage: Usage) -> Result<(), Ended> {
        match usage == self.past.usage {
            true => Ok(()),
            false => self.write(Line::Usage(usage)),
        }
    }

    /// A free call needs no line.
    pub(crate) fn began(&mut self, input: &str, at_most: Option<Credits>) -> Result<(), Ended> {
        let input = input.to_owned();
        match at_most {
            Some(Credits::ZERO) => Ok(()),
            at_most => self.write(Line::Began { input, at_most }),
        }
    }

    pub(crate) fn settled(&mut self, input: &str) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(Line::Settled { input })
    }

    pub(crate) fn unsure(&mut self, input: &str) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(Line::Unsure { input })
    }

    /// Of a free page, the rest can be asked for again.
    pub(crate) fn within(&mut self, input: &str, position: Position) -> Result<(), Ended> {
        if !self.past.is_unsure(input) {
            return self.at(input, position);
        }
        let input = input.to_owned();
        self.write(Line::Within { input, position })
    }

    pub(crate) fn at(&mut self, input: &str, position: Position) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(Line::At { input, position })
    }

    pub(crate) fn enough(&mut self, input: &str, most: Option<u64>) -> Result<(), Ended> {
        let input = input.to_owned();
        self.write(Line::Enough { input, most })
    }

    pub(crate) fn done(&mut self, input: &str) -> Result<(), Ended> {
        let input = input.to_owned();
        match self.past.is_at_end(&input) {
            true => Ok(()),
            false => self.write(Line::Done { input }),
        }
    }

    pub(crate) fn refused(&mut self, input: &str, why: &str) -> Result<(), Ended> {
        let (input, why) = (input.to_owned(), why.to_owned());
        self.write(Line::Refused { input, why })
    }

    fn write(&mut self, line: Line) -> Result<(), Ended> {
        if self.broken.is_none() {
            let mut text = serde_json::to_string(&line).unwrap_or_default();
            text.push('\n');
            let written = self.file.write_all(text.as_bytes());
            self.broken = written.err().map(|error| error.to_string());
        }
        match &self.broken {
            None => {
                self.past.apply(line);
                Ok(())
            }
            Some(error) => Err(Ended::Output(format!(
                "{}: the journal cannot be written: {error}",
                self.path
            ))),
        }
    }
}
