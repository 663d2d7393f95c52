//! A server that lost data: from before a failover, or since its last snapshot.

use std::sync::atomic::Ordering;

use account_tests::Server;
use generated_client::account::{Account, OpenError, RedisStore};

use crate::support::{Service, call, client, credits};

#[tokio::test]
async fn a_server_that_lost_everything_grants_nothing_until_the_limit_is_set_again() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = || async { RedisStore::connect(&server.url()).await.unwrap() };
    let worker = || async { Account::named("refilled").open(store().await).await };
    let set_limit = |limit| async move {
        let account = Account::named("refilled").limit(credits(limit));
        account.open(store().await).await.unwrap()
    };
    let absent = worker().await.unwrap_err();
    assert!(matches!(absent, OpenError::Absent(_)), "{absent}");
    assert!(
        absent.to_string().contains("set its limit once"),
        "{absent}"
    );
    set_limit(4).await;
    let account = worker().await.unwrap();
    let (client, sent) = client(&account, Service::charges(3));
    call(&client, 3).await.unwrap();

    let direct = redis::Client::open(server.url()).unwrap();
    let mut direct = direct.get_multiplexed_async_connection().await.unwrap();
    let _: () = redis::cmd("FLUSHALL")
        .query_async(&mut direct)
        .await
        .unwrap();
    let error = call(&client, 1).await.unwrap_err();
    assert!(error.account_unavailable().is_some(), "{error:?}");
    assert!(error.to_string().contains("set the limit again"), "{error}");
    assert!(matches!(worker().await, Err(OpenError::Absent(_))));
    assert_eq!(sent.load(Ordering::SeqCst), 1);
    set_limit(1).await;
    call(&client, 1).await.unwrap();
    assert!(
        call(&client, 1)
            .await
            .is_err_and(|error| error.budget().is_some())
    );
}
