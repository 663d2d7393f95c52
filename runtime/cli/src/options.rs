//! Options that several commands have.

use clap::{Arg, ArgAction, value_parser};
use generated_client::Credits;
use generated_client::StatusCode;

/// Returns an option with a value.
pub(crate) fn value(name: &'static str, value_name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value_name)
        .help(help)
        .help_heading("Run")
}

/// Returns an option without a value.
pub(crate) fn flag(name: &'static str, help: &'static str) -> Arg {
    let arg = Arg::new(name).long(name).help(help).help_heading("Run");
    arg.action(ArgAction::SetTrue)
}

/// Returns the options for the connection to the service.
pub(crate) fn service() -> [Arg; 3] {
    [
        value("base-url", "URL", "The address of the API, instead of that in the environment"),
        // Few documents have it, and the error of a call that needs it names it.
        value("server", "URL[=URL]", "Allow the separate server of an operation: `URL` from the document; with `=URL`, call that one instead. Credentials may be sent there")
            .action(ArgAction::Append)
            .hide(true),
        value("key-file", "FILE", "A file that holds the key, instead of the environment"),
    ]
}

/// Returns the options that bound what calls cost.
pub(crate) fn money() -> [Arg; 3] {
    let budget = value(
        "budget",
        "CREDITS",
        "Maximum cost of all calls of the run together, a hard limit",
    );
    let price = value(
        "assume-price",
        "CREDITS",
        "The highest price of a call without a documented price. Each such call reserves this much, instead of an estimate from seen and documented prices",
    );
    let unbilled = value(
        "unbilled",
        "STATUS",
        "A status code that the provider does not bill, such as 404, or several separated by commas. Without it, a call with this status puts its price at risk, unless the response reports its cost",
    );
    [
        budget.value_parser(value_parser!(Credits)),
        price.value_parser(value_parser!(Credits)),
        unbilled
            .value_parser(status)
            .value_delimiter(',')
            .action(ArgAction::Append),
    ]
}

/// Reads a status code that a response can have.
fn status(text: &str) -> Result<StatusCode, String> {
    let code = text
        .parse::<u16>()
        .ok()
        .filter(|code| (200..600).contains(code));
    let status = code.and_then(|code| StatusCode::from_u16(code).ok());
    status.ok_or_else(|| "expected a status code from 200 to 599, such as 404".to_owned())
}
