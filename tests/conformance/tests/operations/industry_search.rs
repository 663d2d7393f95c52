//! `industry_search`.

use company_intel::types::IndustryLevel;

use crate::paging::sandbox;
use crate::support::calls::sent;
use crate::support::served::check;
use crate::support::wire::{assert_get, list};

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.industry_search("robots").send()).await;
    assert_get(minimal, "industry_search", "", "?query=robots");

    let full = sent(|client| {
        use IndustryLevel::*;
        let call = client.industry_search("robots");
        call.level([L1, L2, L3, L4, All]).send()
    })
    .await;
    let levels = list("industry_search", "level", &["l1", "l2", "l3", "l4", "all"]);
    let query = format!("?{levels}&query=robots");
    assert_get(full, "industry_search", "", &query);
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    check(client.industry_search("software").send().await);
}
