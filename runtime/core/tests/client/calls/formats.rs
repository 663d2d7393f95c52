//! Strings of formats that have dedicated types: how a generated client sends and reads them.

use forms_client::types::ValuesBody;
use forms_client::types::{KeptDue, KeptLevel};
use forms_client::values::{SecretText, TextUuid};
use forms_client::{Client, Error};
use generated_client::{StatusCode, http};
use serde_json::{Value, json};

use crate::support::api::{Log, responding};

const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";
const OTHER: &str = "0E984725-C51C-4BF4-9960-E1C80E27ABA0";

fn service(body: &Value) -> (Client, Log) {
    let log = Log::default();
    let transport = responding(&log, StatusCode::OK, body.to_string());
    let client = Client::builder("https://example.com").transport(transport);
    (client.build().unwrap(), log)
}

fn header<'r>(request: &'r http::Request<generated_client::Bytes>, name: &str) -> &'r str {
    request.headers()[name].to_str().unwrap()
}

#[tokio::test]
async fn texts_of_every_format_are_sent_in_the_style_of_their_place() {
    let (client, log) = service(&json!({}));
    let id = TextUuid::from(ID);
    let body = ValuesBody::new("2024-05-06", b"hello");
    let call = client
        .values(ID, body.cost("0.10").token("s3cret"))
        .since("2024-05-06T07:08:09+02:00")
        .days(["2024-05-06", "2024-05-07"])
        .ids([id.clone(), OTHER.into()])
        .amount("12.50")
        .x_pin("12345")
        .session(&id);
    let shown = format!("{call:?}");
    assert!(
        !shown.contains("12345") && !shown.contains("s3cret"),
        "{shown}"
    );
    call.send().await.unwrap();
    let sent = log.take().remove(0);
    assert_eq!(
        sent.uri().to_string(),
        format!(
            "https://example.com/values/{ID}?since=2024-05-06T07%3A08%3A09%2B02%3A00&days=2024-05-06,2024-05-07\
             &ids={ID}&ids={OTHER}&amount=12.50"
        )
    );
    assert_eq!(header(&sent, "x-pin"), "12345");
    assert_eq!(header(&sent, "cookie"), format!("session={ID}"));
    assert_eq!(
        serde_json::from_slice::<Value>(sent.body()).unwrap(),
        json!({"day": "2024-05-06", "hash": "aGVsbG8=", "cost": "0.10", "token": "s3cret"})
    );
}

#[tokio::test]
async fn bounds_and_the_formats_of_dates_and_identifiers_are_checked_before_anything_is_sent() {
    let (client, log) = service(&json!({}));
    // Base64 is left to the service.
    let given = |id: &str, day: &str| {
        let hash = "no Base64";
        client.values(id, ValuesBody::new(day, hash))
    };
    let values = || given(ID, "2024-05-06");
    for (call, problem) in [
        (values().amount("12.5"), "`amount` does not match"),
        (values().x_pin("123"), "`X-Pin` has 3 characters"),
        (values().ids([ID, ID]), "`ids` has an element twice"),
        (values().ids(["no uuid"]), "`ids` is not a UUID"),
        (values().since("soon"), "`since` is not a date with a time"),
        (given("", "2024-05-06"), "`id` is not a UUID"),
        (given("no uuid", "2024-05-06"), "`id` is not a UUID"),
        (given(ID, "no day"), "`day` is not a date"),
    ] {
        let error = call.send().await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
    assert!(log.take().is_empty());
    values().send().await.unwrap();
    assert_eq!(log.take().len(), 1);
}

#[tokio::test]
async fn what_a_service_sends_is_read_by_its_format_or_kept() {
    let body = json!({
        "id": "x-1",
        "times": ["2024-05-06T07:08:09Z", "soon", 17],
        "hashes": {"a": "aGVsbG8", "b": "%%%"},
        "cost": "12.50",
        "due": "2024-05-06T07:08:09Z",
        "until": "2024-05-06",
        "level": "low",
        "token": "s3cret",
    });
    let (client, _) = service(&body);
    let kept = client
        .values(ID, ValuesBody::new("2024-05-06", ""))
        .send()
        .await
        .unwrap()
        .body;
    assert_eq!(kept.id.as_ref().unwrap(), "x-1");
    let offsets: Vec<_> = kept
        .times
        .iter()
        .map(|time| time.offset_minutes())
        .collect();
    assert_eq!(offsets, [Some(0), None, None]);
    assert_eq!(
        kept.hashes["a"].bytes().as_deref(),
        Some(b"hello".as_slice())
    );
    assert_eq!(kept.hashes["b"].bytes(), None);
    assert_eq!(kept.cost.as_ref().unwrap().parse(), Ok(12.5));
    let Some(KeptDue::Text(due)) = &kept.due else {
        panic!("{:?}", kept.due);
    };
    assert_eq!(due.date(), Some((2024, 5, 6)));
    assert!(kept.until.as_ref().unwrap().is_date_only());
    assert_eq!(kept.level, Some(KeptLevel::Low));
    assert_eq!(kept.token.as_ref().map(SecretText::expose), Some("s3cret"));
    assert!(!format!("{kept:?}").contains("s3cret"));
    assert_eq!(serde_json::to_value(&kept).unwrap(), body);
}

#[tokio::test]
async fn a_union_with_a_formatted_text_is_chosen_by_the_kind_of_json() {
    let (client, _) = service(&json!({"due": 7, "cost": 12.50, "token": null}));
    let kept = client
        .values(ID, ValuesBody::new("2024-05-06", ""))
        .send()
        .await
        .unwrap()
        .body;
    assert_eq!(kept.due, Some(KeptDue::Integer(7)));
    assert_eq!(
        KeptDue::from("2024-05-06"),
        KeptDue::Text("2024-05-06".into())
    );
    assert_eq!(kept.cost.as_ref().unwrap().as_str(), "12.5");
    assert_eq!(kept.token, None);
}
