//! The cost of all calls of a list together, for people and for programs.

use std::time::SystemTime;

use generated_client::money::BatchQuote;
use serde_json::{Value, json};

use crate::money::credits;

/// Describes the quote of a list.
pub(crate) fn text(quote: &BatchQuote) -> String {
    let stored = match quote.stored {
        0 => String::new(),
        1 => "1 input is answered by a stored response. ".to_owned(),
        stored => format!("{stored} inputs are answered by stored responses. "),
    };
    let unanswered = match quote.unanswered {
        0 => String::new(),
        1 => "1 input has no stored response, and nothing is sent for it. ".to_owned(),
        many => format!("{many} inputs have no stored response, and nothing is sent for them. "),
    };
    let Some(at_most) = quote.at_most else {
        return format!("{stored}{unanswered}What all calls cost together is unknown.\n");
    };
    let inputs = quote.to_call();
    let budget = match quote.left {
        None => String::new(),
        Some(left) if quote.fit == inputs => format!(", of {} that are left", credits(left)),
        Some(left) => format!(
            ", of {} that are left: {} of {inputs} inputs fit",
            credits(left),
            quote.fit
        ),
    };
    format!(
        "{stored}{unanswered}All calls together cost {} at most{budget}.\n",
        credits(at_most)
    )
}

/// Returns the quote as JSON. `repeated`: lines of the list that repeat another one. `done`: inputs that need no call, as the journal says.
/// `held`: those that are called on demand only.
pub(crate) fn json(quote: &BatchQuote, repeated: usize, done: usize, held: usize) -> Value {
    let age = quote.oldest.map(|oldest| {
        let age = SystemTime::now().duration_since(oldest);
        age.unwrap_or_default().as_secs()
    });
    json!({
        "inputs": quote.inputs,
        "repeats": repeated,
        "done": done,
        "held": held,
        "stored": quote.stored,
        "oldest_stored_seconds": age,
        "unanswered": quote.unanswered,
        "to_call": quote.to_call(),
        "calls": quote.calls,
        "at_most": quote.at_most,
        "left": quote.left,
        "fit": quote.fit,
    })
}
