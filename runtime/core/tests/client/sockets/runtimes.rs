//! One client in one Tokio runtime after the other: connections, and the tasks behind them, end with their runtime.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use generated_client::{Client, ClientBuilder, Credits, Outcome};
use tokio::runtime::{Builder, Runtime};

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{PAID, call, credits};

/// Responds to every request of every connection, and keeps the connections open. Returns its address and the number of connections.
fn service() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&connections);
    thread::spawn(move || {
        for connection in listener.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
            thread::spawn(move || serve(connection.unwrap()));
        }
    });
    (base_url, connections)
}

fn serve(mut connection: TcpStream) {
    let lines = BufReader::new(connection.try_clone().unwrap()).lines();
    for line in lines {
        let Ok(line) = line else { return };
        if line.is_empty() {
            let body = r#"{"cost": 2}"#;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            connection.write_all((head + body).as_bytes()).unwrap();
        }
    }
}

fn runtimes() -> impl Iterator<Item = Runtime> {
    let builders = [Builder::new_current_thread, Builder::new_multi_thread];
    let all = (0..6).map(move |index| builders[index % 2]().enable_all().build());
    all.map(Result::unwrap)
}

#[test]
fn a_client_outlives_its_runtime_and_all_connections_of_it() {
    let (base_url, connections) = service();
    let builder = ClientBuilder::new(&API, base_url).api_key(KEY);
    let client: Client = builder.budget(credits("100")).build().unwrap();
    for (index, runtime) in runtimes().enumerate() {
        for _ in 0..3 {
            let response = runtime.block_on(call(&client, &PAID)).unwrap();
            assert_eq!(response.meta.outcome(), Outcome::Charged(credits("2")));
            assert_eq!(response.meta.attempts, 1);
        }
        assert_eq!(connections.load(Ordering::SeqCst), index + 1);
    }
    let usage = client.budget().usage();
    assert_eq!(
        (usage.spent, usage.reserved, usage.at_risk),
        (credits("36"), Credits::ZERO, Credits::ZERO)
    );
}
