//! A script returns pages in the style of each list.

use lists_client::Client;
use lists_client::testing::{Reply, Script};
use serde_json::{Value, json};

use super::rows::{At, Row, Says};
use super::service::{RECORDS, SIZE};
use super::{ids, promise, rest};

promise!(a_script_has_pages_with_little_code);
async fn a_script_has_pages_with_little_code(row: fn() -> Row) {
    let row = row();
    let records: Vec<Value> = (0..RECORDS)
        .map(|id| json!({"id": id, "size": 1}))
        .collect();
    let pages = records.chunks(SIZE).map(<[Value]>::to_vec).collect();
    let mut replies = (row.replies)(row.records, pages);
    // The total is placed where the document has it.
    for says in row.says {
        if let Says::Total(At::Body(at)) = says {
            let with = |reply: Reply| reply.with(at, RECORDS);
            replies = replies.into_iter().map(with).collect();
        }
    }
    let script = Script::new(replies);
    let client = Client::builder("https://lists.example/v1")
        .api_key("a-key")
        .transport(script.clone())
        .build()
        .unwrap();
    let (all, error) = rest(&mut (row.items)(&client)).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(all, ids(0..RECORDS));
    let sent = script.sent();
    let mut addresses: Vec<_> = sent.iter().map(|one| (&one.query, &one.body)).collect();
    addresses.dedup();
    assert_eq!(addresses.len(), sent.len(), "each asks for another page");
}
