//! What calls cost: the options that bound it, the sentences about it, and the journal that notes it.

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use generated_client::error::BudgetError;
use generated_client::money::{Asked, PriceSource, Quote, RefusedBy, Usage};
use generated_client::{Client, ClientBuilder, Credits, Error, Outcome, StatusCode};

use crate::call::Call;
use crate::ended::Ended;
use crate::options::value;

pub(crate) use generated_client::journal::{Begun, Journal, JournalError, Run, Wanted};
pub(crate) use generated_client::money::in_credits as credits;

/// Reads the journal of a dry run; one in memory, if no file is given.
pub(crate) fn look(path: Option<&String>, run: Run) -> Result<Journal, JournalError> {
    match path {
        Some(path) => Journal::look(path, run),
        None => Ok(Journal::in_memory(run)),
    }
}

/// Opens the journal of a run; one in memory, if no file is given.
pub(crate) fn open(
    path: Option<&String>,
    run: Run,
    is_again: bool,
) -> Result<Journal, JournalError> {
    let journal = match path {
        Some(path) => Journal::open(path, run)?,
        None => Journal::in_memory(run),
    };
    Ok(journal.again(is_again))
}

impl From<JournalError> for Ended {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Unwritable { .. } => Self::Output(error.to_string()),
            JournalError::AtRisk { .. } => Self::Failed(
                "not called: an earlier call may have been billed and returned no record, and the service may have forgotten its key. `--again` calls it again.".to_owned(),
            ),
            error => Self::Usage(error.to_string()),
        }
    }
}

/// Returns whether the calls of a client cost credits.
pub(crate) fn is_metered(client: &Client) -> bool {
    client.is_metered()
}

/// Sets the options of [`options`] and the budget of a run, which its journal keeps.
pub(crate) fn bounded(
    mut builder: ClientBuilder<Client>,
    given: &ArgMatches,
    journal: &Journal,
) -> ClientBuilder<Client> {
    builder = builder.counted();
    let credits = |name| given.try_get_one::<Credits>(name).ok().flatten().copied();
    if let Some(price) = credits("assume-price") {
        builder = builder.assume_price(price);
    }
    if let Ok(Some(statuses)) = given.try_get_many::<StatusCode>("unbilled") {
        builder = builder.unbilled(statuses.copied());
    }
    builder.budget(journal.budget(credits("budget")))
}

/// Returns whether the budget is used up, or the balance of the account.
pub(crate) fn is_used_up(error: &Error) -> bool {
    // Calls of an API without prices are known to be free.
    let is_free = error.outcome() == Outcome::Unknown(Some(Credits::ZERO));
    let is_too_small = error
        .budget()
        .is_some_and(|refused| refused.frozen.is_none());
    is_too_small || (error.status() == Some(StatusCode::PAYMENT_REQUIRED) && !is_free)
}

/// Returns whether the budget refused a call of which nothing was sent.
pub(crate) fn is_refused(error: &Error) -> bool {
    error.budget().is_some() && !error.outcome().may_have_been_charged()
}

/// Says what the budget lacks that refused a call.
pub(crate) fn refusal(error: &Error) -> Option<String> {
    error.budget().map(BudgetError::facts)
}

/// Describes the billing status of the last call, which was sent.
pub(crate) fn cost(error: &Error) -> Option<String> {
    match error.outcome() {
        // The message says it.
        Outcome::NotSent | Outcome::Stored => None,
        Outcome::Rejected => Some("The call counts as not billed.".to_owned()),
        Outcome::Charged(charged) => Some(format!("The call cost {}.", credits(charged))),
        Outcome::Unknown(Some(Credits::ZERO)) => None,
        Outcome::Unknown(Some(at_risk)) => {
            let are = if at_risk == Credits::new(1) {
                "is"
            } else {
                "are"
            };
            let at_risk = credits(at_risk);
            Some(format!(
                "The call may have been billed: {at_risk} {are} at risk."
            ))
        }
        _ => Some("The call may have been billed, and its price is unknown.".to_owned()),
    }
}

/// Describes the cost of calls that are not sent; `calls` is their number, if that is known.
pub(crate) fn price_of(call: &Call, calls: Option<u64>) -> String {
    let price = price(&call.client.quote(&call.request));
    match calls {
        Some(1) => format!("The call costs {price}.\n"),
        Some(calls) => format!("{calls} calls, each of which costs {price}.\n"),
        None => format!("Each page costs {price}. The first page shows how many there are.\n"),
    }
}

/// Describes the remaining budget for people; `None` without a budget.
#[cfg(feature = "mcp")]
pub(crate) fn left(client: &Client) -> Option<String> {
    client.budget().left().map(credits)
}

/// Returns what is spent, for a bar.
pub(crate) fn spent(client: &Client) -> String {
    spent_of(&client.budget().usage())
}

/// Describes the cost of all calls of a client in one line; `None` if there were none.
pub(crate) fn bill(client: &Client) -> Option<String> {
    let usage = client.budget().usage();
    (usage.calls > 0 || usage.saved > Credits::ZERO).then(|| bill_of(&usage))
}

fn price(quote: &Quote) -> String {
    let Some(most) = quote.at_most else {
        return "an unknown amount: a budget refuses it, unless `--assume-price` states the highest price".to_owned();
    };
    let source = match quote.source {
        PriceSource::Observed => "observed",
        PriceSource::Given => "given",
        PriceSource::Assumed => "assumed",
        PriceSource::Learned => "estimated",
        _ => "unknown",
    };
    format!("{most} credits at most, as {source}")
}

/// Returns whether something bounds the cost of calls. Without a bound, no option helps after a failure.
fn is_bounded(client: &Client) -> bool {
    #[cfg(feature = "redis")]
    let has_account = client.account().is_some();
    #[cfg(not(feature = "redis"))]
    let has_account = false;
    has_account || client.budget().usage().limit.is_some()
}

/// Returns the options that help after a failure, each as a sentence. `settle`: how a call of the journal is settled by hand, if there is one.
pub(crate) fn ways_out(client: &Client, error: &Error, settle: Option<&str>) -> Vec<String> {
    let mut ways = Vec::new();
    if !is_bounded(client) {
        return ways;
    }
    let settle = settle.map(|option| {
        format!("`{option}` settles a call at risk by hand, as the provider's account says.")
    });
    if let Some(refused) = error.budget() {
        if refused.frozen.is_some() {
            ways.push("`--thaw` with `--account NAME` ends the freeze.".to_owned());
            return ways;
        }
        if !matches!(refused.asked, Asked::Price(_)) {
            ways.push(assume_price());
        }
        // It makes no room in an account.
        let is_of_account = matches!(refused.refused_by, RefusedBy::Account(_));
        let has_room = !is_of_account && refused.at_risk > Credits::ZERO;
        ways.extend(settle.filter(|_| has_room));
        return ways;
    }
    let Outcome::Unknown(at_risk) = error.outcome() else {
        return ways;
    };
    if at_risk == Some(Credits::ZERO) {
        return ways;
    }
    if let Some(status) = error.status().filter(|status| !status.is_success()) {
        let code = status.as_u16();
        ways.push(format!(
            "If the provider does not bill responses with status {code}, `--unbilled {code}` keeps them free."
        ));
    }
    if at_risk.is_none() {
        ways.push(assume_price());
    }
    ways.extend(settle);
    ways
}

fn assume_price() -> String {
    "`--assume-price CREDITS` states the highest price of such a call, which it then reserves in place of an estimate."
        .to_owned()
}

fn spent_of(usage: &Usage) -> String {
    let spent = format!("{} spent", credits(usage.spent));
    let at_risk = match usage.at_risk {
        Credits::ZERO => String::new(),
        at_risk => format!(", {at_risk} at risk"),
    };
    let saved = match usage.saved {
        Credits::ZERO => String::new(),
        saved => format!(", {saved} saved"),
    };
    let left = usage.limit.map(|limit| {
        let used = usage.spent + usage.reserved + usage.at_risk;
        let left = limit.checked_sub(used).unwrap_or_default();
        format!(", {left} left")
    });
    spent + &at_risk + &saved + &left.unwrap_or_default()
}

/// Describes the cost of calls in one line.
pub(crate) fn bill_of(usage: &Usage) -> String {
    format!("{}: {}", calls(usage), spent_of(usage))
}

fn calls(usage: &Usage) -> String {
    match usage.calls {
        1 => "1 call".to_owned(),
        calls => format!("{calls} calls"),
    }
}

/// Returns the options that bound what calls cost.
pub(crate) fn options() -> [Arg; 3] {
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
