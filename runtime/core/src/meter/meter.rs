//! The meter: the budget, the account and the prices that the calls of a client share.

use std::collections::HashMap;
use std::sync::Arc;

use crate::document::{Api, Operation};
use crate::future::BoxFuture;
use crate::interceptor::{Denial, Guard, Interceptor, NextAttempt, Record};
use crate::request::Request;
use http::StatusCode;
use tokio::time::{Instant, timeout_at};

use super::admitted::Admitted;
use super::charges::Charges;
use super::prices::{KnownPrice, Line, PriceBook, StatedPrices};
#[cfg(feature = "redis")]
use crate::account::Account;
use crate::money::budget::{Budget, BudgetError, CallLabel};
use crate::money::credits::Credits;
use crate::money::metered_budget::{MeteredBudget, Refusal, Reserved, Wanted};
use crate::money::quote::PriceSource;

/// The wait during which the deadline of a call may expire.
const WAITING: &str = "room in the budget";

/// Meters the calls of a client. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Meter(Arc<Settings>);

#[derive(Clone)]
pub(crate) struct Settings {
    /// The member of a response that reports what the call cost, where its operation names no other.
    charge: Option<&'static str>,
    pub(crate) stated: StatedPrices,
    /// Status codes that the caller declared unbilled.
    pub(crate) unbilled: Vec<StatusCode>,
    prices: Arc<PriceBook>,
    pub(crate) budget: Budget,
    /// Further budgets that the calls of an operation draw on, by its id.
    pub(crate) budgets: HashMap<String, Budget>,
    /// The account that all processes share.
    #[cfg(feature = "redis")]
    pub(crate) account: Option<Account>,
    /// What the calls are for, in a journal.
    pub(crate) input: Option<Arc<str>>,
    /// Every call is free, of an API that charges for none.
    is_free: bool,
}

/// Makes the meter of an API. `charge`: the top-level member of a response that reports what the call cost, if all operations that have one
/// share it. `dearest`: the highest price in the document, of any operation. For generated code.
///
/// ```
/// use generated_client::document::{Api, Auth};
/// use generated_client::{Client, Credits, Meter, meter};
///
/// static API: Api = Api {
///     auth: Auth::Header("x-api-key"),
///     interceptor: Some(|| meter(Some("cost"), Some(Credits::new(2)))),
///     ..Api::new("example", "1.2.3", "EXAMPLE")
/// };
///
/// fn has_meter(client: &Client) -> bool {
///     client.interceptor::<Meter>().is_some()
/// }
/// # assert!(API.interceptor.is_some());
/// ```
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
            budget: Budget::unlimited(),
            budgets: HashMap::new(),
            #[cfg(feature = "redis")]
            account: None,
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

    pub(crate) fn budget(&self) -> &Budget {
        &self.0.budget
    }

    #[cfg(feature = "redis")]
    pub(crate) fn account(&self) -> Option<&Account> {
        self.0.account.as_ref()
    }

    /// Returns the budgets that the calls of an operation count in, in the order in which they reserve.
    pub(super) fn budgets(
        &self,
        operation: &Operation,
    ) -> impl Iterator<Item = &dyn MeteredBudget> {
        let of_operation = self.0.budgets.get(operation.id);
        // A call that waits for its operation's budget holds nothing that other operations need.
        let budgets = of_operation.into_iter().chain([self.budget()]);
        budgets.map(|budget| budget as _).chain(self.shared())
    }

    /// Returns the budget that other processes draw on too.
    fn shared(&self) -> Option<&dyn MeteredBudget> {
        #[cfg(feature = "redis")]
        let shared = self.account().map(|account| account as _);
        #[cfg(not(feature = "redis"))]
        let shared = None;
        shared
    }

    /// Returns the name by which other processes know a line of the price list, if there are others.
    fn shared_name(&self, line: &Line) -> Option<String> {
        self.shared().and_then(|_| line.name())
    }

    /// Returns the price that this process has seen of a line, if there are others.
    pub(super) fn shared_price(&self, line: &Line) -> Option<(String, Credits)> {
        self.shared().and_then(|_| self.prices().shown(line))
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

    /// Adopts the price that another process saw.
    fn learn_price(&self, line: &Line, price: Credits) {
        let operation = line.operation();
        if let Some(arguments) = line.arguments()
            && self.prices().learn(operation.id.into(), arguments, price)
        {
            self.reprice(operation);
        }
    }

    /// Reprices lost calls of this operation whose price was unknown when they were made.
    pub(super) fn reprice(&self, operation: &'static Operation) {
        for budget in self.budgets(operation) {
            budget.reprice(operation.id, &|arguments| {
                self.at_risk(operation, arguments)
            });
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

    /// Waits for the budgets. A call that was refused while it waited asks again if its price was seen in the meantime.
    async fn reserve(&self, next: NextAttempt<'_>) -> Result<Admitted, Denial> {
        let operation = next.request.operation();
        for budget in self.budgets(operation) {
            budget.check().map_err(|cause| Denial::Refused {
                cause,
                kind: "journal",
                is_retryable: false,
            })?;
        }
        let line = Line::of(next.request);
        let mut known = self.known_price(&line, next.request);
        let reserved = loop {
            match self.reserve_in_all(next, &line, known).await {
                Ok(reserved) => break reserved,
                Err(Refusal::Other(denial)) => return Err(denial),
                Err(Refusal::Budget(error)) => {
                    let now = self.known_price(&line, next.request);
                    if now.need == known.need {
                        return Err(refused(error));
                    }
                    known = now;
                }
            }
        };
        // It asks again if that is another one than the price that it has reserved.
        if let Some(price) = reserved.iter().find_map(|one| one.shared_price()) {
            self.learn_price(&line, price);
        }
        Ok(Admitted {
            reserved,
            ids: Arc::default(),
            line,
            known,
            meter: self.clone(),
        })
    }

    /// Reserves what an attempt needs in all budgets of its operation.
    async fn reserve_in_all(
        &self,
        next: NextAttempt<'_>,
        line: &Line,
        known: KnownPrice,
    ) -> Result<Vec<Box<dyn Reserved>>, Refusal> {
        let key = next.idempotency_key.map(str::to_owned);
        let wanted = self.wanted(line, known, next.number, key);
        let mut reserved = Vec::new();
        // Always in this order: two calls never wait for each other.
        let operation = next.request.operation();
        for budget in self.budgets(operation) {
            let granted = if known.source == PriceSource::Unknown
                && let Some(error) = budget.refuse_unknown()
            {
                Err(Refusal::Budget(error))
            } else {
                self.reserve_in(budget, &wanted, next.deadline).await
            };
            // The budget of the operation is the first one.
            let is_own = reserved.is_empty() && self.0.budgets.contains_key(operation.id);
            reserved.push(match granted {
                Err(refusal) if is_own => return Err(refusal.of_operation()),
                granted => granted?,
            });
        }
        Ok(reserved)
    }

    /// Returns what an attempt needs.
    pub(super) fn wanted(
        &self,
        line: &Line,
        known: KnownPrice,
        attempt: u32,
        idempotency_key: Option<String>,
    ) -> Wanted {
        let operation = line.operation();
        let unpriced = known.unpriced(line);
        let price_now = unpriced.is_some().then(|| {
            let meter = self.clone();
            Arc::new(move |arguments: &str| meter.at_risk(operation, arguments)) as _
        });
        Wanted {
            need: known.need,
            line: self.shared_name(line),
            call: CallLabel {
                operation: operation.id.into(),
                attempt,
                idempotency_key,
                input: self.0.input.clone(),
                unpriced,
                request_id: None,
            },
            price_now,
        }
    }

    /// Reserves what an attempt needs in a budget, or what is left of it.
    async fn reserve_in(
        &self,
        budget: &dyn MeteredBudget,
        wanted: &Wanted,
        deadline: Instant,
    ) -> Result<Box<dyn Reserved>, Refusal> {
        let mut amount = wanted.need.reserved;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let reserved = timeout_at(deadline, budget.reserve_for(amount, wanted, left)).await;
            match reserved.map_err(|_| Refusal::Other(Denial::Late(WAITING)))? {
                Err(Refusal::Budget(error)) => {
                    let less = wanted.need.less(amount, error);
                    amount = less.map_err(Refusal::Budget)?;
                }
                done => return done,
            }
        }
    }
}

fn refused(error: BudgetError) -> Denial {
    Denial::Refused {
        cause: Box::new(error),
        kind: "budget",
        // Waiting does not help: only a higher limit, or a settlement of calls at risk, makes room.
        is_retryable: false,
    }
}

#[cfg(test)]
thread_local! {
    /// How often the amount at risk of a call was computed.
    pub(super) static COMPUTED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

impl Interceptor for Meter {
    fn before<'a>(
        &'a self,
        next: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        Box::pin(async move {
            let admitted = self.reserve(next).await?;
            Ok(Box::new(admitted) as _)
        })
    }

    fn stored(&self, request: &Request, record: Option<&str>) -> Option<Record> {
        if let Some(saved) = record.and_then(|record| record.parse().ok()) {
            let of_operation = self.0.budgets.get(request.operation().id);
            for budget in of_operation.into_iter().chain([self.budget()]) {
                budget.save(saved);
            }
        }
        Some(Arc::new(Charges::stored(self, request.operation())))
    }

    fn named_operations(&self) -> Vec<&str> {
        self.0.budgets.keys().map(String::as_str).collect()
    }

    fn problem(&self) -> Option<String> {
        let budgets = self.0.budgets.iter();
        let beside = budgets.filter(|(_, budget)| budget.is_beside(self.budget()));
        let (operation, _) = beside.min_by_key(|(operation, _)| *operation)?;
        Some(format!(
            "the budget of `{operation}` is that of the client, or has the same root, and its calls would count there twice: \
             give `budget_for` one of its own, such as `Budget::of(limit)`"
        ))
    }
}
