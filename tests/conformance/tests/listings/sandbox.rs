//! The sandbox serves the list of any document in its style.

use company_intel_sandbox::Sandbox;
use lists_client::Client;

use super::rows::Row;
use super::{promise, rest};

const DOCUMENT: &str = include_str!("../../../documents/lists/openapi.yaml");

promise!(the_sandbox_has_several_pages);
async fn the_sandbox_has_several_pages(row: fn() -> Row) {
    let sandbox = Sandbox::builder().document(DOCUMENT).start().await.unwrap();
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()
        .unwrap();
    // The page may be as long as the list if only a short page ends a run.
    let (all, error) = rest(&mut (row().items)(&client)).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(all, [1, 2, 3]);
    let bill = sandbox.bill();
    let calls = if row().is_by_offset() { 1 } else { 2 };
    assert_eq!((bill.calls.len(), bill.refused), (calls, 0));
}
