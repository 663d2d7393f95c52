//! What the calls of a list would cost together.

use generated_client::{Client, Credits};

use crate::call::Call;
use crate::ended::Ended;
use crate::money::credits;

/// The calls of a list, before the first one is made.
pub(crate) struct Plan<'a> {
    client: &'a Client,
    inputs: usize,
    /// How many inputs a stored response answers.
    stored: usize,
    /// The sum; `None` if a price is unknown.
    at_most: Option<Credits>,
    /// How many inputs the budget has room for, from the first one on.
    fit: usize,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        Self {
            client,
            inputs: 0,
            stored: 0,
            at_most: Some(Credits::ZERO),
            fit: 0,
        }
    }

    /// Adds the calls of an input; `calls` is their number, if that is known.
    pub(crate) async fn add(&mut self, call: &Call, calls: Option<u64>) -> Result<(), Ended> {
        #[cfg(feature = "cache")]
        {
            let stored = self.client.stored_at(&call.request).await;
            let stored = stored.map_err(|error| Ended::of(&error, true))?;
            // Of several pages, the first one says nothing of the others.
            if stored.is_some() && calls == Some(1) {
                self.stored = self.stored.saturating_add(1);
                return Ok(());
            }
        }
        self.inputs = self.inputs.saturating_add(1);
        let cost = self.client.quote_calls(&call.request, calls).at_most;
        let sum = self.at_most.zip(cost);
        let sum = sum.map(|(sum, cost)| sum.micros().saturating_add(cost.micros()));
        self.at_most = sum.map(Credits::from_micros);
        let left = self.client.budget().left();
        let has_room = |sum| left.is_none_or(|left| sum <= left);
        if self.at_most.is_some_and(has_room) {
            self.fit = self.inputs;
        }
        Ok(())
    }

    /// Describes them.
    pub(crate) fn text(&self) -> String {
        let stored = match self.stored {
            0 => String::new(),
            1 => "1 input is answered by a stored response. ".to_owned(),
            stored => format!("{stored} inputs are answered by stored responses. "),
        };
        let Some(at_most) = self.at_most else {
            return format!("{stored}What all calls cost together is unknown.\n");
        };
        let budget = match self.client.budget().left() {
            None => String::new(),
            Some(left) if self.fit == self.inputs => {
                format!(", of {} that are left", credits(left))
            }
            Some(left) => format!(
                ", of {} that are left: {} of {} inputs fit",
                credits(left),
                self.fit,
                self.inputs
            ),
        };
        format!(
            "{stored}All calls together cost {} at most{budget}.\n",
            credits(at_most)
        )
    }
}
