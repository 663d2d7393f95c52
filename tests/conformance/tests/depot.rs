//! What the client of `tests/documents/depot` has and no other one: tokens of its own operation, documented errors, unions, changes that clear
//! a member, and streams of typed items. `tests/checked` makes all of its calls.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use depot_client::credentials::{self, Token};
use depot_client::operations::UploadFileMultipart;
use depot_client::testing::{Reply, Script, Sent};
use depot_client::types::{
    About, AboutChange, Change, CreateTokenForm, File, Filter, FilterKind, LogEvent, Problem,
    StoredOwner, TooLarge,
};
use depot_client::values::SecretText;
use depot_client::{Bytes, Client, Error, Method, Server, ServerDefaultRegion, http};
use serde_json::{Value, json};

const ID: &str = "00000000-0000-4000-8000-000000000001";

fn client(script: &Script) -> Client {
    let region = ServerDefaultRegion::Eu;
    let builder = Client::builder(Server::Default { region });
    let builder = builder.credential(credentials::depot_oauth("a-token"));
    builder.transport(script.clone()).build().unwrap()
}

/// Returns a service that gives the same response to all requests.
fn responding(status: u16, body: &'static str) -> Script {
    Script::responding(move |_| Reply::new(status, body).header("content-type", "application/json"))
}

/// Returns the body of the last request.
fn body_of_last(script: &Script) -> String {
    let sent = script.sent().pop().unwrap();
    String::from_utf8(sent.body.to_vec()).unwrap()
}

/// A request for a token, by its form, or another one, by its token.
type Seen = Arc<Mutex<Vec<Result<String, String>>>>;

/// Responds as a service whose refresh tokens are good once, and whose access tokens are good for two calls.
fn respond(seen: &Seen, request: &http::Request<Bytes>) -> http::Response<Bytes> {
    let mut seen = seen.lock().unwrap();
    let (status, body) = match request.headers().get("authorization") {
        Some(token) => {
            let token = Ok(token.to_str().unwrap().to_owned());
            let uses = seen.iter().filter(|one| **one == token).count();
            seen.push(token);
            (if uses < 2 { 200 } else { 401 }, json!([]))
        }
        None => {
            let form = String::from_utf8(request.body().to_vec()).unwrap();
            let is_used = seen.contains(&Err(form.clone()));
            seen.push(Err(form));
            let issued = seen.iter().filter(|one| one.is_err()).count();
            let token = json!({
                "access_token": format!("access-{issued}"),
                "refresh_token": "refresh-1",
                "expires_in": 3600,
            });
            (if is_used { 400 } else { 200 }, token)
        }
    };
    let response = http::Response::builder().status(status);
    response.body(Bytes::from(body.to_string())).unwrap()
}

#[tokio::test]
async fn an_operation_of_the_client_gives_the_tokens_of_the_others() {
    let seen = Seen::default();
    let kept = Arc::clone(&seen);
    let transport = move |request: http::Request<Bytes>| {
        let response = respond(&kept, &request);
        async move { Ok(response) }
    };
    let builder = || Client::builder("https://depot.example/v1").transport(transport.clone());
    let anonymous = builder().build().unwrap();
    let error = anonymous.list_files().send().await.unwrap_err();
    assert!(matches!(error, Error::Credential(_)), "{error}");

    let next = Arc::new(Mutex::new(SecretText::from("refresh-0 +/=&")));
    let provider = move |_| {
        let (client, next) = (anonymous.clone(), Arc::clone(&next));
        async move {
            let body = CreateTokenForm::new(next.lock().unwrap().clone()).scope(["files", "notes"]);
            let issued = client.create_token(body).send().await?.body;
            let shown = format!("{issued:?}");
            assert!(!shown.contains("access-") && !shown.contains("refresh-"));
            *next.lock().unwrap() = issued.refresh_token.unwrap();
            let seconds = u64::try_from(issued.expires_in)?;
            Ok(Token::new(issued.access_token.unwrap()).expires_in(Duration::from_secs(seconds)))
        }
    };
    let client = builder().credential(credentials::depot_oauth_provider(provider));
    let client = client.build().unwrap();
    for _ in 0..4 {
        client.list_files().send().await.unwrap();
    }
    // The second refresh token comes again, and is not good any more.
    let error = client.list_files().send().await.unwrap_err().to_string();
    let refused = "createToken (POST /token) responded with 400 Bad Request";
    assert!(error.ends_with(refused), "{error}");

    let form = |refresh: &str| {
        let form = format!("grant_type=refresh_token&refresh_token={refresh}&scope=files%20notes");
        vec![Err(form)]
    };
    let calls = |token: &str| vec![Ok(format!("Bearer {token}")); 3];
    let expected = [
        form("refresh-0%20%2B%2F%3D%26"),
        calls("access-1"),
        form("refresh-1"),
        calls("access-2"),
        form("refresh-1"),
    ];
    assert_eq!(*seen.lock().unwrap(), expected.concat());
}

#[tokio::test]
async fn a_documented_error_is_what_its_operation_and_status_say() {
    #[derive(Debug, PartialEq)]
    enum Is {
        Problem,
        TooLarge,
        Neither,
    }
    for (operation, status, is) in [
        ("get", 404, Is::Problem),
        ("get", 413, Is::Neither),
        // A type for each of two status codes.
        ("upload", 409, Is::Problem),
        ("upload", 413, Is::TooLarge),
        ("upload", 404, Is::Neither),
        // `default` covers any status that is not listed, and `4XX` its hundred.
        ("replace", 413, Is::TooLarge),
        ("replace", 503, Is::Problem),
        ("change", 422, Is::Problem),
        ("download", 416, Is::Neither),
    ] {
        let body = r#"{"limit": 8, "title": "no such file", "status": 404}"#;
        let client = client(&responding(status, body));
        let error = match operation {
            "get" => client.get_file(ID).send().await.map(drop),
            "upload" => {
                let body = UploadFileMultipart::new(About::new("a"), "x");
                client.upload_file(body).send().await.map(drop)
            }
            "replace" => client.replace_content(ID).body("x").send().await.map(drop),
            "change" => {
                let call = client.change_about(ID, AboutChange::new());
                call.send().await.map(drop)
            }
            _ => client.download_file(ID).send().await.map(drop),
        };
        let error = error.unwrap_err();
        assert_eq!(
            (error.status().unwrap().as_u16(), error.body().unwrap()),
            (status, &Bytes::from(body))
        );
        let problem = error.documented::<Problem>();
        let too_large = error.documented::<TooLarge>();
        let found = match (&problem, &too_large) {
            (Some(problem), None) if problem.title.as_deref() == Some("no such file") => {
                Is::Problem
            }
            (None, Some(too_large)) if too_large.limit == 8 => Is::TooLarge,
            (None, None) => Is::Neither,
            _ => panic!("{problem:?} {too_large:?}"),
        };
        assert_eq!(found, is, "{operation} {status}");
    }
}

#[tokio::test]
async fn an_error_body_of_another_form_is_no_documented_one() {
    let body = r#"{"title": "no such file", "fields": "name"}"#;
    let client = client(&responding(404, body));
    let error = client.get_file(ID).send().await.map(drop).unwrap_err();
    assert_eq!(error.documented::<Problem>(), None);
    let refusal = error.body_as::<Problem>().unwrap().unwrap_err();
    assert_eq!(refusal.path, "/fields");
}

#[tokio::test]
async fn a_file_is_the_variant_of_its_kind_and_an_unknown_kind_is_kept() {
    let script = Script::new([Reply::json(&json!([
        {"id": ID, "kind": "video", "name": "a.mp4", "seconds": 9},
        {"id": ID, "kind": "image", "name": "a.png", "position": [1.5, -2.0], "owner": 7, "taken": null},
        {"id": ID, "kind": "text", "name": "a.txt", "copies": [{"id": ID, "kind": "image", "name": "copy.png"}]},
    ]))]);
    let listed = client(&script).list_files().send().await.unwrap();
    let [
        File::Unrecognized(video),
        File::Image(image),
        File::Text(text),
    ] = listed.body.as_slice()
    else {
        panic!("{:?}", listed.body);
    };
    assert_eq!(video["seconds"], 9);
    assert_eq!(image.position, Some((Some(1.5), Some(-2.0)).into()));
    assert_eq!(image.owner, Some(StoredOwner::Integer(7)));
    assert_eq!(image.taken, None);
    let [File::Image(copy)] = text.copies.as_slice() else {
        panic!("{:?}", text.copies);
    };
    assert_eq!(copy.name, "copy.png");
}

#[tokio::test]
async fn arguments_are_literal_in_the_query_in_a_header_and_in_a_cookie() {
    let script = responding(200, "[]");
    let client = client(&script);
    let filter = Filter::new().kind(FilterKind::Image).min_size(2);
    let call = client.list_files().filter(filter).tag(["red", "blue"]);
    call.session("a;b c").x_trace("00ff").send().await.unwrap();
    let sent: Sent = script.sent().remove(0);
    assert_eq!(
        sent.query,
        "filter%5Bkind%5D=image&filter%5Bmin_size%5D=2&tag=red%7Cblue"
    );
    assert_eq!(sent.headers["cookie"], "session=a%3Bb%20c");
    assert_eq!(sent.headers["x-trace"], "00ff");
    client.list_files().tag(["a b&c=d/é"]).send().await.unwrap();
    let empty = client.list_files().filter(Filter::default());
    empty.tag([""; 0]).send().await.unwrap();
    let queries: Vec<String> = script.sent().into_iter().map(|sent| sent.query).collect();
    assert_eq!(queries[1..], ["tag=a%20b%26c%3Dd%2F%C3%A9", ""]);

    for (call, problem) in [
        (client.list_files().x_trace("00FF"), "X-Trace"),
        (client.list_files().x_trace("00ff\n"), "X-Trace"),
        (client.list_files().x_trace(""), "X-Trace"),
        (client.list_files().tag(["a", "b", "c", "d"]), "tag"),
        (client.list_files().tag(["a|b"]), "the delimiter"),
    ] {
        let error = call.send().await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
    assert_eq!(script.sent().len(), 3);
}

#[tokio::test]
async fn a_change_sends_a_value_or_null_or_nothing_and_is_checked_before() {
    let script = responding(200, r#"{"name": "a"}"#);
    let client = client(&script);
    let empty = [""; 0];
    let all = || AboutChange::new().note("a").rating(0).links(empty);
    for (change, expected) in [
        (AboutChange::new(), "{}"),
        (AboutChange::new().labels(empty), r#"{"labels":[]}"#),
        (AboutChange::new().new_("b.mp4"), r#"{"new":"b.mp4"}"#),
        (all(), r#"{"note":"a","links":[],"rating":0}"#),
        (
            all().clear_note().clear_rating().clear_links(),
            r#"{"note":null,"links":null,"rating":null}"#,
        ),
        // The last setter wins.
        (AboutChange::new().clear_note().note("b"), r#"{"note":"b"}"#),
        // The bounds apply to a value, not to null.
        (AboutChange::new().rating(5), r#"{"rating":5}"#),
    ] {
        client.change_about(ID, change).send().await.unwrap();
        assert_eq!(body_of_last(&script), expected);
    }
    let sent = script.sent().len();
    let call = client.change_about(ID, all().note("longer than nine"));
    let error = call.send().await.unwrap_err();
    assert!(error.to_string().contains("`note`"), "{error}");
    assert_eq!(script.sent().len(), sent);
}

/// Returns a client of a service with this stream.
fn streaming<const N: usize>(media_type: &str, chunks: [&'static str; N]) -> Client {
    let reply = Reply::chunked(200, chunks).header("content-type", media_type);
    client(&Script::responding(move |_| reply.clone()))
}

#[tokio::test]
async fn items_are_what_the_document_says_whichever_stream_the_service_sends() {
    let events = [
        ": hello\r\n\r\nevent: change\nid: 1\ndata: {\"id\": \"a\", \"size\": 7}\n\nid: 2\nda",
        "ta: {\"id\": \"a\", \"size\": 8}\n\n",
        "data: no JSON\n\n",
    ];
    let client = streaming("text/event-stream", events);
    let mut items = client.list_changes().send_stream().await.unwrap().items();
    assert_eq!(items.next().await.unwrap().unwrap().size, Some(7));
    assert_eq!(items.next().await.unwrap().unwrap().size, Some(8));
    // An invalid item does not end the stream.
    let error = items.next().await.unwrap().unwrap_err();
    assert_eq!(error.body().unwrap(), "no JSON");
    assert!(items.next().await.is_none());

    let lines = [
        "{\"id\": \"a\", \"size\": 7}",
        "\n{\"id\": \"a\", \"size\": 8}",
    ];
    let client = streaming("application/x-ndjson", lines);
    let call = client
        .raw(Method::GET, "/changes")
        .header("Accept", "application/x-ndjson");
    let mut lines = call.send_stream().await.unwrap().json_lines::<Change>();
    assert_eq!(lines.next().await.unwrap().unwrap().size, Some(7));
    assert_eq!(lines.next().await.unwrap().unwrap().size, Some(8));

    let texts = [
        "\u{1e}{\"id\": \"a\", \"size\": 7}\n\u{1e}{\n  \"id\":",
        " \"a\",\n  \"size\": 8\n}\n\u{1e}{\"id\": \u{1e}{\"id\": \"a\"}\n",
    ];
    let client = streaming("application/json-seq", texts);
    let mut items = client.export_changes().send_stream().await.unwrap().items();
    let mut sizes = Vec::new();
    while let Some(item) = items.next().await {
        let size = item.map(|change| change.size);
        sizes.push(size.map_err(|error| error.body().cloned()));
    }
    let cut_off = Bytes::from("{\"id\": ");
    assert_eq!(
        sizes,
        [Ok(Some(7)), Ok(Some(8)), Err(Some(cut_off)), Ok(None)]
    );
}

#[tokio::test]
async fn an_event_is_the_variant_of_its_type_and_an_unknown_one_is_kept() {
    let chunks = [
        ": a comment\n\nevent: line\ndata: 5\n\nevent: line\nda",
        "ta: {\"id\":\ndata: 1}\n\n",
        "event: change\nid: 7\nretry: 20\ndata: {\"id\": \"a\",\ndata: \"size\": 7}\n\n",
        "event: alarm\ndata: {\"bell\": true}\n\nevent: change\ndata: no JSON\n\n",
        "data: [DONE]\n\nevent: line\ndata: after the end\n\n",
    ];
    let client = streaming("text/event-stream; charset=utf-8", chunks);
    let mut items = client.watch_log().send_stream().await.unwrap().items();
    let mut seen = Vec::new();
    while let Some(item) = items.next().await {
        seen.push(item.unwrap());
    }
    let [
        LogEvent::LogLine(number),
        LogEvent::LogLine(json),
        LogEvent::LogChange(change),
        LogEvent::Unrecognized(alarm),
        LogEvent::Unrecognized(broken),
    ] = seen.as_slice()
    else {
        panic!("{seen:?}");
    };
    // Plain text stays a string, even if it looks like JSON.
    assert_eq!((&*number.data, &*json.data), ("5", "{\"id\":\n1}"));
    assert_eq!(change.data.size, Some(7));
    assert_eq!((change.id.as_deref(), change.retry), (Some("7"), Some(20)));
    assert_eq!(
        (&alarm["event"], &alarm["data"]["bell"]),
        (&Value::from("alarm"), &Value::from(true))
    );
    assert_eq!(broken["data"], "no JSON");

    let mut events = client.watch_log().send_stream().await.unwrap().events();
    for item in &seen {
        let event = events.next().await.unwrap().unwrap();
        assert_eq!(event.item().unwrap(), *item);
    }
    assert!(events.next().await.is_none());
}
