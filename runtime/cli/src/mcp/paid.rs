//! Paid calls of agents, by their names in the journal: number, tool and arguments.

use std::sync::atomic::Ordering;
use std::time::Duration;

use generated_client::Client;
use generated_client::journal::{Begun, Journal, JournalError};

use super::session::Session;

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
