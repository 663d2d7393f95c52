//! Shows the progress and the cost of a run, on stderr and only on a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::report::report;
use crate::said::credits;
use generated_client::money::Usage;

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
    pub(crate) fn one(&self, usage: &Usage) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            if self.is_metered {
                bar.set_message(spent(usage));
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

    /// Prints the cost of the run.
    pub(crate) fn end(&self, usage: &Usage) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if usage.calls > 0 {
            self.note(&if self.is_metered {
                bill(usage)
            } else {
                calls(usage)
            });
        }
    }
}

fn spent(usage: &Usage) -> String {
    let spent = format!("{} spent", credits(usage.spent));
    let at_risk = match usage.at_risk.micros() {
        0 => String::new(),
        _ => format!(", {} at risk", usage.at_risk),
    };
    let left = usage.limit.map(|limit| {
        let used = [usage.spent, usage.reserved, usage.at_risk];
        let used = used
            .iter()
            .fold(0_u64, |sum, one| sum.saturating_add(one.micros()));
        let left = limit.micros().saturating_sub(used);
        format!(", {} left", generated_client::Credits::from_micros(left))
    });
    spent + &at_risk + &left.unwrap_or_default()
}

/// Describes the cost of calls in one line.
pub(crate) fn bill(usage: &Usage) -> String {
    format!("{}: {}", calls(usage), spent(usage))
}

fn calls(usage: &Usage) -> String {
    match usage.calls {
        1 => "1 call".to_owned(),
        calls => format!("{calls} calls"),
    }
}
