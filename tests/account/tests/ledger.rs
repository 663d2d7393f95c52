//! The ledger of a process is the model: the stores return the same results and sums for the same histories.

use std::sync::Arc;
use std::time::Duration;

use account_tests::Server;
use metered_client::account::store::{Ask, Decision, LedgerStore, Settlement};
use metered_client::account::{InProcess, RedisStore, ReservationId};
use metered_client::money::{AtRiskId, Reservation};
use metered_client::{Credits, Ledger};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tokio::time::timeout;

use crate::steps::{ask, ending, scopes};

const CALLS: usize = 6;

#[derive(Debug, Clone)]
enum Step {
    Reserve {
        call: usize,
        tenant: bool,
        price: u64,
    },
    Settle {
        call: usize,
        settlement: Settlement,
    },
    SettleRisk {
        call: usize,
        charged: u64,
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
    prop_oneof![
        6 => (0..CALLS, any::<bool>(), 0..12_u64).prop_map(|(call, tenant, price)| Step::Reserve { call, tenant, price }),
        5 => (0..CALLS, settlement).prop_map(|(call, settlement)| Step::Settle { call, settlement }),
        1 => (0..CALLS, 0..9_u64).prop_map(|(call, charged)| Step::SettleRisk { call, charged }),
        1 => (any::<bool>(), 0..9_u64).prop_map(|(tenant, by)| Step::Raise { tenant, by }),
    ]
}

/// The model: an account and a scope of it, within the process.
struct Model {
    ledgers: [Ledger; 2],
    held: [Option<Reservation>; CALLS],
    risks: [Option<AtRiskId>; CALLS],
}

impl Model {
    async fn step(&mut self, step: &Step) -> String {
        let ledgers = self.ledgers.clone();
        let ledger = |tenant: bool| &ledgers[usize::from(tenant)];
        match *step {
            Step::Reserve {
                call,
                tenant,
                price,
            } if self.held[call].is_none() => {
                match timeout(Duration::ZERO, ledger(tenant).reserve(of(price))).await {
                    Ok(Ok(mut reservation)) => {
                        reservation.hand_over();
                        let amount = reservation.amount();
                        self.held[call] = Some(reservation);
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
                    Settlement::Risk => self.risks[call] = Some(reservation.at_risk()),
                }
                String::new()
            }
            Step::SettleRisk { call, charged } => match self.risks[call].take() {
                Some(risk) => ledgers[0].settle(risk, of(charged)).to_string(),
                None => String::new(),
            },
            Step::Raise { tenant, by } => {
                ledger(tenant).raise(of(by));
                String::new()
            }
            Step::Reserve { .. } => String::new(),
        }
    }

    fn sums(&self) -> String {
        format!("{:?}", self.ledgers.each_ref().map(Ledger::usage))
    }
}

/// The same account in a store.
struct Kept<'a> {
    store: &'a dyn LedgerStore,
    account: Arc<str>,
    held: [Option<(ReservationId, Credits)>; CALLS],
    risks: [Option<ReservationId>; CALLS],
}

impl Kept<'_> {
    async fn end(&self, id: &ReservationId, settlement: Settlement, amount: Credits) {
        let ending = ending(&self.account, id, settlement, scopes(false), amount);
        self.store.settle(&ending).await.unwrap();
    }

    async fn step(&mut self, step: &Step) -> String {
        match *step {
            Step::Reserve {
                call,
                tenant,
                price,
            } if self.held[call].is_none() => {
                let ask = Ask {
                    scopes: scopes(tenant),
                    ..ask(&self.account, &ReservationId::unused(), of(price))
                };
                match self.store.reserve(&ask).await.unwrap() {
                    Decision::Granted(_) => {
                        self.held[call] = Some((ask.id, of(price)));
                        format!("granted {:?}", of(price))
                    }
                    Decision::Refused { scope, usage } => {
                        let taken = [usage.spent, usage.reserved, usage.at_risk];
                        let taken = taken.iter().map(|part| part.micros());
                        let left = taken.fold(usage.limit.unwrap().micros(), u64::saturating_sub);
                        format!("refused {scope} {}", of(left))
                    }
                    Decision::Waiting => {
                        self.end(&ask.id, Settlement::Refund, Credits::ZERO).await;
                        "waiting".to_owned()
                    }
                    other => panic!("{other:?}"),
                }
            }
            Step::Settle { call, settlement } => {
                let Some((id, amount)) = self.held[call].take() else {
                    return String::new();
                };
                if settlement == Settlement::Risk {
                    self.risks[call] = Some(id.clone());
                }
                self.end(&id, settlement, amount).await;
                String::new()
            }
            Step::SettleRisk { call, charged } => match self.risks[call].take() {
                Some(id) => self
                    .store
                    .settle_risk(&self.account, &id, of(charged))
                    .await
                    .unwrap()
                    .to_string(),
                None => String::new(),
            },
            Step::Raise { tenant, by } => {
                self.store
                    .raise(&self.account, &scopes(tenant)[0], of(by))
                    .await
                    .unwrap();
                String::new()
            }
            Step::Reserve { .. } => String::new(),
        }
    }

    async fn sums(&self) -> String {
        let mut sums = Vec::new();
        for scope in scopes(true).iter().rev() {
            sums.push(self.store.usage(&self.account, scope).await.unwrap().usage);
        }
        format!("{sums:?}")
    }
}

#[test]
fn the_stores_do_what_the_ledger_of_a_process_does() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::with(&[])).unwrap();
    let redis = server.as_ref().map(|server| {
        runtime
            .block_on(RedisStore::connect(&server.url()))
            .unwrap()
    });
    let memory = InProcess::new();
    let stores = [
        Some(&memory as &dyn LedgerStore),
        redis.as_ref().map(|redis| redis as &dyn LedgerStore),
    ];
    let mut runner = TestRunner::new(Config {
        cases: 200,
        failure_persistence: None,
        ..Config::default()
    });
    let number = std::cell::Cell::new(0);
    let history = (prop::collection::vec(step(), 1..40), 0..60_u64, 0..60_u64);
    runner
        .run(&history, |(steps, limit, own)| {
            number.set(number.get() + 1);
            let all = Ledger::with_budget(of(limit));
            let tenant = all.scoped(of(own));
            let mut model = Model {
                ledgers: [all, tenant],
                held: Default::default(),
                risks: Default::default(),
            };
            let kept = stores.iter().flatten().map(|store| Kept {
                store: *store,
                account: format!("ledger-{}", number.get()).into(),
                held: Default::default(),
                risks: Default::default(),
            });
            let mut kept: Vec<_> = kept.collect();
            runtime.block_on(async {
                for kept in &kept {
                    kept.store
                        .open(&kept.account, "", Some(of(limit)))
                        .await
                        .unwrap();
                    kept.store
                        .open(&kept.account, "tenant", Some(of(own)))
                        .await
                        .unwrap();
                }
                for step in &steps {
                    let (said, sums) = (model.step(step).await, model.sums());
                    for kept in &mut kept {
                        prop_assert_eq!(&kept.step(step).await, &said, "{:?}", step);
                        prop_assert_eq!(&kept.sums().await, &sums, "after {:?}", step);
                    }
                }
                Ok(())
            })
        })
        .unwrap();
}
