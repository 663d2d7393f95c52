//! Records and pages from a service that bills: all records arrive once, at the documented price. `operations/` has those of each operation.

use std::collections::BTreeSet;

use company_intel::money::PriceSource;
use company_intel::{Client, Credits, Outcome};
use company_intel_sandbox::Sandbox;

pub(crate) const COMPANY: &str = "example.com";

pub(crate) async fn sandbox() -> (Sandbox, Client) {
    let sandbox = Sandbox::start().await.unwrap();
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()
        .unwrap();
    (sandbox, client)
}

fn credits(text: &str) -> Credits {
    text.parse().unwrap()
}

/// Returns the spent credits, after a check that the service billed as many.
pub(crate) fn spent(sandbox: &Sandbox, client: &Client) -> Credits {
    let usage = client.budget().usage();
    assert_eq!(usage.spent.micros(), sandbox.bill().total_micros);
    assert_eq!(
        (usage.reserved, usage.at_risk),
        (Credits::ZERO, Credits::ZERO)
    );
    usage.spent
}

/// Reads all records. The sandbox has no duplicates.
macro_rules! all {
    ($items:expr) => {{
        let mut items = $items;
        let mut ids = Vec::new();
        while let Some(item) = items.next().await {
            ids.push(format!("{:?}", item.unwrap()));
        }
        assert_eq!(items.quote().calls, Some(0));
        ids
    }};
}
pub(crate) use all;

/// Checks that a run brings so many records once, in so many calls, at the cost that the service bills.
macro_rules! assert_read_once {
    ($sandbox:ident, $client:ident, $items:expr, $records:literal in $calls:literal) => {
        let all = crate::paging::all!($items);
        let calls = $sandbox.bill().calls.len();
        assert_eq!((crate::paging::distinct(&all), calls), ($records, $calls));
        assert_eq!($client.budget().usage().calls, $calls);
        crate::paging::spent(&$sandbox, &$client);
    };
}
pub(crate) use assert_read_once;

/// Returns the number of distinct identifiers.
pub(crate) fn distinct(ids: &[String]) -> usize {
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    ids.len()
}

/// Counts the records before the end or an error, and returns both.
macro_rules! counted {
    ($items:expr) => {{
        let items = &mut $items;
        let mut count = 0;
        loop {
            match items.next().await {
                Some(Ok(_)) => count += 1,
                Some(Err(error)) => break (count, Some(error)),
                None => break (count, None),
            }
        }
    }};
}

#[tokio::test]
async fn a_run_costs_what_was_quoted_and_no_more_than_was_allowed() {
    let (sandbox, client) = sandbox().await;
    let mut items = client.job_posts(COMPANY).items();
    assert_eq!(items.quote().calls, None);
    assert_eq!(items.quote().source, PriceSource::Observed);
    items.next().await.unwrap().unwrap();
    let quote = items.quote();
    assert_eq!((quote.calls, quote.at_most), (Some(2), Some(credits("8"))));
    assert!(matches!(counted!(items), (22, None)));
    assert_eq!(spent(&sandbox, &client), credits("12"));

    let mut items = client.job_posts(COMPANY).items().take(12);
    assert_eq!(items.quote().at_most, Some(credits("8")));
    assert!(matches!(counted!(items), (12, None)));
    assert_eq!(items.offset(), 12);
    assert_eq!(spent(&sandbox, &client), credits("20"));

    let mut items = client.job_posts(COMPANY).items().at_most(credits("9"));
    let (count, error) = counted!(items);
    let error = error.unwrap();
    assert_eq!((count, error.resume_offset()), (20, Some(20)));
    assert!(error.of_call().budget().is_some(), "{error:?}");
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert_eq!(spent(&sandbox, &client), credits("28"));
    let rest = client.job_posts(COMPANY).offset(20).items();
    assert_eq!(distinct(&all!(rest)), 3);
    assert_eq!(spent(&sandbox, &client), credits("32"));
}
