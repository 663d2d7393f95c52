//! The budget of a process is the model: an account returns the same results and sums for the same histories, also if each reply is lost
//! once and if workers die.

use std::sync::Arc;
use std::time::Duration;

use account_tests::Server;
use generated_client::account::RedisStore;
use generated_client::account::store::{Ask, Change, Decision, Settled, Settlement};
use generated_client::money::{AtRisk, AtRiskId, Reservation};
use generated_client::{Budget, Credits};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::time::{sleep, timeout};

use crate::steps::{LONG, ask, ending, scopes};

const CALLS: usize = 6;

/// A lease that ends before the next step.
const SHORT: Duration = Duration::from_millis(20);

#[derive(Debug, Clone)]
enum Step {
    Reserve {
        call: usize,
        tenant: bool,
        price: u64,
        /// Its worker dies: it is at risk.
        dies: bool,
    },
    Settle {
        call: usize,
        settlement: Settlement,
    },
    /// A worker settles a call that was taken to be lost, or a person does.
    SettleLost {
        call: usize,
        charged: u64,
        by_hand: bool,
    },
    Raise {
        tenant: bool,
        by: u64,
    },
}

fn of(micros: u64) -> Credits {
    Credits::from_micros(micros)
}

fn step() -> impl Strategy<Value = Step> {
    let settlement = prop_oneof![
        Just(Settlement::Refund),
        Just(Settlement::Risk),
        (0..20_u64).prop_map(|charge| Settlement::Charge(of(charge))),
    ];
    let dies = prop::bool::weighted(0.1);
    prop_oneof![
        6 => (0..CALLS, any::<bool>(), 0..12_u64, dies).prop_map(|(call, tenant, price, dies)| Step::Reserve { call, tenant, price, dies }),
        5 => (0..CALLS, settlement).prop_map(|(call, settlement)| Step::Settle { call, settlement }),
        2 => (0..CALLS, 0..20_u64, any::<bool>()).prop_map(|(call, charged, by_hand)| Step::SettleLost { call, charged, by_hand }),
        1 => (any::<bool>(), 0..9_u64).prop_map(|(tenant, by)| Step::Raise { tenant, by }),
    ]
}

/// What is at risk, by amount, and which of it was given up.
fn amounts(risks: Vec<AtRisk>) -> Vec<Option<Credits>> {
    let mut amounts: Vec<_> = risks.into_iter().map(|risk| risk.amount).collect();
    amounts.sort();
    amounts
}

/// The model: an account and a scope of it, within the process.
struct Model {
    budgets: [Budget; 2],
    held: [Option<Reservation>; CALLS],
    lost: [Option<AtRiskId>; CALLS],
}

impl Model {
    async fn step(&mut self, step: &Step) -> String {
        let budgets = self.budgets.clone();
        let budget = |tenant: bool| &budgets[usize::from(tenant)];
        match *step {
            Step::Reserve {
                call,
                tenant,
                price,
                dies,
            } if self.held[call].is_none() => {
                match timeout(Duration::ZERO, budget(tenant).reserve(of(price))).await {
                    Ok(Ok(mut reservation)) => {
                        reservation.hand_over();
                        let amount = reservation.amount();
                        if dies {
                            drop(reservation);
                            let risks = budget(tenant).at_risk();
                            self.lost[call] = risks.last().map(|risk| risk.id);
                        } else {
                            self.held[call] = Some(reservation);
                        }
                        format!("granted {amount:?}")
                    }
                    Ok(Err(error)) => format!("refused {} {}", error.levels_up, error.left()),
                    Err(_) => "waiting".to_owned(),
                }
            }
            Step::Settle { call, settlement } => {
                let Some(reservation) = self.held[call].take() else {
                    return String::new();
                };
                match settlement {
                    Settlement::Refund => reservation.refund(),
                    Settlement::Charge(charge) => _ = reservation.charged(charge),
                    Settlement::Risk => self.lost[call] = Some(reservation.at_risk()),
                }
                String::new()
            }
            Step::SettleLost { call, charged, .. } => match self.lost[call].take() {
                Some(risk) => budgets[0].settle(risk, of(charged)).to_string(),
                None => String::new(),
            },
            Step::Raise { tenant, by } => {
                budget(tenant).raise(of(by));
                String::new()
            }
            Step::Reserve { .. } => String::new(),
        }
    }

    fn sums(&self) -> String {
        let sums = self
            .budgets
            .each_ref()
            .map(|budget| (budget.usage(), amounts(budget.at_risk())));
        format!("{sums:?}")
    }
}

/// The same account in Redis. Each step is made twice.
struct Kept<'a> {
    store: &'a RedisStore,
    account: Arc<str>,
    held: [Option<(AtRiskId, Credits)>; CALLS],
    lost: [Option<AtRiskId>; CALLS],
}

impl Kept<'_> {
    async fn end(&self, id: AtRiskId, settlement: Settlement, amount: Credits) -> Settled {
        let ending = ending(&self.account, id, settlement, scopes(false), amount);
        let settled = self.store.settle(&ending).await.unwrap();
        let again = self.store.settle(&ending).await.unwrap();
        assert_eq!(again, Settled::Before);
        settled
    }

    async fn reserve(&mut self, call: usize, tenant: bool, price: Credits, dies: bool) -> String {
        let ask = Ask {
            scopes: scopes(tenant),
            lease: if dies { SHORT } else { LONG },
            ..ask(&self.account, AtRiskId::unused(), price)
        };
        let decision = self.store.reserve(&ask).await.unwrap();
        match decision {
            Decision::Granted { .. } if dies => {
                sleep(SHORT * 2).await;
                assert_eq!(self.store.reserve(&ask).await.unwrap(), Decision::Ended);
                self.lost[call] = Some(ask.id);
                format!("granted {price:?}")
            }
            Decision::Granted { .. } => {
                let again = self.store.reserve(&ask).await.unwrap();
                assert!(matches!(again, Decision::Granted { .. }), "{again:?}");
                self.held[call] = Some((ask.id, price));
                format!("granted {price:?}")
            }
            Decision::Refused { scope, usage, .. } => {
                assert_eq!(self.store.reserve(&ask).await.unwrap(), decision);
                let taken = [usage.spent, usage.reserved, usage.at_risk];
                let taken = taken.iter().map(|part| part.micros());
                let left = taken.fold(usage.limit.unwrap().micros(), u64::saturating_sub);
                format!("refused {scope} {}", of(left))
            }
            Decision::Waiting => {
                assert_eq!(self.store.reserve(&ask).await.unwrap(), decision);
                self.end(ask.id, Settlement::Refund, Credits::ZERO).await;
                "waiting".to_owned()
            }
            other => panic!("{other:?}"),
        }
    }

    async fn settle_lost(&self, id: AtRiskId, charged: Credits, by_hand: bool) -> String {
        if !by_hand {
            let settled = self.end(id, Settlement::Charge(charged), charged).await;
            return (settled == Settled::Late).to_string();
        }
        let settle = || self.store.settle_risk(&self.account, &id, charged);
        let is_settled = settle().await.unwrap();
        assert_eq!(settle().await.unwrap(), is_settled);
        is_settled.to_string()
    }

    async fn step(&mut self, step: &Step) -> String {
        match *step {
            Step::Reserve {
                call,
                tenant,
                price,
                dies,
            } if self.held[call].is_none() => self.reserve(call, tenant, of(price), dies).await,
            Step::Settle { call, settlement } => {
                let Some((id, amount)) = self.held[call].take() else {
                    return String::new();
                };
                if settlement == Settlement::Risk {
                    self.lost[call] = Some(id);
                }
                assert_eq!(self.end(id, settlement, amount).await, Settled::Now);
                String::new()
            }
            Step::SettleLost {
                call,
                charged,
                by_hand,
            } => match self.lost[call].take() {
                Some(id) => self.settle_lost(id, of(charged), by_hand).await,
                None => String::new(),
            },
            Step::Raise { tenant, by } => {
                let scope = &scopes(tenant)[0];
                let raised = self
                    .store
                    .change(&self.account, scope, Change::Raise(of(by)));
                raised.await.unwrap();
                String::new()
            }
            Step::Reserve { .. } => String::new(),
        }
    }

    async fn sums(&self) -> String {
        let mut sums = Vec::new();
        for scope in scopes(true).iter().rev() {
            let usage = self.store.usage(&self.account, scope).await.unwrap().usage;
            let risks = self.store.at_risk(&self.account, &scope.path).await;
            sums.push((usage, amounts(risks.unwrap())));
        }
        format!("{sums:?}")
    }
}

#[test]
fn an_account_does_what_the_budget_of_a_process_does() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let Some(server) = runtime.block_on(Server::with(&[])).unwrap() else {
        return;
    };
    let store = runtime
        .block_on(RedisStore::connect(&server.url()))
        .unwrap();
    let cases = std::env::var("HISTORIES").map_or(40, |cases| cases.parse().unwrap());
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let number = std::cell::Cell::new(0);
    let history = (prop::collection::vec(step(), 1..40), 0..60_u64, 0..60_u64);
    runner
        .run(&history, |(steps, limit, own)| {
            number.set(number.get() + 1);
            let all = Budget::of(of(limit));
            let tenant = all.scoped(of(own));
            let mut model = Model {
                budgets: [all, tenant],
                held: Default::default(),
                lost: Default::default(),
            };
            let mut kept = Kept {
                store: &store,
                account: format!("budget-{}", number.get()).into(),
                held: Default::default(),
                lost: Default::default(),
            };
            runtime.block_on(async {
                for (path, limit) in [("", limit), ("tenant", own)] {
                    let opened = store.open(&kept.account, path, Some(of(limit)));
                    opened.await.unwrap();
                }
                for step in &steps {
                    let (said, sums) = (model.step(step).await, model.sums());
                    prop_assert_eq!(&kept.step(step).await, &said, "{:?}", step);
                    prop_assert_eq!(&kept.sums().await, &sums, "after {:?}", step);
                }
                Ok(())
            })
        })
        .unwrap();
}
