//! Calls at risk of a ledger and of an account beside a statement. Time is paused.

use metered_client::account::{Account, InProcess};
use metered_client::money::reconciliation::{BookEntry, Reconciliation, StatementLine};
use metered_client::prelude::*;
use metered_client::testing::{Reply, Script};
use metered_client::{ClientBuilder, Credits};

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{PAID, books, call, credits};

#[tokio::test(start_paused = true)]
async fn a_statement_settles_the_ledger_and_the_account() {
    let account = Account::named("reconciled").limit(credits("10"));
    let account = account.open(InProcess::new()).await.unwrap();
    let script = Script::new([
        Reply::new(422, "").header("x-request-id", "one"),
        Reply::new(422, "").header("x-request-id", "two"),
    ]);
    let client = ClientBuilder::<metered_client::Client>::new(&API, "https://example.com")
        .api_key(KEY)
        .budget(credits("10"))
        .account(account.clone())
        .transport(script)
        .build()
        .unwrap();
    for _ in 0..2 {
        call(&client, &PAID).await.unwrap_err();
    }
    let statement = [StatementLine {
        credits: credits("1.5"),
        request_id: Some("two".to_owned()),
        ..StatementLine::default()
    }];
    let ledger = client.ledger();
    let found = Reconciliation::of(
        statement.clone(),
        ledger.at_risk().into_iter().map(BookEntry::from),
    );
    assert_eq!(found.absent().count(), 1);
    for (call, charged) in found.settlements() {
        assert!(ledger.settle(call, charged));
    }
    assert_eq!(books(ledger), (credits("1.5"), Credits::ZERO, credits("2")));
    let risks = account.at_risk().await.unwrap();
    let found = Reconciliation::of(statement, risks.into_iter().map(BookEntry::from));
    for (call, charged) in found.settlements() {
        assert!(account.settle(&call, charged).await.unwrap());
    }
    for call in found.absent() {
        assert!(account.settle(&call, Credits::ZERO).await.unwrap());
    }
    let usage = account.usage().await.unwrap().usage;
    assert_eq!(
        (usage.spent, usage.at_risk),
        (credits("1.5"), Credits::ZERO)
    );
}
