//! Bodies, streams, links and journals of any bytes.

use std::fs;
use std::future::Future;

use company_intel::journal::Journal;
use company_intel::testing::{Reply, Script};
use company_intel::{Client, Credits};
use serde_json::{Value, json};

/// The price of calls that report no charge.
const PRICE: Credits = Credits::new(1);

/// Runs a call on a clock that is paused: pauses between attempts take no time.
fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

fn client(script: &Script) -> Client {
    let client = Client::builder("https://api.example.com/api")
        .api_key("k-of-a-test")
        .transport(script.clone())
        .budget(Credits::new(u32::MAX))
        .assume_price(PRICE)
        .build();
    client.unwrap()
}

pub(crate) fn bodies() -> Vec<Vec<u8>> {
    let post = json!({"id": 1, "title": "a", "type": "full_time", "salary": {"min": "12", "max": 1e3, "currency": null}});
    let page = json!({
        "data": [post, {"title": 7}, "no record"],
        "total_count": 3,
        "credits_consumed": 1.5,
    });
    vec![
        page.to_string().into_bytes(),
        br#"{"credits_consumed": "0.7", "data": null, "credits_consumed": 2}"#.to_vec(),
        br#"{"data": [{"title": "\ud83d\ude00\u0000"}], "credits_consumed": 1E-6, "x": [[[{}]]]}"#
            .to_vec(),
    ]
}

/// A response keeps its bytes, and the budget has what it reports, or else its price.
pub(crate) fn body(data: &[u8]) {
    let script = Script::new([Reply::new(200, data.to_vec())]);
    let client = client(&script);
    let answer = run(client.job_posts("example.com").send());
    match &answer {
        Ok(response) => assert_eq!(response.raw, data, "other bytes"),
        Err(error) => assert_eq!(error.body().map(|body| &body[..]), Some(data), "{error}"),
    }
    assert_eq!(script.sent().len(), 1, "sent again");
    let usage = client.budget().usage();
    match charge(data) {
        Some(charge) => {
            let spent: f64 = usage.spent.to_string().parse().unwrap_or(f64::NAN);
            assert!(spent >= charge, "{spent} of {charge}");
        }
        None => assert!(usage.spent + usage.at_risk > Credits::ZERO, "{usage:?}"),
    }
}

/// Returns the charge that a body reports once, for another reader of JSON.
fn charge(data: &[u8]) -> Option<f64> {
    if String::from_utf8_lossy(data)
        .matches("credits_consumed")
        .count()
        > 1
    {
        return None;
    }
    let value: Value = serde_json::from_slice(data).ok()?;
    let charge = value.get("credits_consumed")?.as_f64()?;
    // Larger amounts are unreadable.
    (0.0..1e9).contains(&charge).then_some(charge)
}

pub(crate) fn streams() -> Vec<Vec<u8>> {
    vec![
        b"\x07event: log\ndata: {\"text\": \"a\"}\nid: 1\nretry: 10\n\ndata: b\r\ndata:c\r\r: d\n\n".to_vec(),
        b"\x01\xef\xbb\xbfdata: {\"level\": 1}\n\ndata\n\n".to_vec(),
    ]
}

/// Events are the same in whatever chunks they arrive. The first byte is the length of a chunk.
pub(crate) fn events(data: &[u8]) {
    let Some((size, stream)) = data.split_first() else {
        return;
    };
    let whole = shown(Reply::chunked(200, [stream.to_vec()]));
    let chunks = stream.chunks(usize::from(*size).max(1));
    let parts = shown(Reply::chunked(200, chunks.map(<[u8]>::to_vec)));
    assert_eq!(whole, parts, "other events in chunks of {size} bytes");
}

/// Returns what a stream has, up to the first error.
fn shown(reply: Reply) -> Vec<String> {
    let script = Script::new([reply.header("content-type", "text/event-stream")]);
    let client = depot_client::Client::builder("https://api.example.com")
        .transport(script)
        .credential(depot_client::credentials::depot_oauth("token"))
        .build()
        .unwrap();
    run(async {
        let mut shown = Vec::new();
        let mut events = match client.watch_log().send_stream().await {
            Ok(stream) => stream.events(),
            Err(error) => return vec![error.to_string()],
        };
        while let Some(event) = events.next().await {
            shown.push(match event {
                Ok(event) => format!("{event:?}"),
                Err(error) => {
                    shown.push(error.to_string());
                    break;
                }
            });
        }
        shown
    })
}

pub(crate) fn links() -> Vec<Vec<u8>> {
    vec![
        b"</repositories/ada/issues?of=1&page=2>; rel=\"next\", <https://other.example/>; rel=last"
            .to_vec(),
        b"<?a=%20>; title*=UTF-8''a; rel=\"prev next\"; anchor=\"#a\"".to_vec(),
    ]
}

/// Links of pages end: a page is not requested twice.
pub(crate) fn link(data: &[u8]) {
    let Ok(header) = str::from_utf8(data) else {
        return;
    };
    let first = Reply::new(200, "[]").header("link", header);
    let script = Script::new([first]);
    let client = lists_client::Client::builder("https://api.example.com/v1")
        .transport(script.clone())
        .api_key("k-of-a-test")
        .build()
        .unwrap();
    run(async {
        let mut pages = client.list_issues("ada").pages();
        while let Some(page) = pages.next().await {
            if page.is_err() {
                break;
            }
        }
    });
    let sent = script.sent();
    assert!((1..=5).contains(&sent.len()), "{} requests", sent.len());
}

/// Returns the journal of a run with a call that was paid for, and one that was lost.
pub(crate) fn journals() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let replies = [
        Reply::new(200, r#"{"data": {}, "credits_consumed": 2.5}"#),
        Reply::new(500, ""),
    ];
    let script = Script::new(replies);
    let journal = Journal::open(&path, "run").unwrap();
    let client = Client::builder("https://api.example.com/api")
        .api_key("k-of-a-test")
        .transport(script)
        .budget(journal.budget(Credits::new(100)))
        .build();
    let client = client.unwrap();
    for domain in ["example.com", "example.org"] {
        let call = client.headcount_trends(domain);
        let called = journal.call(domain, call, |call| call.send(), |_| Ok::<_, String>(()));
        run(called).unwrap();
    }
    drop(journal);
    let written = fs::read(&path).unwrap();
    vec![written]
}

/// A journal is read the same twice, or refused and left as it is.
pub(crate) fn journal(data: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    fs::write(&path, data).unwrap();
    match Journal::open(&path, "run") {
        Ok(journal) => {
            let usage = journal.usage();
            drop(journal);
            let again = Journal::open(&path, "run").unwrap();
            assert_eq!(again.usage(), usage, "other sums");
        }
        Err(_) => {
            let left = fs::read(&path).unwrap();
            assert_eq!(left, data, "a refused file was changed");
        }
    }
}
