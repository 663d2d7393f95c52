//! A replica takes over. If the primary hands over to it, nothing is lost; if the primary dies, all data that the replica lacks.

use account_tests::Server;
use account_tests::wire::{Flow, Wire};
use tokio::time::{Duration, sleep};

use crate::faults::ask;
use crate::rounds::{agrees, watched};
use crate::storm::{Storm, seeds};

async fn until(server: &Server, fact: &str) {
    for _ in 0..500 {
        if ask(server, "INFO replication").await.contains(fact) {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("a server does not come to {fact}");
}

/// Returns the log position that a server has written or copied. `WAIT` would only wait for writes of the same connection.
async fn offset(server: &Server, name: &str) -> u64 {
    let about = ask(server, "INFO replication").await;
    let (_, rest) = about.split_once(name).unwrap();
    rest.lines().next().unwrap().parse().unwrap()
}

/// Starts a server that replicates over the wire.
async fn replica(storm: &Storm, link: &Wire) -> Server {
    ask(&storm.server, "CONFIG SET repl-diskless-sync-delay 0").await;
    let port = link.address().port().to_string();
    let arguments = ["--appendonly", "yes", "--appendfsync", "always"];
    let copies = ["--replicaof", "127.0.0.1", &port];
    let replica = Server::with(&[&arguments[..], &copies[..]].concat()).await;
    let replica = replica.unwrap().unwrap();
    until(&replica, "master_link_status:up").await;
    replica
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the gate runs it: a storm of real processes"]
async fn a_primary_that_hands_over_loses_nothing() {
    for seed in seeds() {
        let Some(mut storm) = Storm::start(seed).await else {
            return;
        };
        let link = Wire::to(storm.server.address()).await.unwrap();
        let mut replica = replica(&storm, &link).await;
        drop(link);
        // A primary hands over to a replica whose address it knows, so this one copies without the wire.
        let port = storm.server.address().port();
        ask(&replica, &format!("REPLICAOF 127.0.0.1 {port}")).await;
        until(&replica, "master_link_status:up").await;
        let watch = storm.watch();
        storm.rest(300, 1200).await;
        let port = replica.address().port();
        until(&storm.server, &format!("port={port},state=online")).await;
        ask(&storm.server, &format!("FAILOVER TO 127.0.0.1 {port}")).await;
        until(&replica, "role:master").await;
        storm.wire.move_to(replica.address());
        std::mem::swap(&mut storm.server, &mut replica);
        storm.rest(500, 1500).await;
        let (billed, account) = storm.end().await;
        watched(watch).await;
        agrees(&storm, billed, &account);
    }
}

/// Credits granted after the replica's last step may be spent twice. All others are limited as usual.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the gate runs it: a storm of real processes"]
async fn a_primary_that_dies_costs_at_most_what_it_granted_alone() {
    for seed in seeds() {
        let Some(mut storm) = Storm::start(seed).await else {
            return;
        };
        let link = Wire::to(storm.server.address()).await.unwrap();
        let mut replica = replica(&storm, &link).await;
        storm.rest(300, 1200).await;
        let before = storm.billed();
        let written = offset(&storm.server, "master_repl_offset:").await;
        while offset(&replica, "slave_repl_offset:").await < written {
            sleep(Duration::from_millis(5)).await;
        }
        link.set(Flow::Down);
        storm.rest(0, 400).await;
        storm.server.kill().unwrap();
        let alone = storm.billed().checked_sub(before).unwrap();
        ask(&replica, "REPLICAOF NO ONE").await;
        storm.wire.move_to(replica.address());
        std::mem::swap(&mut storm.server, &mut replica);
        storm.rest(500, 1500).await;

        let (billed, account) = storm.end().await;
        let known = account.usage.spent + account.usage.at_risk;
        let forgotten = billed.checked_sub(known).unwrap_or_default();
        println!("{alone} billed by the primary alone, {forgotten} forgotten");
        assert!(forgotten <= alone, "{account:?}");
        // Calls in flight when the primary died count, and may exceed the limit.
        let granted = alone + storm.all_calls();
        assert!(billed <= storm.limit + granted, "{account:?}");
        assert_eq!(account.conflicts, 0, "{account:?}");
    }
}
