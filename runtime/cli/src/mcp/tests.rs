//! Idempotency keys of the calls of agents, and the end of their sessions.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use generated_client::ClientBuilder;
use metered_client::Credits;
use metered_client::journal::Journal;
use metered_client::prelude::*;
use rmcp::model::CallToolResult;
use serde_json::Map;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use super::http::serve;
use super::session::Session;
use crate::tests::{API, COMMANDS, PROGRAM, Service, journal, two};

fn session(service: &Service, path: &Path) -> Arc<Session> {
    let journal = Journal::open(path, "agents").unwrap();
    let builder = ClientBuilder::new(&API, service.base_url());
    let client = builder.ledger(journal.ledger(Credits::from_micros(10_000_000)));
    let client = client.build().unwrap();
    let offered = COMMANDS.iter().collect();
    Arc::new(Session::new(&PROGRAM, client, journal, true, offered, 4096))
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

/// Opens a session, and returns the status of the response.
async fn open(address: SocketAddr) -> String {
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
    let length = hello.len();
    let head = format!(
        "POST / HTTP/1.1\r\nhost: {address}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection
        .write_all((head + hello).as_bytes())
        .await
        .unwrap();
    let mut status = [0; 12];
    connection.read_exact(&mut status).await.unwrap();
    String::from_utf8(status.to_vec()).unwrap()
}

#[tokio::test]
async fn sessions_without_requests_end_and_leave_room_for_others() {
    let path = journal("sessions");
    let session = session(&Service::start(0), &path);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let idle = Duration::from_millis(300);
    let server = tokio::spawn(async move { serve(listener, address, session, 3, idle).await });
    let opened = tokio::join!(open(address), open(address), open(address), open(address));
    let mut opened = [opened.0, opened.1, opened.2, opened.3];
    opened.sort();
    let ok = "HTTP/1.1 200";
    assert_eq!(opened, [ok, ok, ok, "HTTP/1.1 503"]);
    let mut tries = 0;
    while open(address).await != ok {
        tries += 1;
        assert!(tries < 100, "no session ends");
        sleep(idle / 4).await;
    }
    server.abort();
    std::fs::remove_file(&path).unwrap();
}
