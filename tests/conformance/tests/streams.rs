//! Downloads and events of the depot, read while they arrive: the emitted client against a socket.

use depot_client::types::{Change, LogEvent, Problem};
use depot_client::{Bytes, Client, Error, Method, StatusCode, credentials};

use crate::support::depot::caller::tokens;
use crate::support::depot::{Depot, VIDEO};

fn client(service: &Depot) -> Client {
    let credential = credentials::depot_oauth_provider(tokens(service));
    let client = Client::builder(service.url()).credential(credential);
    // The limit is smaller than the download.
    client.max_response_bytes(1 << 20).build().unwrap()
}

#[tokio::test]
async fn a_download_is_written_while_it_arrives() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let content: Vec<u8> = (0..=u8::MAX).cycle().take(5 << 20).collect();
    let replaced = client.replace_content(VIDEO).body(content.clone());
    replaced.send().await.unwrap();

    let error = client.download_file(VIDEO).send().await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)), "{error}");
    let mut stream = client.download_file(VIDEO).send_stream().await.unwrap();
    assert_eq!(stream.meta.status, StatusCode::OK);
    assert_eq!(stream.meta.headers["content-length"], "5242880");
    let mut copy = Vec::new();
    assert_eq!(stream.copy_to(&mut copy).await.unwrap(), 5 << 20);
    assert!(copy == content);

    let part = client.download_file(VIDEO).range("bytes=2-5");
    let mut part = part.send_stream().await.unwrap();
    assert_eq!(part.meta.status, StatusCode::PARTIAL_CONTENT);
    assert_eq!(
        part.next().await.unwrap().unwrap(),
        Bytes::from(vec![2, 3, 4, 5])
    );
    assert!(part.next().await.is_none());
}

#[tokio::test]
async fn a_stream_of_what_is_missing_is_the_problem_that_is_documented() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let missing = "00000000-0000-4000-8000-00000000000f";
    let error = client
        .download_file(missing)
        .send_stream()
        .await
        .unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
    let problem: Problem = error.body_as().unwrap().unwrap();
    assert_eq!(problem.title.as_deref(), Some("no such file"));
}

#[tokio::test]
async fn an_expired_token_is_refreshed_before_the_head_of_a_stream() {
    let service = Depot::start(1).await;
    let client = client(&service);
    for _ in 0..2 {
        let stream = client.read_note(VIDEO).send_stream().await;
        let mut note = Vec::new();
        stream.unwrap().copy_to(&mut note).await.unwrap();
        assert_eq!(note, "\"a.mp4\"\n is no JSON, é\n".as_bytes());
    }
    let received = service.take_received().into_iter();
    let statuses: Vec<u16> = received.map(|one| one.status.as_u16()).collect();
    assert_eq!(statuses, [200, 200, 401, 200, 200]);
}

#[tokio::test]
async fn changes_are_json_and_events_and_lines_by_the_way_they_are_asked_for() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let listed = client.list_changes().send().await.unwrap().body;
    assert_eq!(listed[0].size, Some(7));

    let mut events = client.list_changes().send_stream().await.unwrap().events();
    let first = events.next().await.unwrap().unwrap();
    assert_eq!((&*first.event, &*first.id), ("change", "1"));
    assert_eq!(first.data_as::<Change>().unwrap().size, Some(7));
    let second = events.next().await.unwrap().unwrap();
    assert_eq!((&*second.event, &*second.id), ("message", "2"));
    assert_eq!(second.data_as::<Change>().unwrap().size, Some(8));
    let third = events.next().await.unwrap().unwrap();
    let error = third.data_as::<Change>().unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error}");
    assert!(events.next().await.is_none());

    let call = client.raw(Method::GET, "/changes");
    let call = call.header("Accept", "application/x-ndjson");
    let mut lines = call.send_stream().await.unwrap().json_lines::<Change>();
    let mut sizes = Vec::new();
    while let Some(change) = lines.next().await {
        sizes.push(change.unwrap().size);
    }
    assert_eq!(sizes, [Some(7), Some(8)]);
}

#[tokio::test]
async fn items_are_what_the_document_says_whichever_stream_the_service_sends() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let mut items = client.list_changes().send_stream().await.unwrap().items();
    let first = items.next().await.unwrap().unwrap();
    assert_eq!((first.size, items.meta().status), (Some(7), StatusCode::OK));
    assert_eq!(items.next().await.unwrap().unwrap().size, Some(8));
    // An invalid item does not end the stream.
    let error = items.next().await.unwrap().unwrap_err();
    assert_eq!(error.body().unwrap(), "no JSON");
    assert!(items.next().await.is_none());

    let mut items = client.export_changes().send_stream().await.unwrap().items();
    let mut sizes = Vec::new();
    while let Some(item) = items.next().await {
        sizes.push(
            item.map(|change| change.size)
                .map_err(|error| error.body().cloned()),
        );
    }
    let cut_off = Bytes::from("{\"id\": ");
    assert_eq!(
        sizes,
        [Ok(Some(7)), Ok(Some(8)), Err(Some(cut_off)), Ok(None)]
    );
}

#[tokio::test]
async fn an_event_is_the_variant_of_its_type_and_an_unknown_one_is_kept() {
    let service = Depot::start(100).await;
    let client = client(&service);
    let mut events = client.watch_log().send_stream().await.unwrap().events();
    let mut seen = Vec::new();
    while let Some(event) = events.next().await {
        let event = event.unwrap();
        let item = event.item().unwrap();
        seen.push((event.event.clone(), event.data.clone(), item));
    }
    let [number, json, change, alarm, broken] = seen.as_slice() else {
        panic!("{seen:?}");
    };
    // Plain text stays a string, even if it looks like JSON.
    assert!(
        matches!(&number.2, LogEvent::LogLine(line) if line.data == "5"),
        "{number:?}"
    );
    let text = "{\"id\":\n1}";
    assert!(
        matches!(&json.2, LogEvent::LogLine(line) if line.data == text),
        "{json:?}"
    );
    let LogEvent::LogChange(change) = &change.2 else {
        panic!("{change:?}");
    };
    assert_eq!(change.data.size, Some(7));
    assert_eq!((change.id.as_deref(), change.retry), (Some("7"), Some(20)));
    let LogEvent::Unrecognized(event) = &alarm.2 else {
        panic!("{alarm:?}");
    };
    assert_eq!(
        (&event["event"], &event["data"]["bell"]),
        (&"alarm".into(), &true.into())
    );
    assert_eq!(alarm.1, "{\"bell\": true}");
    assert!(matches!(&broken.2, LogEvent::Unrecognized(event) if event["data"] == "no JSON"));

    let mut items = client.watch_log().send_stream().await.unwrap().items();
    let mut count = 0;
    while let Some(item) = items.next().await {
        item.unwrap();
        count += 1;
    }
    assert_eq!(count, 5, "up to the mark at the end");
}
