//! Calls of agents: their idempotency keys, their prices, and the options that help when they fail.

use std::path::Path;
use std::sync::Arc;

use generated_client::Credits;
use generated_client::document::{Operation, Shape};
use generated_client::journal::Journal;
use generated_client::request::Request;
use generated_client::{Client, ClientBuilder};
use rmcp::model::CallToolResult;
use serde_json::Map;

use super::session::Session;
use crate::tests::{API, COMMANDS, PROGRAM, Service, journal, two};
use crate::{Call, Command, Does};

/// Starts a server with a journal: a file, or one in memory.
fn start(service: &Service, path: Option<&Path>, limit: Option<Credits>) -> Arc<Session> {
    let journal = match path {
        Some(path) => Journal::open(path, "agents").unwrap(),
        None => Journal::in_memory("agents"),
    };
    let builder = ClientBuilder::<Client>::new(&API, service.base_url());
    let client = builder.budget(journal.budget(limit)).build().unwrap();
    let offered = COMMANDS.iter().collect();
    let session = Session::new(&PROGRAM, client, journal, path.is_some(), offered, 4096);
    Arc::new(session)
}

fn session(service: &Service, path: &Path) -> Arc<Session> {
    let limit = Credits::from_micros(10_000_000);
    start(service, Some(path), Some(limit))
}

fn text(result: &CallToolResult) -> String {
    let text = result.content.first().and_then(|content| content.as_text());
    text.unwrap().text.clone()
}

async fn order(session: &Arc<Session>, id: &str) -> String {
    let given = Map::from_iter([("id".to_owned(), id.into())]);
    text(&session.call(&COMMANDS[0], given, None).await)
}

#[tokio::test]
async fn an_agent_makes_a_lost_call_again_with_its_key() {
    let path = journal("agent");
    // Three attempts are lost, and three of the next server.
    let service = Service::start(6);
    for _ in 0..2 {
        let session = session(&service, &path);
        let told = order(&session, "a").await;
        assert!(told.contains("2 credits are at risk"), "{told}");
        assert!(told.contains("is the same work"), "{told}");
    }
    let session = session(&service, &path);
    assert_eq!(session.client.budget().usage().at_risk, two());
    // Other arguments are other work.
    order(&session, "b").await;
    let told = order(&session, "a").await;
    assert!(told.contains("2 credits"), "{told}");
    let usage = session.journal.usage();
    assert_eq!(usage.spent, Credits::from_micros(4_000_000));
    assert_eq!(usage.at_risk, Credits::ZERO);
    // What is not lost is new work.
    order(&session, "a").await;
    let keys = service.keys();
    let is_first: Vec<bool> = keys.iter().map(|key| *key == keys[0]).collect();
    let expected = [vec![true; 6], vec![false, true, false]].concat();
    assert_eq!(is_first, expected, "{keys:?}");
    std::fs::remove_file(&path).unwrap();
}

static WORK: Operation = Operation::post("work", "/work");

/// A command of an API that lists no price.
static UNLISTED: Command = Command {
    handle: "",
    name: "work",
    about: "Works.",
    note: "Price: not published.",
    method: "POST",
    arguments: &[],
    record: &Shape::Any,
    does: Does::Once,
    call: |client, _| Ok(Call::once(client, Request::new(&WORK))),
};

#[tokio::test]
async fn without_a_budget_calls_of_unknown_price_are_made() {
    for (limit, words) in [
        (None, r#""cost":"2 credits""#),
        (Some(two()), "no price of the call is known"),
    ] {
        let service = Service::start(0);
        let session = start(&service, None, limit);
        let told = text(&session.call(&UNLISTED, Map::new(), None).await);
        assert!(told.contains(words), "{limit:?}: {told}");
        let usage = session.client.budget().usage();
        let spent = if limit.is_none() {
            two()
        } else {
            Credits::ZERO
        };
        assert_eq!(usage.spent, spent, "{limit:?}");
    }
}

/// Both calls are lost, and the budget has no room for a second attempt of the second one.
#[tokio::test]
async fn a_failure_names_the_options_that_help() {
    const SETTLE: &str = "`--journal FILE --settle ID=CREDITS`";
    const GREATER: &str = "A greater `--budget` or account allows more calls";
    const STAYS: &str = "; what is in `--journal` stays paid.";
    let five = Credits::from_micros(5_000_000);
    let path = journal("options");
    for (path, limit, of_first, of_second) in [
        (None, None, &[][..], &[][..]),
        (
            Some(&path),
            Some(five),
            &[SETTLE],
            &[SETTLE, GREATER, STAYS],
        ),
        (None, Some(five), &[], &[GREATER]),
    ] {
        let case = format!("{path:?} {limit:?}");
        if let Some(path) = path {
            _ = std::fs::remove_file(path);
        }
        let service = Service::start(usize::MAX);
        let session = start(&service, path.map(|path| &**path), limit);
        for (id, words) in [("a", of_first), ("b", of_second)] {
            let told = order(&session, id).await;
            let is_for_a_person = told.contains("For the person");
            assert_eq!(is_for_a_person, !words.is_empty(), "{case}: {told}");
            for one in [SETTLE, GREATER, STAYS] {
                assert_eq!(told.contains(one), words.contains(&one), "{case}: {told}");
            }
        }
    }
    std::fs::remove_file(&path).unwrap();
}
