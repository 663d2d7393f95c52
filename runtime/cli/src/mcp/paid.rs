//! Paid calls of agents, by their names in the journal: number, tool and arguments.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use generated_client::money::Quote;
use generated_client::paging::Position;
use generated_client::{Client, Credits, Error};
use rmcp::model::CallToolResult;
use serde_json::{Map, Value};

use super::answer::{failure, refusal};
use super::call::{Ready, ready};
use super::kept::Kept;
use super::session::Session;
use crate::money::{Begun, Journal, JournalError, credits, ways_out};
use crate::table::Command;

/// Returns the highest cost of a tool call; `None` if its price is unknown. Sends nothing.
pub(super) fn at_most(
    session: &Session,
    command: &'static Command,
    given: &Map<String, Value>,
) -> Result<Option<Credits>, Box<CallToolResult>> {
    Ok(quote(&ready(&session.client, command, given, None)?).at_most)
}

/// Makes a call that may cost something: one that does is noted before it is sent, and kept before it is returned.
pub(super) async fn make(
    session: &Session,
    command: &'static Command,
    given: Map<String, Value>,
    from: Option<Position>,
) -> Result<CallToolResult, Box<CallToolResult>> {
    // It counts what this call alone costs.
    let client = session.client.scoped(None);
    let mut call = ready(&client, command, &given, from.as_ref())?;
    let is_free = quote(&call).at_most == Some(Credits::ZERO);
    let window = call.call.window(false);
    let mut begun = None;
    let mut key = None;
    if !is_free {
        let name = format!("{} {}", command.name, Value::Object(given.clone()));
        let paid = begin(session, &client, &name, window.flatten());
        let paid = paid.map_err(refusal)?;
        call = ready(paid.client(), command, &given, from.as_ref())?;
        key = paid.key(window).map_err(not_sent)?;
        begun = Some(paid);
    }
    let mut kept = call.kept(command, given);
    let sent = call.send(key.as_ref(), command, &mut kept, true);
    let failed = sent.await.err();
    let own = client.budget().usage();
    kept.cost = begun.is_some().then(|| match own.at_risk {
        Credits::ZERO => credits(own.spent),
        _ => format!("{}, and more may have been billed", credits(own.spent)),
    });
    let kept = Arc::new(kept);
    let (id, noted) = match (&begun, &failed) {
        (begun, Some(error)) if kept.records.is_empty() => {
            let noted = begun.as_ref().map(|begun| begun.failed_once(error));
            (None, noted.unwrap_or(Ok(())))
        }
        (Some(begun), _) => {
            let body = serde_json::to_vec(&*kept).unwrap_or_default();
            (Some(number(begun.input()).to_string()), begun.paid(&body))
        }
        (None, _) => (Some(session.remember(Arc::clone(&kept))), Ok(())),
    };
    let warning = match noted {
        Ok(()) => String::new(),
        Err(error) => format!("{error}. No further paid call is made.\n"),
    };
    let lost_key = begun.filter(|_| failed.is_some());
    let lost_key = lost_key.and_then(|begun| begun.lost_key(window.flatten()));
    Ok(session.told(failed, lost_key.is_some(), &kept, id, warning))
}

/// Returns a paid result, by its id.
pub(super) fn kept_by_journal(
    session: &Session,
    id: &str,
) -> Result<Option<Arc<Kept>>, JournalError> {
    let Ok(wanted) = id.parse::<u64>() else {
        return Ok(None);
    };
    let inputs = session.journal.responses();
    let Some(input) = inputs.iter().find(|input| number(input) == wanted) else {
        return Ok(None);
    };
    let body = session.journal.response(input)?.unwrap_or_default();
    Ok(serde_json::from_slice(&body).ok().map(Arc::new))
}

/// Returns what a failed call means for the budget: what is left, and the options that help. `has_key`: the service remembers its
/// idempotency key.
pub(super) fn advice(session: &Session, error: &Error, has_key: bool) -> String {
    let mut text = String::new();
    if has_key {
        text.push_str(" A call with the same arguments is the same work, and is paid for once.");
    }
    let left = session.left();
    // The message of a used-up budget has it.
    if let Some(left) = left.as_ref().filter(|_| error.budget().is_none()) {
        text.push_str(&format!(" The budget has {left} left."));
    }
    let settle = "--journal FILE --settle ID=CREDITS";
    let mut ways = ways_out(&session.client, error, session.has_file.then_some(settle));
    if error
        .budget()
        .is_some_and(|refused| refused.frozen.is_none())
    {
        let stays = if session.has_file {
            "; what is in `--journal` stays paid"
        } else {
            ""
        };
        ways.push(format!(
            "A greater `--budget` or account allows more calls{stays}."
        ));
    }
    if !ways.is_empty() {
        // An agent cannot set an option.
        let ways = ways.join(" ");
        text.push_str(&format!("\nFor the person who runs this server: {ways}"));
    }
    text
}

fn quote(ready: &Ready) -> Quote {
    let client = &ready.call.client;
    match &ready.page {
        Some(source) => client.quote(&source.request()),
        None => client.quote(&ready.call.request),
    }
}

fn not_sent(error: JournalError) -> Box<CallToolResult> {
    Box::new(failure(&format!("Nothing was sent: {error}")))
}

/// Returns the number of the latest paid call, also of earlier servers with the same journal.
pub(super) fn latest(journal: &Journal) -> u64 {
    let inputs = journal.unsure().into_iter().chain(journal.responses());
    let numbers = inputs.map(|input| number(&input));
    numbers.max().unwrap_or_default()
}

/// Begins the call of a tool: a lost one with the same arguments, if the service certainly remembers its idempotency key, or a new one.
pub(super) fn begin(
    session: &Session,
    client: &Client,
    call: &str,
    window: Option<Duration>,
) -> Result<Begun, JournalError> {
    let journal = &session.journal;
    for input in journal.unsure() {
        let is_same = input.split_once(' ').is_some_and(|(_, of)| of == call);
        // One in flight cannot begin.
        if is_same
            && let Ok(begun) = journal.begin(&input, client)
            && begun.lost_key(window).is_some()
        {
            return Ok(begun);
        }
    }
    let number = session.paid.fetch_add(1, Ordering::Relaxed);
    let input = format!("{:06} {call}", number.saturating_add(1));
    journal.begin(&input, client)
}

/// Returns the number of a call, by its input in the journal.
pub(super) fn number(input: &str) -> u64 {
    let (number, _) = input.split_once(' ').unwrap_or_default();
    number.parse().unwrap_or_default()
}
