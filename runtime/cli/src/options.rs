//! Options that several commands have.

use clap::{Arg, ArgAction};

/// The heading of the options that all operations have.
const RUN: &str = "Run";

/// Returns an option with a value.
pub(crate) fn value(name: &'static str, value_name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value_name)
        .help(help)
        .help_heading(RUN)
}

/// Returns an option without a value.
pub(crate) fn flag(name: &'static str, help: &'static str) -> Arg {
    let arg = Arg::new(name).long(name).help(help).help_heading(RUN);
    arg.action(ArgAction::SetTrue)
}

/// Returns the options for the connection to the service.
pub(crate) fn service() -> [Arg; 3] {
    [
        value("base-url", "URL", "The address of the API, instead of that in the environment"),
        // Few documents have it, and the error of a call that needs it names it.
        value("server", "URL[=URL]", "Allow the separate server of an operation: `URL` from the document; with `=URL`, call that one instead. Credentials may be sent there")
            .action(ArgAction::Append)
            .hide_short_help(true),
        value("key-file", "FILE", "A file that holds the key, instead of the environment"),
    ]
}
