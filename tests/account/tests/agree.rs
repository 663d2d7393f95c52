//! The same histories return the same results from Redis and from the store of one process.

use std::sync::Arc;
use std::time::Duration;

use account_tests::Server;
use metered_client::Credits;
use metered_client::account::store::{Ask, Decision, Ending, Forget, LedgerStore, Settlement};
use metered_client::account::{InProcess, Label, RedisStore, ReservationId};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::steps::{LONG, ask, ending, scopes};

/// A lease that has ended before the next step.
const SHORT: Duration = Duration::from_millis(1);

/// Entry of the price list for each call.
const LINE: &str = "getThing";

#[derive(Debug, Clone)]
enum Step {
    Reserve {
        call: u8,
        tenant: bool,
        price: u64,
        at_risk: Option<u64>,
        is_short: bool,
    },
    Settle {
        call: u8,
        tenant: bool,
        settlement: Settlement,
        is_held: bool,
    },
    SettleRisk {
        call: u8,
        charged: u64,
    },
    Raise {
        tenant: bool,
        by: u64,
    },
    Forget(Forget),
}

fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..30_u64, Just((1 << 53) - 1)]
}

fn settlement() -> impl Strategy<Value = Settlement> {
    prop_oneof![
        Just(Settlement::Refund),
        Just(Settlement::Risk),
        amount().prop_map(|charge| Settlement::Charge(Credits::from_micros(charge))),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let call = 0..6_u8;
    prop_oneof![
        6 => (call.clone(), any::<bool>(), 0..20_u64, prop::option::of(0..9_u64), prop::bool::weighted(0.2))
            .prop_map(|(call, tenant, price, at_risk, is_short)| Step::Reserve { call, tenant, price, at_risk, is_short }),
        5 => (call.clone(), any::<bool>(), settlement(), prop::bool::weighted(0.2))
            .prop_map(|(call, tenant, settlement, is_held)| Step::Settle { call, tenant, settlement, is_held }),
        1 => (call, 0..9_u64).prop_map(|(call, charged)| Step::SettleRisk { call, charged }),
        1 => (any::<bool>(), amount()).prop_map(|(tenant, by)| Step::Raise { tenant, by }),
        1 => prop_oneof![Just(Step::Forget(Forget::Prices)), Just(Step::Forget(Forget::CoolDown))],
    ]
}

/// One history, played into one store. Its results are compared.
struct Play<'a> {
    store: &'a dyn LedgerStore,
    account: Arc<str>,
    ids: Vec<ReservationId>,
}

impl Play<'_> {
    async fn step(&mut self, step: &Step) -> String {
        let of = Credits::from_micros;
        let label = Label {
            operation: "getThing".to_owned(),
            attempt: 1,
            request_id: None,
            idempotency_key: Some("key-1".to_owned()),
        };
        let id = |call: &u8| self.ids[usize::from(*call)].clone();
        match step {
            Step::Reserve {
                call,
                tenant,
                price,
                at_risk,
                is_short,
            } => {
                let mut ask = self.ask(
                    id(call),
                    *tenant,
                    of(*price),
                    if *is_short { SHORT } else { LONG },
                    label,
                );
                ask.at_risk = at_risk.map(of);
                let answer = self.store.reserve(&ask).await.unwrap();
                if *is_short {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                }
                without_time(answer)
            }
            Step::Settle {
                call,
                tenant,
                settlement,
                is_held,
            } => {
                let price = match settlement {
                    Settlement::Charge(charge) => Some((LINE.to_owned(), *charge)),
                    Settlement::Refund | Settlement::Risk => None,
                };
                let ending = Ending {
                    went_through: !is_held,
                    // It is over at once, and one call probes it.
                    cool_down: is_held.then_some(Duration::ZERO),
                    price,
                    ..ending(
                        &self.account,
                        &id(call),
                        *settlement,
                        scopes(*tenant),
                        of(5),
                    )
                };
                format!("{:?}", self.store.settle(&ending).await.unwrap())
            }
            Step::SettleRisk { call, charged } => {
                let id = id(call);
                let settle = || self.store.settle_risk(&self.account, &id, of(*charged));
                let first = settle().await.unwrap();
                assert_eq!(settle().await.unwrap(), first, "the reply was lost");
                first.to_string()
            }
            Step::Raise { tenant, by } => {
                self.store
                    .raise(&self.account, &scopes(*tenant)[0], of(*by))
                    .await
                    .unwrap();
                String::new()
            }
            Step::Forget(what) => {
                self.store.forget(&self.account, *what).await.unwrap();
                String::new()
            }
        }
    }

    fn ask(
        &self,
        id: ReservationId,
        tenant: bool,
        amount: Credits,
        lease: Duration,
        label: Label,
    ) -> Ask {
        Ask {
            scopes: scopes(tenant),
            lease,
            label,
            line: Some(LINE.to_owned()),
            max_in_flight: Some(4),
            ..ask(&self.account, &id, amount)
        }
    }

    async fn sums(&self) -> String {
        let mut all = String::new();
        for scope in scopes(true).iter() {
            all += &format!(
                "{:?}",
                self.store.usage(&self.account, scope).await.unwrap()
            );
            let risks = self
                .store
                .at_risk(&self.account, &scope.path)
                .await
                .unwrap();
            let mut risks: Vec<_> = risks
                .iter()
                .map(|risk| format!("{} {}", risk.amount, risk.is_lapsed))
                .collect();
            risks.sort();
            all += &format!("{risks:?}");
        }
        all
    }
}

fn without_time(answer: Decision) -> String {
    match answer {
        Decision::Granted(granted) => format!("granted {:?}", granted.price),
        other => format!("{other:?}"),
    }
}

#[test]
fn redis_answers_as_the_store_of_one_process_does() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let Some(server) = runtime.block_on(Server::with(&[])).unwrap() else {
        return;
    };
    let redis = runtime
        .block_on(RedisStore::connect(&server.url()))
        .unwrap();
    let memory = InProcess::new();
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
            let ids: Vec<_> = (0..6).map(|_| ReservationId::unused()).collect();
            let mut plays = [&redis as &dyn LedgerStore, &memory].map(|store| Play {
                store,
                account: format!("history-{}", number.get()).into(),
                ids: ids.clone(),
            });
            runtime.block_on(async {
                for play in &plays {
                    play.store
                        .open(&play.account, "", Some(Credits::from_micros(limit)))
                        .await
                        .unwrap();
                    play.store
                        .open(&play.account, "tenant", Some(Credits::from_micros(own)))
                        .await
                        .unwrap();
                }
                for step in &steps {
                    let [one, other] = &mut plays;
                    let answers = [one.step(step).await, other.step(step).await];
                    prop_assert_eq!(&answers[0], &answers[1], "{:?}", step);
                    let sums = [one.sums().await, other.sums().await];
                    prop_assert_eq!(&sums[0], &sums[1], "after {:?}", step);
                }
                Ok(())
            })
        })
        .unwrap();
}
