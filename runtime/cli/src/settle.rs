//! `--settle`: settles what a call of a journal has at risk, by hand.

use clap::{Arg, ArgMatches};
use metered_client::Credits;
use metered_client::journal::Journal;

use crate::ended::Ended;
use crate::options::value;
use crate::progress::bill;
use crate::report::report;
use crate::visible::visible;

/// How many calls at risk a message names.
const NAMED: usize = 20;

/// Returns the option. `name`: the value that names a call.
pub(crate) fn option(name: &'static str, help: &'static str) -> Arg {
    value("settle", name, help)
}

/// Settles the call that the option names, if it is given, and reports the sums of the journal. `find`: the input of the call with this name.
pub(crate) fn settle(
    journal: &Journal,
    options: &ArgMatches,
    find: impl Fn(&str) -> String,
) -> Option<Result<(), Ended>> {
    let given = options.try_get_one::<String>("settle").ok().flatten()?;
    let budget = options.try_get_one::<Credits>("budget").ok().flatten();
    Some(settle_call(journal, given, budget.copied(), find))
}

fn settle_call(
    journal: &Journal,
    given: &str,
    budget: Option<Credits>,
    find: impl Fn(&str) -> String,
) -> Result<(), Ended> {
    // A single call has no input.
    let (name, credits) = given.rsplit_once('=').unwrap_or(("", given));
    let charged: Credits = credits.parse().map_err(|error| {
        Ended::Usage(format!(
            "`--settle {}`: {error}; a number of credits follows the last `=`",
            visible(given)
        ))
    })?;
    let input = find(name);
    if !journal.settle(&input, charged)? {
        return Err(Ended::Usage(not_at_risk(journal, name)));
    }
    let name = match name {
        "" => "the call".to_owned(),
        name => format!("`{}`", visible(name)),
    };
    report(&format!("settled: {name} was charged {charged} credits"));
    let mut usage = journal.usage();
    usage.limit = budget;
    report(&bill(&usage));
    Ok(())
}

fn not_at_risk(journal: &Journal, name: &str) -> String {
    let lost = journal.at_risk();
    let named = lost.iter().take(NAMED);
    let named: Vec<String> = named
        .map(|(input, amount)| format!("\n  {} ({amount} credits)", visible(input)))
        .collect();
    let name = visible(name);
    match lost.len() {
        0 => format!("`{name}` has nothing at risk, and no other call has"),
        1..=NAMED => format!(
            "`{name}` has nothing at risk; these calls have:{}",
            named.concat()
        ),
        count => format!(
            "`{name}` has nothing at risk; {count} other calls have, the first are:{}",
            named.concat()
        ),
    }
}
