//! The meter: the ledger, the account and the prices that the calls of a client share.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use generated_client::StatusCode;
use generated_client::document::{Api, Operation};
use generated_client::interceptor::{Admission, Denial, Interceptor, NextAttempt, SharedPause};
use generated_client::request::Request;
use generated_client::transport::BoxFuture;
use tokio::time::{Instant, timeout_at};

use super::admitted::{Admitted, Correction, Reserved};
use super::prices::{KnownPrice, Line, PriceBook, StatedPrices};
use super::refusal::AccountUnavailable;
use crate::account::store::Forget;
use crate::account::{Account, AccountReservation, Label, Wanted};
use crate::money::credits::Credits;
use crate::money::ledger::{BudgetError, Ledger, Reservation, Selected};
use crate::money::quote::PriceSource;
use crate::money::spend::{Observer, Spend, SpendEvent};

/// The wait during which the deadline of a call may expire.
const WAITING: &str = "room in the budget";

/// Meters the calls of a client. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Meter(Arc<Settings>);

#[derive(Clone)]
pub struct Settings {
    /// The member of a response that reports what the call cost, where its operation names no other.
    charge: Option<&'static str>,
    pub(crate) stated: StatedPrices,
    /// Status codes that the caller declared unbilled.
    pub(crate) unbilled: Vec<StatusCode>,
    prices: Arc<PriceBook>,
    pub(crate) ledger: Ledger,
    /// Further budgets that the calls of an operation draw on, by its id.
    pub(crate) budgets: HashMap<String, Ledger>,
    /// The account that all processes share.
    pub(crate) account: Option<Account>,
    pub(crate) observers: Vec<Observer>,
    /// What the calls are for, in a journal.
    pub(crate) input: Option<Arc<str>>,
    /// Every call is free, of an API that charges for none.
    is_free: bool,
}

/// Makes the meter of an API. `charge`: the top-level member of a response that reports what the call cost, if all operations that have one
/// share it. `dearest`: the highest price in the document, of any operation. For generated code.
pub fn meter(charge: Option<&'static str>, dearest: Option<Credits>) -> Arc<dyn Interceptor> {
    Arc::new(Meter::new(charge, dearest, false))
}

impl Settings {
    pub(crate) fn prices(&self) -> &PriceBook {
        &self.prices
    }
}

impl Meter {
    pub(crate) fn new(
        charge: Option<&'static str>,
        dearest: Option<Credits>,
        is_free: bool,
    ) -> Self {
        Self(Arc::new(Settings {
            charge,
            stated: StatedPrices {
                dearest,
                ..StatedPrices::default()
            },
            unbilled: Vec::new(),
            prices: Arc::default(),
            ledger: Ledger::unlimited(),
            budgets: HashMap::new(),
            account: None,
            observers: Vec::new(),
            input: None,
            is_free,
        }))
    }

    /// Makes the meter of an API that names none. Without any interceptor it charges for no call, and the meter only counts. With another one
    /// it may charge, and all prices are unknown.
    pub(crate) fn without(api: &Api) -> Self {
        Self::new(None, None, api.interceptor.is_none())
    }

    /// Changes the settings of a meter that no client has yet, or of a copy.
    pub(crate) fn settings(&mut self) -> &mut Settings {
        Arc::make_mut(&mut self.0)
    }

    pub(crate) fn is_free(&self) -> bool {
        self.0.is_free
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.0.ledger
    }

    /// Returns the budget that the calls of an operation use beside the ledger.
    pub(super) fn budget_of(&self, operation: &Operation) -> Option<&Ledger> {
        self.0.budgets.get(operation.id)
    }

    pub(crate) fn account(&self) -> Option<&Account> {
        self.0.account.as_ref()
    }

    pub(crate) fn prices(&self) -> &PriceBook {
        &self.0.prices
    }

    pub(super) fn charge(&self) -> Option<&'static str> {
        self.0.charge
    }

    pub(super) fn unbilled(&self) -> &[StatusCode] {
        &self.0.unbilled
    }

    /// Returns what is known of the price of a call.
    pub(crate) fn known_price(&self, line: &Line, request: &Request) -> KnownPrice {
        if self.0.is_free {
            KnownPrice::exactly(PriceSource::Observed, Credits::ZERO)
        } else {
            self.prices().known(line, request, &self.0.stated)
        }
    }

    /// Calls the observers.
    pub(super) fn observe(&self, operation: &Operation, event: SpendEvent) {
        for observer in &self.0.observers {
            observer(Spend {
                operation: operation.id,
                event,
            });
        }
    }

    /// Adopts the price that another process saw. If there is none, it is estimated from other prices of the operation.
    fn learn_price(&self, line: &Line) {
        let Some(account) = self.account() else {
            return;
        };
        let Some(name) = line.name() else {
            return;
        };
        let seen = match account.price_of(&name) {
            Some(price) => vec![(name, price)],
            None => account.prices_of(line.operation().id),
        };
        let mut is_news = false;
        for (name, price) in seen {
            if let Some((_, arguments)) = name.split_once('?') {
                let operation = Cow::Borrowed(line.operation().id);
                is_news |= self.prices().learn(operation, arguments, price);
            }
        }
        if is_news {
            self.reprice(line.operation());
        }
    }

    /// Reprices lost calls of this operation whose price was unknown when they were made.
    pub(super) fn reprice(&self, operation: &'static Operation) {
        for ledger in [self.ledger()].into_iter().chain(self.budget_of(operation)) {
            let selected = Selected::OfOperation(operation.id);
            ledger.reprice(selected, |arguments| self.at_risk(operation, arguments));
        }
    }

    /// Returns what a lost call has at risk by now.
    pub(super) fn at_risk(
        &self,
        operation: &'static Operation,
        arguments: &str,
    ) -> Option<Credits> {
        #[cfg(test)]
        COMPUTED.set(COMPUTED.get() + 1);
        let dearest = self.0.stated.dearest;
        self.prices().at_risk(operation, arguments, dearest)
    }

    /// Waits for the budgets.
    async fn reserve(&self, next: NextAttempt<'_>) -> Result<Admitted, Denial> {
        self.ledger().check().map_err(|cause| Denial::Refused {
            cause,
            kind: "journal",
            is_retryable: false,
        })?;
        let line = Line::of(next.request);
        self.learn_price(&line);
        let known = self.known_price(&line, next.request);
        let mut reservation = self.reserve_in(self.ledger(), next, known).await?;
        // Always after the ledger: two calls never wait for each other.
        let mut of_operation = match self.budget_of(next.request.operation()) {
            None => None,
            Some(budget) => Some(self.reserve_in(budget, next, known).await?),
        };
        let in_account = timeout_at(next.deadline, self.reserve_in_account(next, &line, known))
            .await
            .map_err(|_| Denial::Late(WAITING))??;
        self.learn_price(&line);
        for reservation in [&mut reservation].into_iter().chain(&mut of_operation) {
            reservation.label(line.operation().id, next.number);
            reservation.idempotency_key(next.idempotency_key.map(str::to_owned));
            reservation.input(self.0.input.clone());
            reservation.unpriced(known.unpriced(&line));
        }
        Ok(Admitted {
            reserved: Reserved {
                reservation,
                of_operation,
                correction: Correction::default(),
                line,
                known,
                meter: self.clone(),
            },
            in_account,
        })
    }

    /// Reserves what a call needs in a ledger.
    async fn reserve_in(
        &self,
        ledger: &Ledger,
        next: NextAttempt<'_>,
        known: KnownPrice,
    ) -> Result<Reservation, Denial> {
        let operation = next.request.operation();
        if known.source == PriceSource::Unknown && ledger.is_limited() {
            return Err(self.refused(operation, BudgetError::unknown(ledger.usage())));
        }
        let reserved = timeout_at(next.deadline, ledger.reserve_need(known.need)).await;
        reserved
            .map_err(|_| Denial::Late(WAITING))?
            .map_err(|error| self.refused(operation, error))
    }

    /// Reserves what a call needs in the account, if there is one.
    async fn reserve_in_account(
        &self,
        next: NextAttempt<'_>,
        line: &Line,
        known: KnownPrice,
    ) -> Result<Option<AccountReservation>, Denial> {
        use crate::account::Denial as OfAccount;
        let Some(account) = self.account() else {
            return Ok(None);
        };
        let operation = next.request.operation();
        if known.source == PriceSource::Unknown {
            return Err(self.refused(operation, BudgetError::unknown(self.ledger().usage())));
        }
        let label = Label {
            operation: operation.id.to_owned(),
            attempt: next.number,
            request_id: None,
            idempotency_key: next.idempotency_key.map(str::to_owned),
        };
        let left = next.deadline.saturating_duration_since(Instant::now());
        let wanted = Wanted {
            need: known.need,
            line: line.name(),
            label,
        };
        let reserved = account.reserve(wanted, left).await;
        reserved.map(Some).map_err(|denial| match denial {
            OfAccount::CoolingDown(pause) => Denial::Pause(pause),
            OfAccount::Budget(error) => self.refused(operation, error),
            OfAccount::Store(error) => Denial::Refused {
                cause: Box::new(AccountUnavailable::new(error)),
                kind: "account",
                is_retryable: true,
            },
        })
    }

    fn refused(&self, operation: &Operation, error: BudgetError) -> Denial {
        self.observe(operation, SpendEvent::Refused);
        Denial::Refused {
            cause: Box::new(error),
            kind: "budget",
            // Waiting does not help: only a higher limit, or a settlement of calls at risk, makes room.
            is_retryable: false,
        }
    }
}

#[cfg(test)]
thread_local! {
    /// How often the amount at risk of a call was computed.
    pub(super) static COMPUTED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

impl Interceptor for Meter {
    fn admit<'a>(
        &'a self,
        next: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Admission>, Denial>> {
        Box::pin(async move {
            let admitted = self.reserve(next).await?;
            Ok(Box::new(admitted) as _)
        })
    }

    fn shared_pause(&self) -> Option<SharedPause> {
        let (ended, left) = self.account()?.cool_down();
        Some(SharedPause { ended, left })
    }

    fn named_operations(&self) -> Vec<&str> {
        let settings = &self.0;
        let stated = settings.stated.of.keys();
        let all = settings.budgets.keys().chain(stated);
        all.map(String::as_str).collect()
    }

    fn end_shared_pause(&self) {
        if let Some(account) = self.account() {
            account.forget_soon(Forget::CoolDown);
        }
    }
}
