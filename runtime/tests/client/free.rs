//! Which calls are free, so that sending them twice costs nothing. Time is paused.

use metered_client::{CallOptions, Credits, Method, Operation, Outcome, Presence, Price, Request};
use serde_json::Value;

use crate::script::{Answers, FREE, Script, call, credits};

#[tokio::test(start_paused = true)]
async fn a_free_operation_that_was_charged_for_is_free_no_more() {
    let lost = || Answers(500, None, "");
    let script = Script::of([Answers(200, None, r#"{"cost": 2}"#), lost(), lost(), lost()]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    call(&client, &FREE).await.unwrap();
    let error = call(&client, &FREE).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(credits("2")));
    assert_eq!(script.attempts(), 2);

    // Nor is one that the caller gives a price.
    let script = Script::of([lost(), lost(), lost()]);
    let client = script.builder().build().unwrap();
    let mut request = Request::new(&FREE);
    request.options(&CallOptions {
        price: Some(credits("1")),
        ..Default::default()
    });
    client.send::<Value>(request).await.unwrap_err();
    assert_eq!(script.attempts(), 1);
}

static SOMETIMES_FREE: Operation = Operation {
    id: "sometimesFree",
    method: Method::GET,
    path: "/sometimes",
    prices: &[Price {
        credits: Credits::ZERO,
        when: &[("deep", Presence::Absent)],
    }],
    charge: Some("cost"),
    answer: &metered_client::Shape::Any,
};

#[tokio::test(start_paused = true)]
async fn outside_of_the_conditions_of_a_free_price_a_call_is_not_free() {
    let lost = || Answers(500, None, "");
    for (deep, attempts) in [(false, 3), (true, 1)] {
        let script = Script::of([lost(), lost(), lost()]);
        let client = script.builder().build().unwrap();
        let mut request = Request::new(&SOMETIMES_FREE);
        if deep {
            request.query("deep", &1);
        }
        client.send::<Value>(request).await.unwrap_err();
        assert_eq!(script.attempts(), attempts, "{deep}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_was_charged_for_on_other_conditions_is_not_free() {
    let lost = || Answers(500, None, "");
    let script = Script::of([Answers(200, None, r#"{"cost": 2}"#), lost(), lost(), lost()]);
    let client = script.builder().build().unwrap();
    let mut request = Request::new(&SOMETIMES_FREE);
    request.query("deep", &1);
    client.send::<Value>(request).await.unwrap();
    call(&client, &SOMETIMES_FREE).await.unwrap_err();
    assert_eq!(script.attempts(), 2);
}
