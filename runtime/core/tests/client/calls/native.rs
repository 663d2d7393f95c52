//! Strings of a format that are of native types, as the document of the things configures it.

use generated_client::values::{JiffTimestamp, NativeUuid};
use serde_json::json;

use crate::support::things::{Body, Service, VISIT};

#[tokio::test(start_paused = true)]
async fn values_of_native_types_are_sent_and_read() {
    let body =
        json!({"id": VISIT.to_string(), "at": "2024-05-06T07:08:09+02:00", "day": "some day"});
    let service = Service::of([Body(200, body.to_string())]);
    let since: jiff::Timestamp = "2024-05-06T05:08:09Z".parse().unwrap();
    let days = [jiff::civil::date(2024, 5, 6)];
    let call = service.client().visit(VISIT).since(since).days(days);
    let visit = call.send().await.unwrap().body;
    assert_eq!(
        service.asked(),
        ["since=2024-05-06T05%3A08%3A09Z&days=2024-05-06"]
    );
    assert_eq!(visit.id.get(), Some(&VISIT));
    assert_eq!(visit.at.get(), Some(&since));
    assert_eq!(visit.at.as_str(), "2024-05-06T07:08:09+02:00");
    // A value of another form leaves the rest readable, and is written back.
    let day = visit.day.as_ref().unwrap();
    assert_eq!((day.get(), day.as_str()), (None, "some day"));
    assert_eq!(serde_json::to_value(&visit).unwrap(), body);
}

#[tokio::test(start_paused = true)]
async fn what_a_response_had_instead_of_a_value_is_not_sent() {
    let service = Service::of([]);
    let other: NativeUuid = serde_json::from_str(r#""not a uuid""#).unwrap();
    let error = service.client().visit(other).send().await.unwrap_err();
    assert!(error.to_string().contains("is not a UUID"), "{error}");
    let since: JiffTimestamp = serde_json::from_str("17").unwrap();
    let error = service
        .client()
        .visit(VISIT)
        .since(since)
        .send()
        .await
        .unwrap_err();
    assert!(error.to_string().contains("is not an instant"), "{error}");
    assert_eq!(service.asked(), [""; 0]);
}
