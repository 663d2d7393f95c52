//! A journal and its budget agree, whatever threads do at once: under random schedules of a model checker.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use crate::client::builder::ClientBuilder;
use crate::client::client::Client;
use crate::client::raw::RawCall;
use crate::document::{Api, Documented, Operation};
use crate::response::response::Response;
use crate::testing::{Reply, Script};
use http::Method;
use shuttle::future::block_on;
use shuttle::thread;

use super::call::Called;
use super::error::JournalError;
use super::journal::Journal;
use super::line::Line;
use crate::money::Usage;
use crate::money::budget::tests::model::check;
use crate::money::budget::{Budget, CallLabel};
use crate::money::credits::Credits;
use crate::money::metered_budget::{Aftermath, MeteredBudget, Reserved, Settlement, Wanted};
use crate::money::need::Need;
use crate::wire::object;

const PAID: &str = "paid";

/// Sends a call of unknown price without an idempotency key.
fn sent(budget: &Budget) -> Box<dyn Reserved> {
    let price = Credits::new(2);
    let wanted = Wanted {
        need: Need::exactly(price),
        line: None,
        call: CallLabel {
            operation: PAID.into(),
            attempt: 1,
            unpriced: Some(String::new()),
            ..CallLabel::default()
        },
        price_now: None,
    };
    let mut reserved = block_on(budget.reserve_for(price, &wanted, Duration::MAX)).unwrap();
    reserved.hand_over(None);
    reserved
}

fn settle_all(budget: &Budget) {
    for call in budget.at_risk() {
        budget.settle(call.id, Credits::new(1));
    }
}

/// Opens a new journal.
fn open(name: &str) -> Journal {
    let name = format!("shuttle-{name}-{}.journal", std::process::id());
    let path = std::env::temp_dir().join(name);
    _ = std::fs::remove_file(&path);
    Journal::open(path, "calls").unwrap()
}

/// Returns what the next run would know.
fn next_run(journal: &Journal) -> Usage {
    let next = Journal::look(&journal.notes.path, "calls").unwrap();
    next.usage()
}

#[test]
fn a_journal_has_what_its_budget_has_whatever_happens_at_once() {
    check(500, || {
        let journal = open("at-once");
        let budget = journal.budget(None);
        let [lost, dropped] = [(); 2].map(|()| sent(&budget));
        let budgets = [(); 2].map(|()| budget.clone());
        let [repriced, settled] = budgets;
        let threads = [
            thread::spawn(move || _ = lost.settle(Settlement::Risk, &Aftermath::default())),
            thread::spawn(move || drop(dropped)),
            thread::spawn(move || {
                repriced.reprice(PAID, &|_| Some(Credits::new(5)));
            }),
            thread::spawn(move || settle_all(&settled)),
        ];
        for thread in threads {
            thread.join().unwrap();
        }
        let live = budget.usage();
        assert_eq!(journal.usage(), live);
        assert_eq!(next_run(&journal), live);
        settle_all(&budget);
        assert_eq!(next_run(&journal).at_risk, Credits::ZERO);
    });
}

/// Returns a journal with a lost call of 2 credits.
fn with_lost_call(name: &str) -> Journal {
    let journal = open(name);
    let attempt = r#"{"attempt":{"input":"a","operation":"paid","number":1,"at":1,"at_risk":2}}"#;
    let at_risk = r#"{"at_risk":{"attempt":1,"credits":2}}"#;
    let lines = [attempt, at_risk].map(|line| serde_json::from_str(line).unwrap());
    let noted = journal.notes.note(&mut journal.notes.state(), &lines);
    noted.unwrap();
    journal
}

#[test]
fn a_lost_call_is_settled_once_also_while_the_budget_is_made() {
    check(500, || {
        let journal = Arc::new(with_lost_call("settled"));
        let settlements = [(); 2].map(|()| {
            let journal = Arc::clone(&journal);
            thread::spawn(move || journal.settle("a", Credits::new(2)).unwrap())
        });
        let budget = journal.budget(None);
        let settled = settlements.map(|settlement| settlement.join().unwrap());
        assert_ne!(settled[0], settled[1]);
        let live = budget.usage();
        assert_eq!((live.spent, live.at_risk), (Credits::new(2), Credits::ZERO));
        assert_eq!(next_run(&journal), live);
    });
}

/// Writes a line that cannot follow the others.
fn write_twice(journal: &Journal) -> Result<(), JournalError> {
    let attempts = vec![1, 1];
    let credits = Credits::new(2);
    journal.notes.write(Line::Settled { attempts, credits })
}

#[test]
fn a_line_that_the_next_run_would_refuse_is_not_written() {
    let journal = with_lost_call("refused");
    let noted = write_twice(&journal);
    assert!(matches!(noted, Err(JournalError::Unwritable { .. })));
    assert_eq!(next_run(&journal).at_risk, Credits::new(2));
    // What would come after it is missing in the file: nothing more is sent.
    assert!(journal.notes.check().is_err());
}

static API: Api = Api {
    interceptor: Some(|| crate::meter(Some("cost"), Some(Credits::new(2)))),
    ..Api::new("calls", "1.2.3", "CALLS")
};

static GET_THING: Operation = Operation::get("getThing", "/thing");

#[derive(Debug)]
struct Thing {
    name: String,
}
object!(Thing {
    name: required "name",
});

impl Documented for Thing {
    fn operation() -> &'static Operation {
        &GET_THING
    }
}

#[tokio::test(start_paused = true)]
async fn a_paid_response_is_returned_where_the_journal_cannot_be_written() {
    let journal = open("unwritable");
    let client = ClientBuilder::<Client>::new(&API, "https://api.example.com");
    let client = client.budget(journal.budget(Credits::new(50)));
    let reply = Reply::json(&serde_json::json!({ "cost": 2 }));
    let client = client.transport(Script::new([reply])).build().unwrap();
    let send = async |call: RawCall| {
        let sent = call.send::<Thing>().await;
        assert!(write_twice(&journal).is_err());
        sent
    };
    let keep = |_: Response<Thing>| -> Result<(), Infallible> { Ok(()) };
    let call = client.raw(Method::GET, "/thing");
    let called = journal.call("a", call, send, keep).await.unwrap();
    let Called::Stop(error) = called else {
        panic!("{called}")
    };
    assert_eq!(error.body().unwrap(), r#"{"cost":2}"#);
}
