//! Prices that one process sees, and what they change for the others.

use account_tests::Server;
use generated_client::account::{Account, RedisStore};

use crate::support::{Service, call_unpriced, client, credits, flush, in_redis, sums};

#[tokio::test]
async fn a_high_charge_of_one_process_is_forgotten_by_all() {
    in_redis(|store| async move {
        let open = async || {
            store
                .open(Account::named("once").limit(credits(1000)))
                .await
        };
        let mut clients = Vec::new();
        let first = Service {
            first_cost: Some(10),
            ..Service::charges(1)
        };
        for at in 0..3 {
            let service = if at == 0 { first } else { Service::charges(1) };
            clients.push(client(&open().await, service).0);
        }
        for client in &clients {
            call_unpriced(client).await.unwrap();
        }
        assert_eq!(clients[2].prices()[0].credits, credits(10));
        for _ in 0..30 {
            for client in &clients {
                call_unpriced(client).await.unwrap();
            }
        }
        for client in &clients {
            assert_eq!(client.prices()[0].credits, credits(1));
        }
    })
    .await;
}

#[tokio::test]
async fn a_call_lost_before_its_price_was_known_is_at_risk_for_what_another_process_paid() {
    in_redis(|store| async move {
        let open = async || {
            let account = Account::named("unpriced");
            store.open(account).await
        };
        let limited = Account::named("unpriced").limit(credits(20));
        let (one, other) = (store.open(limited).await, open().await);
        let lose = async |account: &Account| {
            let (client, _) = client(account, Service::saying(500));
            call_unpriced(&client).await.unwrap_err();
            flush(account).await;
        };
        lose(&one).await;
        assert_eq!(sums(&one).await, ([0, 0, 2], 1));
        call_unpriced(&client(&other, Service::charges(3)).0)
            .await
            .unwrap();
        flush(&other).await;
        assert_eq!(sums(&one).await, ([3, 0, 3], 2));
        // So is one of a process that does not know the price yet.
        lose(&open().await).await;
        assert_eq!(sums(&one).await, ([3, 0, 6], 3));
    })
    .await;
}

/// The lost call of a tenant has the dearest price of the document at risk, and locks neither the account nor the tenant.
#[tokio::test]
async fn an_unknown_company_of_one_tenant_refuses_no_other() {
    in_redis(|store| async move {
        let account = store.open(Account::named("exact").limit(credits(20))).await;
        let scoped = async |name| account.scoped(name, credits(10), None).await.unwrap();
        let (small, other) = (scoped("small").await, scoped("other").await);
        let (lost, _) = client(&small, Service::saying(404));
        call_unpriced(&lost).await.unwrap_err();
        flush(&account).await;
        assert_eq!(sums(&account).await, ([0, 0, 2], 1));
        for tenant in [&other, &small] {
            let (known, _) = client(tenant, Service::charges(3));
            call_unpriced(&known).await.unwrap();
        }
        flush(&account).await;
        // By now its price is known.
        assert_eq!(sums(&account).await, ([6, 0, 3], 3));
    })
    .await;
}

#[tokio::test]
async fn a_lost_call_of_unknown_price_that_is_settled_leaves_nothing_behind() {
    let Some(server) = Server::start().await.unwrap() else {
        return;
    };
    let store = RedisStore::connect(&server.url()).await.unwrap();
    let account = Account::named("settled").limit(credits(20));
    let account = account.open(store).await.unwrap();
    let (client, _) = client(&account, Service::saying(500));
    call_unpriced(&client).await.unwrap_err();
    flush(&account).await;
    let direct = redis::Client::open(server.url()).unwrap();
    let mut direct = direct.get_multiplexed_async_connection().await.unwrap();
    for expected in [1, 0] {
        let mut asked = redis::cmd("HLEN");
        let asked = asked.arg("metered:{settled}:unpriced");
        let left: u64 = asked.query_async(&mut direct).await.unwrap();
        assert_eq!(left, expected);
        for call in account.at_risk().await.unwrap() {
            assert!(account.settle(call.id, credits(1)).await.unwrap());
        }
    }
}
