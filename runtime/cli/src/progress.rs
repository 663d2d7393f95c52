//! Shows the progress and the cost of a run, on stderr and only on a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::money;
use crate::report::report;
use generated_client::Client;

/// A bar, or nothing.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    is_quiet: bool,
    /// True if calls cost credits.
    is_metered: bool,
}

impl Progress {
    pub(crate) fn new(is_quiet: bool, is_metered: bool) -> Self {
        // Records on the same terminal would run through the bar.
        let is_seen = io::stderr().is_terminal() && !io::stdout().is_terminal() && !is_quiet;
        let bar = is_seen.then(|| {
            let bar = ProgressBar::no_length();
            if let Ok(style) = ProgressStyle::with_template("{pos} {msg} ({per_sec}, {elapsed})") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self {
            bar,
            is_quiet,
            is_metered,
        }
    }

    /// Sets the number of records to come.
    pub(crate) fn expect(&self, total: u64) {
        let Some(bar) = &self.bar else { return };
        if bar.length().is_none() {
            let template = "{wide_bar} {pos}/{len} {msg} ({per_sec}, {eta} left)";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
        }
        bar.set_length(total);
    }

    /// Counts one as done.
    pub(crate) fn one(&self, client: &Client) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            if self.is_metered {
                bar.set_message(money::spent(client));
            }
        }
    }

    /// Prints a message, also without a bar. Returns whether it was printed.
    pub(crate) fn say(&self, line: &str) -> bool {
        match &self.bar {
            Some(bar) => bar.suspend(|| report(line)),
            None => report(line),
        }
    }

    /// Prints an informative message.
    pub(crate) fn note(&self, line: &str) {
        if !self.is_quiet {
            self.say(line);
        }
    }

    /// Says how many lines of the list repeat earlier ones.
    pub(crate) fn note_repeated(&self, lines: usize) {
        match lines {
            0 => {}
            1 => self.note("1 line of the list repeats an earlier one."),
            _ => self.note(&format!("{lines} lines of the list repeat earlier ones.")),
        }
    }

    /// Prints the cost of the run.
    pub(crate) fn end(&self, client: &Client) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.is_metered
            && let Some(bill) = money::bill(client)
        {
            self.note(&bill);
        }
    }
}
