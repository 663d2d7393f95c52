//! How a run ends, for people and for scripts.

use std::collections::BTreeSet;
use std::fmt;
use std::io;

use crate::money;
use crate::notes::Left;
use crate::said::said;
use crate::visible::visible;
use generated_client::Error;
use generated_client::error::ConfigurationError;

/// Why a run ends early. Each has an exit code.
#[derive(Debug)]
pub(crate) enum Ended {
    /// A call failed, or some of a list did.
    Failed(String),
    /// Wrong usage: nothing was sent.
    Usage(String),
    /// The budget is used up, or the balance of the account.
    Budget(String),
    /// The response could not be written.
    Output(String),
    /// A signal, or a closed output.
    Stopped(String),
}

impl Ended {
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::Budget(_) => 3,
            Self::Output(_) => 4,
            Self::Stopped(_) => 130,
        }
    }

    /// Returns whether further calls are pointless.
    pub(crate) fn is_final(&self) -> bool {
        !matches!(self, Self::Failed(_))
    }

    /// Adds the options that help, each as a sentence.
    pub(crate) fn with_ways_out(mut self, ways: &BTreeSet<String>) -> Self {
        for way in ways {
            self.message().push_str(&format!("\n{way}"));
        }
        self
    }

    /// Adds the option that allows a single call.
    pub(crate) fn with_greater_budget(mut self) -> Self {
        if let Self::Budget(message) = &mut self {
            message.push_str("\nA greater `--budget`, or a greater balance, allows it.");
        }
        self
    }

    /// Adds advice on how to continue. `left`: from the journal file, if there is one.
    pub(crate) fn with_advice(mut self, left: Option<Left<'_>>, is_metered: bool) -> Self {
        let go_on = match (&self, &left) {
            (Self::Usage(_), _) => return self,
            (_, Some(left)) if left.open.is_empty() => "",
            (Self::Budget(_), Some(_)) => {
                "\nWith a greater `--budget`, or a greater balance, the same command goes on from its journal."
            }
            (_, Some(_)) if is_metered => {
                "\nThe same command goes on from its journal, and pays for nothing twice."
            }
            (_, None) if is_metered => {
                "\nA run with `--resume FILE` and `--budget CREDITS` can go on where it ended."
            }
            _ => "",
        };
        let held = left.map_or(0, |left| left.held.len());
        let message = self.message();
        if held > 0 {
            message.push_str(&format!(
                "\n`--again` also repeats {UNSURE}: {held} so far."
            ));
        }
        message.push_str(go_on);
        self
    }

    fn message(&mut self) -> &mut String {
        match self {
            Self::Failed(message)
            | Self::Usage(message)
            | Self::Budget(message)
            | Self::Output(message)
            | Self::Stopped(message) => message,
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Stopped("output closed (broken pipe)".to_owned()),
            _ => Self::Output(format!("the output cannot be written: {error}")),
        }
    }
}

impl Ended {
    /// Returns the end of a run by a failed call.
    pub(crate) fn of(error: &Error, is_metered: bool) -> Self {
        let mut message = said(error, is_metered);
        if let Error::Configuration(ConfigurationError::OwnServer { server, .. }) = error.of_call()
        {
            message.push_str(&format!("\nOn the command line, use `--server {server}`."));
        }
        match error.of_call() {
            _ if money::is_used_up(error) => Self::Budget(message),
            Error::Configuration(_) | Error::Argument(_) | Error::Credential(_) => {
                Self::Usage(message)
            }
            _ => Self::Failed(message),
        }
    }

    /// Names the input whose call ended the run.
    pub(crate) fn of_input(mut self, input: &str) -> Self {
        let message = self.message();
        *message = format!("{}: {message}", visible(input));
        self
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message)
            | Self::Usage(message)
            | Self::Budget(message)
            | Self::Output(message)
            | Self::Stopped(message) => f.write_str(message),
        }
    }
}

/// The inputs that are called on demand only.
pub(crate) const UNSURE: &str =
    "calls that may have been billed and returned no record or only part of a page";

/// Describes the exit codes, for the end of `--help`.
pub(crate) fn exit_codes(is_metered: bool) -> String {
    let budget = if is_metered {
        "  3    the budget is used up, or the balance of the account (status 402)\n"
    } else {
        ""
    };
    format!(
        "\
Exit codes:
  0    all done
  1    a call failed; of a list, at least one
  2    wrong usage: nothing was sent
{budget}  4    the output could not be written
  130  interrupted, also by a reader that went away"
    )
}
