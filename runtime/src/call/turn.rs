//! The turn of an attempt: it waits for the end of a cool-down, for the budgets, and for a place among the calls in flight.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::account::{Denial, Hold, Label};
use crate::call::engine::Engine;
use crate::call::limiter::Slot;
use crate::call::prices::{KnownPrice, Line};
use crate::document::api::Operation;
use crate::error::{AccountUnavailable, BudgetExceeded, DeadlineExceeded, Delay, Error};
use crate::money::credits::Credits;
use crate::money::ledger::{Amount, BudgetError, Reservation};
use crate::money::spend::SpendEvent;
use crate::request::request::Request;
use crate::response::history::CallHistory;

/// How often a call looks whether the cool-down of the account is over.
const LOOK: Duration = Duration::from_millis(250);

/// What an attempt holds while it runs. The fields are dropped in this order.
pub(super) struct AttemptPermit<'a> {
    pub(super) reservation: Reservation,
    /// Of the account, if there is one.
    pub(super) hold: Option<Hold>,
    pub(super) permit: Slot<'a>,
    pub(super) known: KnownPrice,
}

impl Engine {
    /// Waits for the end of a cool-down, for the budgets, and for a permit. It holds no permit while it waits for the first two.
    pub(super) async fn turn(
        &self,
        request: &Request,
        line: &Line,
        deadline: Instant,
        course: &CallHistory,
    ) -> Result<AttemptPermit<'_>, Error> {
        let operation = request.operation();
        let postponed = |delay| DeadlineExceeded::new(operation, course.clone(), delay);
        loop {
            match &self.account {
                Some(account) => {
                    let (ended, pause) = account.cool_down();
                    self.pace.follow(ended, pause);
                    // A process may end the cool-down of the account.
                    let Ok(ready) = timeout(LOOK, self.pace.ready(deadline)).await else {
                        continue;
                    };
                    ready
                }
                None => self.pace.ready(deadline).await,
            }
            .map_err(postponed)?;
            self.learn_price(line);
            let known = self.known_price(line, request);
            let reservation = timeout_at(deadline, self.ledger.reserve(known.ask()))
                .await
                .map_err(|_| postponed(Delay::Budget))?
                .map_err(|error| self.refused(operation, course, error))?;
            let hold = self.hold(operation, line, known.ask(), deadline, course);
            let hold = timeout_at(deadline, hold).await;
            let hold = match hold.map_err(|_| postponed(Delay::Budget))? {
                Ok(hold) => hold,
                Err(Denial::CoolingDown(pause)) => {
                    self.pace.cool_down(pause);
                    drop(reservation);
                    // This client may wait for less than the account does.
                    sleep(pause.min(LOOK)).await;
                    continue;
                }
                Err(Denial::Budget(error)) => {
                    return Err(self.refused(operation, course, error).into());
                }
                Err(Denial::Store(error)) => {
                    return Err(AccountUnavailable::new(operation, course.clone(), error).into());
                }
            };
            self.learn_price(line);
            let permit = self.pace.permit(deadline).await.map_err(postponed)?;
            // Meanwhile another call may have started a cool-down or observed a new price; then wait again.
            if let Some(permit) = permit
                && self.known_price(line, request).ask() == known.ask()
            {
                return Ok(AttemptPermit {
                    reservation,
                    hold,
                    permit,
                    known,
                });
            }
        }
    }

    /// Sets the amount aside in the account, if there is one.
    async fn hold(
        &self,
        operation: &Operation,
        line: &Line,
        amount: Amount,
        deadline: Instant,
        course: &CallHistory,
    ) -> Result<Option<Hold>, Denial> {
        let Some(account) = &self.account else {
            return Ok(None);
        };
        let label = Label {
            operation: operation.id.to_owned(),
            attempt: course.attempts.saturating_add(1),
            request_id: None,
        };
        let left = deadline.saturating_duration_since(Instant::now());
        account
            .hold(amount, line.name(), label, left)
            .await
            .map(Some)
    }

    /// The price to reserve.
    pub(crate) fn known_price(&self, line: &Line, request: &Request) -> KnownPrice {
        match self.api.is_metered {
            true => self.prices.known(line, request),
            false => KnownPrice::Observed(Credits::ZERO),
        }
    }

    fn refused(
        &self,
        operation: &'static Operation,
        course: &CallHistory,
        error: BudgetError,
    ) -> Box<BudgetExceeded> {
        self.observe(operation, SpendEvent::Refused);
        BudgetExceeded::new(operation, course.clone(), error)
    }

    /// Takes over a price that another process saw.
    fn learn_price(&self, line: &Line) {
        if let Some(account) = &self.account
            && let Some(price) = line.name().and_then(|name| account.price_of(&name))
        {
            self.prices.learn(line, price);
        }
    }
}
