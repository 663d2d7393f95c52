//! `--settle`: settles what a call of a journal has at risk, by hand.

use clap::{Arg, ArgMatches};
use generated_client::Credits;
use generated_client::journal::Journal;
use generated_client::values::website;

use crate::ended::Ended;
use crate::money::{bill_of, credits};
use crate::options::value;
use crate::report::report;
use crate::visible::visible;

/// How many calls at risk a message names.
const NAMED: usize = 20;

/// Returns the option. `name`: the value that names a call.
pub(crate) fn option(name: &'static str, help: &'static str) -> Arg {
    let option = value("settle", name, help);
    if cfg!(feature = "redis") {
        let help = format!(
            "{help}. It settles the journal alone: a program settles the call of an account, by `Account::settle`"
        );
        option.help(help)
    } else {
        option
    }
}

/// Settles the call that the option names, if it is given, and reports the sums of the journal. `split`: splits an input into the name by which
/// the option asks for it, and the rest.
pub(crate) fn settle(
    journal: &Journal,
    options: &ArgMatches,
    split: fn(&str) -> (&str, &str),
) -> Option<Result<(), Ended>> {
    let given = options.try_get_one::<String>("settle").ok().flatten()?;
    let settled = settle_call(journal, given, split);
    Some(settled.map(|()| {
        let mut usage = journal.usage();
        let budget = options.try_get_one::<Credits>("budget").ok().flatten();
        usage.limit = budget.copied();
        report(&bill_of(&usage));
    }))
}

fn settle_call(
    journal: &Journal,
    given: &str,
    split: fn(&str) -> (&str, &str),
) -> Result<(), Ended> {
    // A single call has no input.
    let (name, charged) = given.rsplit_once('=').unwrap_or(("", given));
    let charged: Credits = charged.parse().map_err(|error| {
        Ended::Usage(format!(
            "`--settle {}`: {error}; a number of credits follows the last `=`",
            visible(given)
        ))
    })?;
    let lost = journal.at_risk();
    let named = lost.iter().find(|(input, _)| split(input).0 == name);
    let found = named.or_else(|| {
        let website = website(name)?;
        lost.iter().find(|(input, _)| *input == website)
    });
    let is_settled = match found {
        Some((input, _)) => journal.settle(input, charged)?,
        None => false,
    };
    if !is_settled {
        return Err(Ended::Usage(not_at_risk(&lost, name, split)));
    }
    report(&format!(
        "settled: {} was charged {}",
        quoted(name),
        credits(charged)
    ));
    Ok(())
}

fn quoted(name: &str) -> String {
    match name {
        "" => "the call".to_owned(),
        name => format!("`{}`", visible(name)),
    }
}

fn not_at_risk(lost: &[(String, Credits)], name: &str, split: fn(&str) -> (&str, &str)) -> String {
    let name = quoted(name);
    if lost.is_empty() {
        return format!("{name} has nothing at risk, and no other call has");
    }
    let mut message = format!("{name} has nothing at risk; ");
    message.push_str(&match lost.len() {
        1..=NAMED => "these calls have:".to_owned(),
        count => format!("{count} calls have, the first {NAMED} are:"),
    });
    for (input, amount) in lost.iter().take(NAMED) {
        let (name, rest) = split(input);
        let name = if name.is_empty() { "the call" } else { name };
        let call = format!("{name} {rest}");
        message.push_str(&format!(
            "\n  {} ({})",
            visible(call.trim_end()),
            credits(*amount)
        ));
    }
    message
}
