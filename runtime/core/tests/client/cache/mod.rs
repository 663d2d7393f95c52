//! Stored responses: what is reused, what is made once, and what it costs.

mod flight;

use std::time::Duration;

use generated_client::cache::Cache;
use generated_client::document::Operation;
use generated_client::money::BatchQuote;
use generated_client::request::{CallOptions, ParameterStyle, Place, Request, Style};
use generated_client::response::Undecoded;
use generated_client::testing::{Reply, Script, Sent};
use generated_client::values::SecretText;
use generated_client::{
    Call, Client, ClientBuilder, Credits, Error, Method, Outcome, Response, StatusCode,
};
use serde_json::{Value, json};

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{FREE_POST, PAID};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Its price is two credits, and its response says how often the service was called.
fn counting() -> Script {
    let count = std::sync::atomic::AtomicU64::new(0);
    Script::responding(move |_: &Sent| {
        let calls = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1;
        Reply::new(200, json!({ "cost": 2, "call": calls }).to_string())
            .after(Duration::from_secs(1))
    })
}

fn builder(script: &Script, cache: Cache) -> ClientBuilder {
    ClientBuilder::new(&API, "https://example.com")
        .api_key(KEY)
        .transport(script.clone())
        .cache(cache)
}

fn client(script: &Script, cache: Cache) -> Client {
    builder(script, cache).build().unwrap()
}

fn fresh() -> Cache {
    Cache::in_memory().max_age(DAY)
}

fn paid(website: &str) -> Request {
    let mut request = Request::new(&PAID);
    request.query("company", &website).websites(&["company"]);
    request
}

fn with(change: impl FnOnce(&mut CallOptions)) -> Request {
    let mut options = CallOptions::default();
    change(&mut options);
    let mut request = paid("example.com");
    request.options(&options);
    request
}

async fn number(client: &Client, request: Request) -> u64 {
    let response: Response<Value> = client.send(request).await.unwrap();
    response.body["call"].as_u64().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_stored_response_costs_nothing_and_is_counted_as_saved() {
    let script = counting();
    let client = client(&script, fresh());
    let first: Response<Value> = client.send(paid("example.com")).await.unwrap();
    assert_eq!(first.outcome(), Outcome::Charged(Credits::new(2)));
    assert_eq!(first.meta.stored_at(), None);
    let again: Response<Value> = client.send(paid("example.com")).await.unwrap();
    assert_eq!(again.outcome(), Outcome::Stored);
    assert!(again.meta.stored_at().is_some());
    assert_eq!((again.body, again.raw), (first.body, first.raw));
    let usage = client.budget().usage();
    assert_eq!(
        (usage.spent, usage.saved),
        (Credits::new(2), Credits::new(2))
    );
    assert_eq!((usage.calls, script.sent().len()), (1, 1));
    // Nothing is reserved: it needs no budget.
    let scoped = client.scoped(Credits::ZERO);
    assert_eq!(number(&scoped, paid("example.com")).await, 1);
    assert_eq!(scoped.budget().usage().saved, Credits::new(2));
    assert_eq!(client.budget().usage().saved, Credits::new(4));
}

/// The types of a later version may be others than those that it was stored for.
#[tokio::test(start_paused = true)]
async fn a_stored_response_of_another_type_is_an_error_with_its_bytes_and_stays() {
    let script = counting();
    let client = client(&script, fresh());
    let first: Response<Value> = client.send(paid("example.com")).await.unwrap();
    let error = client
        .send::<Vec<u8>>(paid("example.com"))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error:?}");
    assert_eq!(
        (error.body(), error.outcome()),
        (Some(&first.raw), Outcome::Stored)
    );
    assert_eq!(number(&client, paid("example.com")).await, 1);
    assert_eq!(script.sent().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn equal_calls_are_those_with_the_same_arguments_and_spellings_of_a_website() {
    let script = counting();
    let client = client(&script, fresh());
    for (website, call) in [
        ("example.com", 1),
        ("www.EXAMPLE.com", 1),
        ("https://example.com/", 1),
        ("http://example.com:80", 1),
        ("example.com/team", 2),
        ("example.org", 3),
        ("b3f1c2", 4),
        ("B3F1C2", 5),
    ] {
        assert_eq!(number(&client, paid(website)).await, call, "{website}");
    }
    // What is sent stays as given.
    let sent = script.sent();
    assert_eq!(sent[0].query, "company=example.com");
    let mut other = paid("example.com");
    other.query("many", &true);
    assert_eq!(number(&client, other).await, 6);
    let mut other = paid("example.com");
    other.header("accept-language", &"nl");
    assert_eq!(number(&client, other).await, 7);
}

#[tokio::test(start_paused = true)]
async fn a_call_says_how_old_a_response_may_be() {
    let script = counting();
    let client = client(&script, fresh());
    assert_eq!(number(&client, paid("example.com")).await, 1);
    let refreshed = with(|options| options.cache.is_refreshed = true);
    assert_eq!(number(&client, refreshed).await, 2);
    assert_eq!(number(&client, paid("example.com")).await, 2);
    std::thread::sleep(Duration::from_millis(3));
    let young = with(|options| options.cache.max_age = Some(Duration::from_millis(1)));
    assert_eq!(number(&client, young).await, 3);
    let none = with(|options| options.cache.max_age = Some(Duration::ZERO));
    assert_eq!(number(&client, none).await, 4);
    let only = with(|options| options.cache.is_only = true);
    assert_eq!(number(&client, only).await, 3);
    let mut other = paid("example.org");
    let mut options = CallOptions::default();
    options.cache.is_only = true;
    other.options(&options);
    let error = client.send::<Value>(other).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert!(
        matches!(&error, Error::Refused(refused) if refused.kind() == "cache"),
        "{error}"
    );
    assert!(
        error.to_string().contains("no fresh response is stored"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn only_what_the_document_the_client_or_the_call_allows_is_stored() {
    let script = counting();
    let age = |request: &mut Request, days: u32| _ = request.fresh_for(DAY * days);
    for (operation, cache, days, is_stored) in [
        (&PAID, Cache::in_memory(), None, false),
        (&PAID, Cache::in_memory(), Some(1), true),
        (&PAID, fresh(), None, true),
        (&PAID, fresh(), Some(0), false),
        (&FREE_POST, fresh(), None, false),
        (&FREE_POST, fresh(), Some(1), true),
    ] {
        let client = client(&script, cache);
        let mut request = Request::new(operation);
        if let Some(days) = days {
            age(&mut request, days);
        }
        let first = number(&client, request.clone()).await;
        let again = number(&client, request).await;
        assert_eq!(first == again, is_stored, "{operation} {days:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn failures_are_not_stored_unless_the_cache_names_their_status() {
    for (status, also, requests) in [(404, false, 2), (404, true, 1), (500, false, 2)] {
        let script = Script::responding(move |_: &Sent| Reply::new(status, "{}"));
        let cache = if also {
            fresh().also(StatusCode::NOT_FOUND)
        } else {
            fresh()
        };
        let client = client(&script, cache);
        for _ in 0..2 {
            let error = client.send::<Value>(paid("example.com")).await.unwrap_err();
            assert_eq!(error.status().unwrap(), status);
        }
        assert_eq!(script.sent().len(), requests, "{status} {also}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_repeats_a_credential_is_not_stored() {
    for reply in [
        Reply::new(200, format!(r#"{{"cost": 2, "you": "{KEY}"}}"#)),
        Reply::new(200, r#"{"cost": 2}"#).header("x-you", KEY),
    ] {
        let script = Script::responding(move |_: &Sent| reply.clone());
        let client = client(&script, fresh());
        for _ in 0..2 {
            client.send::<Value>(paid("example.com")).await.unwrap();
        }
        assert_eq!(script.sent().len(), 2);
    }
    let script = counting();
    let client = client(&script, fresh());
    for call in 1..=2 {
        assert_eq!(number(&client, paid(KEY)).await, call);
    }
}

#[derive(serde::Serialize)]
struct Login {
    token: SecretText,
}

#[tokio::test]
async fn a_secret_argument_is_in_no_request_and_no_response_that_is_stored() {
    let folder = std::env::temp_dir().join(format!("cache-secret-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("responses.sqlite");
    let secret: SecretText = "canary-4711".into();
    let script = Script::responding(|sent: &Sent| Reply::new(200, format!("{:?}", sent.body)));
    let client = client(&script, Cache::open(&path).unwrap().max_age(DAY));
    let filled: [fn(&mut Request, &SecretText); 5] = [
        |request, secret| _ = request.query("pin", &secret.expose()),
        |request, secret| _ = request.header("x-pin", &secret.expose()),
        |request, secret| {
            let style = ParameterStyle::new(Place::Cookie, Style::Form);
            request.parameter("pin", style, secret);
        },
        |request, secret| {
            let token = secret.clone();
            request.json(&[Login { token }]);
        },
        // Another one was read before.
        |request, _| _ = request.query("pin", &"none"),
    ];
    for (fill, sent) in filled.into_iter().zip([2, 2, 2, 2, 1]) {
        let before = script.sent().len();
        for _ in 0..2 {
            assert_eq!(secret.expose(), "canary-4711");
            let mut request = Request::new(&PAID);
            request.accept("*/*");
            fill(&mut request, &secret);
            client.send_with(request, Undecoded::bytes).await.unwrap();
        }
        assert_eq!(script.sent().len() - before, sent);
    }
    drop(client);
    for file in std::fs::read_dir(&folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(6).any(|bytes| bytes == b"canary"));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_batch_is_quoted_with_its_repeats_and_stored_responses() {
    let script = counting();
    let client = builder(&script, fresh()).budget(Credits::new(7));
    let client = client.build().unwrap();
    let call = |path: &str| client.raw(Method::GET, path).price(Credits::new(3));
    call("/stored").send::<Value>().await.unwrap();
    let paths = ["/stored", "/a", "/b", "/a"];
    let quote = BatchQuote::add_up(paths.map(call)).await.unwrap();
    assert_eq!((quote.inputs, quote.stored, quote.repeats), (4, 1, 1));
    assert!(quote.oldest.is_some());
    let six = Some(Credits::new(6));
    assert_eq!((quote.calls, quote.at_most), (Some(2), six));
    assert_eq!((quote.left, quote.fit), (Some(Credits::new(5)), 1));
    let only = paths.map(|path| call(path).only_if_cached());
    let quote = BatchQuote::add_up(only).await.unwrap();
    assert_eq!((quote.stored, quote.unanswered), (1, 3));
    assert_eq!((quote.calls, quote.at_most), (Some(0), Some(Credits::ZERO)));
    let again = paths.map(|path| call(path).refresh());
    let quote = BatchQuote::add_up(again).await.unwrap();
    assert_eq!((quote.calls, quote.to_call()), (Some(4), 4));
    assert_eq!(script.sent().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn partitions_share_nothing_and_clients_share_their_cache() {
    let script = counting();
    let cache = fresh();
    let one = client(&script, cache.clone());
    let two = client(&script, cache.clone());
    let other = client(&script, cache.partition("acme"));
    assert_eq!(number(&one, paid("example.com")).await, 1);
    assert_eq!(number(&two, paid("example.com")).await, 1);
    assert_eq!(number(&other, paid("example.com")).await, 2);
    assert_eq!(number(&other, paid("example.com")).await, 2);
}

#[tokio::test]
async fn a_file_keeps_responses_for_the_next_process() {
    let folder = std::env::temp_dir().join(format!("cache-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("responses.sqlite");
    static BYTES: Operation = Operation::get("bytes", "/bytes");
    let script = Script::responding(|sent: &Sent| match &*sent.path {
        "/bytes" => Reply::new(200, &b"\xff\x00"[..]).header("x-page", "2"),
        _ => Reply::new(200, r#"{"cost": 2, "call": 1}"#),
    });
    for saved in [0, 2] {
        let cache = Cache::open(&path).unwrap().max_age(DAY);
        let client = client(&script, cache);
        assert_eq!(number(&client, paid("example.com")).await, 1);
        let mut bytes = Request::new(&BYTES);
        bytes.accept("*/*");
        let bytes = client.send_with(bytes, Undecoded::bytes);
        let bytes = bytes.await.unwrap();
        assert_eq!(
            (&*bytes.raw, &bytes.meta.headers["x-page"]),
            (&b"\xff\x00"[..], &"2".parse().unwrap())
        );
        assert_eq!(client.budget().usage().saved, Credits::new(saved));
    }
    assert_eq!(script.sent().len(), 2);
    // Without a service, whatever the age.
    let cache = Cache::open(&path).unwrap().only_if_cached();
    let replayed = client(&Script::new([]), cache);
    let mut request = paid("example.com");
    request.fresh_for(Duration::from_nanos(1));
    assert_eq!(number(&replayed, request).await, 1);
    let other = replayed
        .send::<Value>(paid("example.org"))
        .await
        .unwrap_err();
    assert_eq!(other.outcome(), Outcome::NotSent);
    let text = std::fs::read(&path).unwrap();
    assert!(!text.windows(KEY.len()).any(|bytes| bytes == KEY.as_bytes()));
    // Another file is not taken for one.
    std::fs::write(folder.join("other"), "not a database, but a text that is longer than a header of one hundred bytes: the file stays as it is, and an error says why").unwrap();
    let error = Cache::open(folder.join("other")).unwrap_err();
    assert!(
        error.to_string().contains("other: file is not a database"),
        "{error}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_where_only_a_stored_response_is_allowed() {
    let script = counting();
    let plain = ClientBuilder::new(&API, "https://example.com").api_key(KEY);
    let plain: Client = plain.transport(script.clone()).build().unwrap();
    let cached = client(&script, fresh());
    let only = client(&script, Cache::in_memory().only_if_cached());
    let allowed = |age: Option<Duration>, is_only: bool| {
        with(|options| {
            options.cache.is_only = is_only;
            options.cache.max_age = age;
        })
    };
    for (client, request) in [
        (&plain, allowed(None, true)),
        (&cached, allowed(Some(Duration::ZERO), true)),
        (&only, allowed(Some(Duration::ZERO), false)),
        (&only, Request::new(&FREE_POST)),
    ] {
        let error = client.send::<Value>(request.clone()).await.unwrap_err();
        assert!(
            matches!(&error, Error::Refused(refused) if refused.kind() == "cache"),
            "{error}"
        );
        assert!(client.send_stream(request).await.is_err());
    }
    assert_eq!(script.sent().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_with_a_credential_of_its_own_is_not_stored() {
    let script = counting();
    let client = client(&script, fresh());
    for call in 1..=2 {
        let get = client
            .raw(Method::GET, "/things")
            .header("authorization", format!("{call}"));
        let response = get.send::<Value>().await.unwrap();
        assert_eq!(response.body["call"], call);
    }
}

#[test]
fn a_call_fails_without_a_runtime_and_can_be_polled_outside_of_one() {
    let script = Script::new([Reply::new(200, r#"{"cost": 2, "call": 1}"#)]);
    let client = client(&script, fresh());
    let call = || Box::pin(client.send::<Value>(paid("example.com")));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut begun = call();
    let context = &mut std::task::Context::from_waker(std::task::Waker::noop());
    {
        let _inside = runtime.enter();
        assert!(begun.as_mut().poll(context).is_pending());
    }
    let response = loop {
        if let std::task::Poll::Ready(response) = begun.as_mut().poll(context) {
            break response.unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(response.outcome(), Outcome::Charged(Credits::new(2)));
    let std::task::Poll::Ready(Err(error)) = call().as_mut().poll(context) else {
        panic!("it cannot wait");
    };
    assert!(matches!(error, Error::Configuration(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn calls_are_due_whose_responses_are_missing_or_old_the_oldest_first() {
    let script = counting();
    let client = client(&script, fresh());
    let call = |path: &str| client.raw(Method::GET, path);
    let again = call("/b").send::<Value>().await.unwrap();
    for path in ["/b", "/a"] {
        std::thread::sleep(Duration::from_millis(3));
        call(path).refresh().send::<Value>().await.unwrap();
    }
    let calls = || ["/a", "/b", "/new"].map(|path| (path, call(path)));
    let stored = call("/b").stored().await.unwrap().unwrap();
    assert!(stored.is_fresh && stored.body != again.raw);
    assert!(call("/new").stored().await.unwrap().is_none());
    let due = Call::due(calls(), DAY).await.unwrap();
    assert_eq!(due.len(), 1);
    std::thread::sleep(Duration::from_millis(3));
    let mut found = Vec::new();
    for (path, call) in Call::due(calls(), Duration::from_millis(1)).await.unwrap() {
        let earlier = call.stored().await.unwrap();
        let response = call.send::<Value>().await.unwrap();
        let changes = earlier.map(|earlier| response.changes_since(&earlier.body));
        found.push((path, changes.map(|changes| changes[0].to_string())));
    }
    let expected = [
        ("/new", None),
        ("/b", Some("/call: 2 → 5".to_owned())),
        ("/a", Some("/call: 3 → 6".to_owned())),
    ];
    assert_eq!(found, expected);
    let post = client.raw(Method::POST, "/a");
    for (never, every) in [(post, DAY), (call("/a"), Duration::ZERO)] {
        let error = Call::due([((), never)], every).await.unwrap_err();
        assert!(error.to_string().contains("is not stored"), "{error}");
    }
    assert_eq!(script.sent().len(), 6);
}
