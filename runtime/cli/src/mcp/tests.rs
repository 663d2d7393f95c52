//! Idempotency keys of the calls of agents.

use std::path::Path;
use std::sync::Arc;

use generated_client::ClientBuilder;
use metered_client::Credits;
use metered_client::journal::Journal;
use metered_client::prelude::*;
use rmcp::model::CallToolResult;
use serde_json::Map;

use super::session::Session;
use crate::tests::{API, COMMANDS, PROGRAM, Service, journal, two};

fn session(service: &Service, path: &Path) -> Arc<Session> {
    let journal = Journal::open(path, "agents").unwrap();
    let builder = ClientBuilder::new(&API, service.base_url());
    let client = builder.ledger(journal.ledger(Credits::from_micros(10_000_000)));
    let client = client.build().unwrap();
    let offered = COMMANDS.iter().collect();
    Arc::new(Session::new(&PROGRAM, client, journal, offered, 4096))
}

async fn order(session: &Arc<Session>, id: &str) -> String {
    let given = Map::from_iter([("id".to_owned(), id.into())]);
    let result: CallToolResult = session.call(&COMMANDS[0], given, None).await;
    let text = result.content.first().and_then(|content| content.as_text());
    text.unwrap().text.clone()
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
    assert_eq!(session.client.ledger().usage().at_risk, two());
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
