//! Tests of the client of `tests/documents/depot` against a service written by hand, for features that the API of this project lacks: uploads,
//! downloads, forms, tokens, unions, several success statuses, and parameters in the query, in headers and in cookies.

use depot_client::operations::{UploadFileMultipart, UploadFileOutput};
use depot_client::request::Part;
use depot_client::types::{
    About, AboutChange, CreateTokenForm, File, Filter, FilterKind, Problem, RenameFileBody,
    StoredOwner, TooLarge,
};
use depot_client::values::{Nullable, SecretText, TextUuid};
use depot_client::{Client, Error, StatusCode, credentials};

use crate::support::depot::caller::{anonymous, tokens};
use crate::support::depot::{Depot, FIRST_REFRESH_TOKEN, VIDEO};

/// A file that the service does not have.
const MISSING: &str = "00000000-0000-4000-8000-00000000000f";

fn client(service: &Depot) -> Client {
    let credential = credentials::depot_oauth_provider(tokens(service));
    let client = Client::builder(service.url()).credential(credential);
    client.build().unwrap()
}

/// Stores a file under its name and returns its identifier.
async fn store(client: &Client, name: &str, content: impl Into<Part>, tags: &[&str]) -> TextUuid {
    let part = content.into().file_name(name);
    let body = UploadFileMultipart::new(About::new(name), part).tags(tags.iter().copied());
    let stored = client.upload_file(body).send().await.unwrap();
    assert_eq!(stored.meta.status, StatusCode::CREATED);
    match stored.body {
        UploadFileOutput::Created(File::Image(image)) => image.id,
        UploadFileOutput::Created(File::Text(text)) => text.id,
        other => panic!("{other:?}"),
    }
}

/// Returns the first lines of all requests since the last call, without token requests.
fn lines(service: &Depot) -> Vec<String> {
    let received = service.take_received().into_iter();
    let lines = received.map(|received| received.line);
    lines.filter(|line| line != "POST /v1/token").collect()
}

#[tokio::test]
async fn a_file_of_every_byte_comes_back_as_it_was_sent() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let mut content: Vec<u8> = (0..=u8::MAX).cycle().take(1 << 20).collect();
    content.extend(b"\r\n--part-0123456789abcdef\r\nContent-Disposition: form-data; name=\"about\"\r\n\r\n{}\r\n");
    content.extend(b"\r\n--part-0123456789abcdef--\r\n");

    let id = store(&client, "every byte é.bin", content.clone(), &["x", "y z"]).await;
    let downloaded = client.download_file(&id).send().await.unwrap();
    assert_eq!(downloaded.meta.status, StatusCode::OK);
    assert!(
        downloaded.body == content,
        "{} bytes",
        downloaded.body.len()
    );

    let described = client.get_file(&id).send().await.unwrap();
    let File::Text(text) = described.body else {
        panic!("{:?}", described.body);
    };
    assert_eq!(text.name, "every byte é.bin");
    assert_eq!(text.size, Some(content.len() as i64));
}

#[tokio::test]
async fn content_with_the_boundary_of_an_earlier_upload_has_another_boundary() {
    let service = Depot::start(100).await;
    let client = client(&service);
    store(&client, "a", "x", &[]).await;
    let received = service.take_received();
    // The body of that upload. It contains the end of another upload only if both have the same boundary.
    let earlier = received.last().unwrap().body.clone();
    let id = store(&client, "b", earlier.clone(), &[]).await;
    let downloaded = client.download_file(&id).send().await.unwrap();
    assert_eq!(downloaded.body, earlier);
}

#[tokio::test]
async fn a_range_is_a_header_and_its_part_arrives_with_206() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let id = store(&client, "digits", "0123456789", &[]).await;
    let call = client.download_file(&id).range("bytes=2-5");
    let part = call.send().await.unwrap();
    assert_eq!(part.meta.status, StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.meta.headers["content-range"], "bytes 2-5/10");
    assert_eq!(part.body, "2345");

    let call = client.download_file(&id).range("bytes=8-10");
    let error = call.send().await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::RANGE_NOT_SATISFIABLE));
}

#[tokio::test]
async fn replaced_content_is_sent_as_bytes_and_its_204_has_no_body() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let id = store(&client, "a", "old", &[]).await;
    let content = vec![0, 255, b'\r', b'\n'];
    let call = client.replace_content(&id).body(content.clone());
    let replaced = call.send().await.unwrap();
    assert_eq!(replaced.meta.status, StatusCode::NO_CONTENT);
    assert!(replaced.raw.is_empty());
    let downloaded = client.download_file(&id).send().await.unwrap();
    assert_eq!(downloaded.body, content);

    let deleted = client.delete_file(&id).send().await.unwrap();
    assert_eq!(deleted.meta.status, StatusCode::NO_CONTENT);
    let error = client.download_file(&id).send().await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
}

#[tokio::test]
async fn the_call_for_a_token_is_a_form_without_a_token() {
    let service = Depot::start(100).await;
    let client = anonymous(&service);
    let body = CreateTokenForm::new(FIRST_REFRESH_TOKEN).scope(["files", "notes"]);
    let call = || client.create_token(body.clone());
    let issued = call().send().await.unwrap().body;
    let shown = format!("{issued:?} {:?}", call());
    assert!(
        !shown.contains("access-1") && !shown.contains("refresh-"),
        "{shown}"
    );
    let access = issued.access_token.as_ref();
    assert_eq!(access.map(SecretText::expose), Some("access-1"));
    let sent = service.take_received().remove(0);
    assert_eq!(
        String::from_utf8_lossy(&sent.body),
        "grant_type=refresh_token&refresh_token=refresh-0%20%2B%2F%3D%26&scope=files%20notes"
    );
    assert_eq!(
        sent.header("content-type"),
        Some("application/x-www-form-urlencoded")
    );
    assert_eq!(sent.header("authorization"), None);

    // The refresh token is used up by now.
    let error = call().send().await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::BAD_REQUEST));
    let sent = service.take_received();
    assert_eq!(sent.len(), 1, "a refused token is not sent again");
    assert_eq!(
        String::from_utf8_lossy(&sent[0].body),
        "grant_type=refresh_token&refresh_token=refresh-0%20%2B%2F%3D%26&scope=files%20notes"
    );
}

#[tokio::test]
async fn a_call_without_its_token_is_not_sent() {
    let service = Depot::start(100).await;
    let error = anonymous(&service).list_files().send().await.unwrap_err();
    assert!(matches!(error, Error::Credential(_)), "{error}");
    assert!(service.take_received().is_empty());
}

#[tokio::test]
async fn an_expired_token_is_refreshed_and_the_call_made_again() {
    let service = Depot::start(2).await;
    let client = client(&service);
    for _ in 0..5 {
        client.list_files().send().await.unwrap();
    }
    let received = service.take_received();
    let seen: Vec<_> = received
        .iter()
        .map(|received| (received.header("authorization"), received.status.as_u16()))
        .collect();
    assert_eq!(
        seen,
        [
            (None, 200),
            (Some("Bearer access-1"), 200),
            (Some("Bearer access-1"), 200),
            (Some("Bearer access-1"), 401),
            (None, 200),
            (Some("Bearer access-2"), 200),
            (Some("Bearer access-2"), 200),
            (Some("Bearer access-2"), 401),
            (None, 200),
            (Some("Bearer access-3"), 200),
        ]
    );
}

#[tokio::test]
async fn a_refused_refresh_token_fails_the_call_before_it_is_sent() {
    let service = Depot::start(1).await;
    // Uses the first refresh token up.
    client(&service).list_files().send().await.unwrap();
    service.take_received();
    let client = client(&service);
    let error = client.list_files().send().await.unwrap_err();
    assert!(matches!(error, Error::Credential(_)), "{error}");
    assert!(
        error
            .to_string()
            .ends_with("createToken (POST /token) responded with 400 Bad Request"),
        "{error}"
    );
    let received = service.take_received();
    let lines: Vec<&str> = received.iter().map(|one| one.line.as_str()).collect();
    assert_eq!(lines, ["POST /v1/token"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_calls_with_an_expired_token_refresh_it_once() {
    let service = Depot::start(20).await;
    let client = client(&service);
    for _ in 0..20 {
        client.list_files().send().await.unwrap();
    }
    service.take_received();

    let calls: Vec<_> = (0..20)
        .map(|_| tokio::spawn(client.list_files().send()))
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    let received = service.take_received();
    let for_tokens = received.iter().filter(|one| one.line == "POST /v1/token");
    assert_eq!(for_tokens.count(), 1);
    let refused = received
        .iter()
        .filter(|one| one.status == StatusCode::UNAUTHORIZED);
    assert!((1..=20).contains(&refused.count()));
}

#[tokio::test]
async fn a_404_has_its_problem() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let error = client.get_file(MISSING).send().await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
    let problem: Problem = error.body_as().unwrap().unwrap();
    assert_eq!(problem.title.as_deref(), Some("no such file"));
    assert_eq!(problem.status, Some(404));
    assert_eq!(problem.fields["id"], ["unknown", "no such file"]);
    // An operation of bytes and one of plain text have the same errors.
    for error in [
        client.download_file(MISSING).send().await.unwrap_err(),
        client.read_note(MISSING).send().await.unwrap_err(),
        client.delete_file(MISSING).send().await.unwrap_err(),
    ] {
        assert_eq!(error.body_as::<Problem>().unwrap().unwrap(), problem);
    }
}

#[tokio::test]
async fn a_documented_error_is_what_its_operation_and_status_say() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let error = client.get_file(MISSING).send().await.unwrap_err();
    let problem: Problem = error.documented().unwrap();
    assert_eq!(problem.title.as_deref(), Some("no such file"));
    assert_eq!(error.documented::<TooLarge>(), None, "of another operation");

    // Another type for each of two status codes.
    let upload = |name: &str| {
        let part = Part::new("x").file_name(name);
        let body = UploadFileMultipart::new(About::new(name), part);
        client.upload_file(body).send()
    };
    let error = upload("large").await.unwrap_err();
    assert_eq!(error.documented::<TooLarge>().unwrap().limit, 8);
    assert_eq!(error.documented::<Problem>(), None);
    assert_eq!(error.status(), Some(StatusCode::PAYLOAD_TOO_LARGE));
    assert_eq!(error.body().unwrap(), r#"{"limit":8}"#);
    upload("a").await.unwrap();
    let error = upload("a").await.unwrap_err();
    assert_eq!(error.documented::<Problem>().unwrap().status, Some(409));

    // `default` covers any status that is not listed.
    let replace = |id: &str, content: &'static str| client.replace_content(id).body(content).send();
    let error = replace(MISSING, "x").await.unwrap_err();
    assert_eq!(error.documented::<Problem>().unwrap().status, Some(404));
    let error = replace(VIDEO, "large").await.unwrap_err();
    assert_eq!(error.documented::<TooLarge>().unwrap().limit, 9);

    // An undocumented status, and a body of another schema.
    let error = client
        .download_file(VIDEO)
        .range("bytes=9-8")
        .send()
        .await
        .unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::RANGE_NOT_SATISFIABLE));
    assert_eq!(error.documented::<Problem>(), None);
}

#[tokio::test]
async fn each_success_status_has_its_variant() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let upload = |name: &str| {
        let part = Part::new("x").file_name(name);
        let body = UploadFileMultipart::new(About::new(name), part);
        client.upload_file(body).send()
    };
    let created = upload("a.png").await.unwrap();
    assert_eq!(created.meta.status, StatusCode::CREATED);
    let UploadFileOutput::Created(File::Image(image)) = created.body else {
        panic!("{:?}", created.body);
    };
    assert_eq!(image.name, "a.png");

    let accepted = upload("later").await.unwrap();
    assert_eq!(accepted.meta.status, StatusCode::ACCEPTED);
    let UploadFileOutput::Accepted(job) = accepted.body else {
        panic!("{:?}", accepted.body);
    };
    assert_eq!(job.job, "job-1");

    let error = upload("a.png").await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::CONFLICT));
}

#[tokio::test]
async fn a_file_is_the_variant_of_its_kind_and_an_unknown_kind_is_kept() {
    let service = Depot::start(100).await;
    let client = client(&service);
    store(&client, "a.png", "x", &[]).await;
    store(&client, "a.txt", "x", &[]).await;
    let listed = client.list_files().send().await.unwrap();
    let [
        File::Unrecognized(video),
        File::Image(image),
        File::Text(text),
    ] = listed.body.as_slice()
    else {
        panic!("{:?}", listed.body);
    };
    assert_eq!(video["id"], VIDEO);
    assert_eq!(video["seconds"], 9);
    assert_eq!(image.width, Some(2));
    assert_eq!(image.position, Some((Some(1.5), Some(-2.0)).into()));
    assert_eq!(image.owner, Some(StoredOwner::Integer(7)));
    assert_eq!(image.taken, None);
    assert_eq!(text.language.as_deref(), Some("en"));
    let [File::Image(copy)] = text.copies.as_slice() else {
        panic!("{:?}", text.copies);
    };
    assert_eq!(copy.name, "copy.png");
}

#[tokio::test]
async fn filters_and_tags_are_literal_in_the_query() {
    let service = Depot::start(100).await;
    let client = client(&service);
    store(&client, "a.png", "large", &["red", "blue"]).await;
    store(&client, "b.png", "s", &["red", "blue"]).await;
    lines(&service);

    let filter = Filter::new().kind(FilterKind::Image).min_size(2);
    let call = client.list_files().filter(filter).tag(["red", "blue"]);
    let listed = call.send().await.unwrap();
    let [File::Image(image)] = listed.body.as_slice() else {
        panic!("{:?}", listed.body);
    };
    assert_eq!(image.name, "a.png");
    let kind = Filter::new().kind(FilterKind::Text);
    client.list_files().filter(kind).send().await.unwrap();
    client.list_files().tag(["a b&c=d/é"]).send().await.unwrap();
    let empty = client.list_files().filter(Filter::default());
    empty.tag([""; 0]).send().await.unwrap();
    assert_eq!(
        lines(&service),
        [
            "GET /v1/files?filter%5Bkind%5D=image&filter%5Bmin_size%5D=2&tag=red%7Cblue",
            "GET /v1/files?filter%5Bkind%5D=text",
            "GET /v1/files?tag=a%20b%26c%3Dd%2F%C3%A9",
            "GET /v1/files",
        ]
    );
}

#[tokio::test]
async fn a_cookie_and_a_header_travel_beside_the_token() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let call = client.list_files().session("a;b c").x_trace("00ff");
    call.send().await.unwrap();
    let received = service.take_received();
    let sent = received.last().unwrap();
    assert_eq!(sent.header("cookie"), Some("session=a%3Bb%20c"));
    assert_eq!(sent.header("x-trace"), Some("00ff"));
    assert_eq!(sent.header("authorization"), Some("Bearer access-1"));
}

#[tokio::test]
async fn an_argument_that_the_document_refuses_costs_no_request() {
    let service = Depot::start(100).await;
    let client = client(&service);
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
    assert!(service.take_received().is_empty(), "not even for a token");
}

#[tokio::test]
async fn a_note_is_text_as_it_came() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let note = client.read_note(VIDEO).send().await.unwrap();
    assert_eq!(note.body, "\"a.mp4\"\n is no JSON, é\n");
}

/// Returns the body of the last request.
fn sent(service: &Depot) -> String {
    let received = service.take_received();
    String::from_utf8(received.last().unwrap().body.to_vec()).unwrap()
}

#[tokio::test]
async fn a_change_sends_a_value_or_null_or_nothing() {
    let service = Depot::start(100).await;
    let client = client(&service);
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
    ] {
        client.change_about(VIDEO, change).send().await.unwrap();
        assert_eq!(sent(&service), expected);
    }
    let about = client.read_about(VIDEO).send().await.unwrap().body;
    let read = (about.name, about.note, about.rating, about.links);
    let note = Nullable::Value("b".to_owned());
    assert_eq!(
        read,
        ("b.mp4".to_owned(), note, Nullable::Absent, Nullable::Absent)
    );
}

#[tokio::test]
async fn a_body_is_checked_before_it_is_sent() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let body = RenameFileBody::new;
    // The bounds apply to a value, not to null.
    for (body, expected) in [
        (body(), "{}"),
        (body().note("a").rating(5), r#"{"note":"a","rating":5}"#),
        (
            body().name("b").note("a").clear_note(),
            r#"{"name":"b","note":null}"#,
        ),
        (body().clear_rating(), r#"{"rating":null}"#),
    ] {
        client.rename_file(VIDEO, body).send().await.unwrap();
        assert_eq!(sent(&service), expected);
    }
    let call = client.rename_file(VIDEO, body().note("longer than nine"));
    let error = call.send().await.unwrap_err();
    assert!(error.to_string().contains("`note`"), "{error}");
    assert!(service.take_received().is_empty());
}

#[tokio::test]
async fn what_was_read_is_written_back_whole() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let read = client.read_about(VIDEO).send().await.unwrap();
    let whole: serde_json::Value = serde_json::from_slice(&read.raw).unwrap();
    assert!(whole["note"].is_null() && whole["labels"] == serde_json::json!([]));
    let written = client.replace_about(VIDEO, read.body.clone());
    written.send().await.unwrap();
    let sent: serde_json::Value = serde_json::from_str(&sent(&service)).unwrap();
    assert_eq!(sent, whole);

    let links = vec![Some("a".to_owned()), None];
    let changed = read.body.rating(7).links(links).labels(["x"]);
    let written = client.replace_about(VIDEO, changed.clone());
    assert_eq!(written.send().await.unwrap().body, changed);
    let read = client.read_about(VIDEO).send().await.unwrap();
    assert_eq!(read.body, changed);
}
