//! Parameters that are refused, prices by parameters, and responses that are read on demand.

use crate::support::api::{KEY, Log, builder, client, responding};
use generated_client::document::{Operation, Tariff};
use generated_client::request::{ParameterStyle, Pattern, Place, Request, Style};
use generated_client::{Bytes, Error, Method, StatusCode, http};
use serde::Deserialize;
use serde_json::{Value, json};

static FIND: Operation = Operation {
    id: "find",
    method: Method::GET,
    path: "/v1/{a}/{b}.{c}:find?fixed=1",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &["filter"],
        charge: None,
    }),
    response: &generated_client::document::Shape::Any,
};
static SAVE: Operation = Operation {
    id: "save",
    method: Method::POST,
    path: "/save",
    ..FIND
};

fn style(place: Place, style: Style) -> ParameterStyle {
    ParameterStyle::new(place, style)
}

async fn sent(request: Request) -> Result<http::Request<Bytes>, Error> {
    let log = Log::default();
    let client = client(responding(&log, StatusCode::OK, "null"))?;
    client.send::<Value>(request).await?;
    Ok(log.take().remove(0))
}

async fn refused(request: Request) -> String {
    let Err(error @ Error::Argument(_)) = sent(request).await else {
        panic!("not refused");
    };
    error.to_string()
}

#[tokio::test]
async fn a_parameter_that_would_change_the_path_is_refused() {
    let path = |value: &Value, wanted| {
        let mut request = Request::new(&FIND);
        request.parameter("a", wanted, value);
        request
    };
    let simple = style(Place::Path, Style::Simple);
    assert_eq!(
        refused(path(&json!([]), simple)).await,
        "find: `a` is empty"
    );
    assert_eq!(
        refused(path(&json!(null), simple)).await,
        "find: `a` is empty"
    );
    let label = style(Place::Path, Style::Label);
    let message = refused(path(&json!("."), label)).await;
    assert!(
        message.contains("`..`, which a path cannot hold"),
        "{message}"
    );
    let nested = refused(path(&json!([[1]]), simple)).await;
    assert!(nested.contains("contains a list or an object"), "{nested}");
}

#[tokio::test]
async fn a_price_is_remembered_by_the_values_of_an_object_in_the_query() {
    let log = Log::default();
    let client = client(responding(&log, StatusCode::OK, r#"{"cost": 2}"#)).unwrap();
    for (value, explode) in [(json!({"x": 1}), true), (json!({"x": 2}), true)] {
        let mut request = Request::new(&FIND);
        let simple = style(Place::Path, Style::Simple);
        request
            .parameter("a", simple, &1)
            .parameter("b", simple, &1)
            .parameter("c", simple, &1)
            .parameter(
                "filter",
                style(Place::Query, Style::Form).explode(explode),
                &value,
            );
        client.send::<Value>(request).await.unwrap();
    }
    let seen: Vec<String> = client
        .prices()
        .into_iter()
        .map(|seen| seen.arguments)
        .collect();
    assert_eq!(seen, ["x=1", "x=2"]);
}

#[tokio::test]
async fn arguments_outside_of_their_bounds_are_refused() {
    static LETTERS: Pattern = Pattern::new("^[a-z]+$");
    type Check = fn(&mut Request);
    let refusal = |check: Check| {
        let mut request = Request::new(&SAVE);
        check(&mut request);
        refused(request)
    };
    #[rustfmt::skip]
    let table: [(Check, &str); 8] = [
        (|request| _ = request.require_between("n", 1, Some(1), None), "is 1, and has to be above 1"),
        (|request| _ = request.require_between("n", f64::NAN, None, Some(2.0)), "is NaN, and has to be below 2"),
        (|request| _ = request.require_multiple("n", 7_u64, 5), "is 7, not a multiple of 5"),
        (|request| _ = request.require_multiple_of("n", 0.35, 0.1), "is 0.35, not a multiple of 0.1"),
        (|request| _ = request.require_items("n", 1, Some(2), None), "has 1 elements, fewer than its minimum 2"),
        (|request| _ = request.require_items("n", 3, None, Some(2)), "has 3 elements, more than its maximum 2"),
        (|request| _ = request.require_unique("n", &["a", "b", "a"]), "has an element twice"),
        (|request| _ = request.require_pattern("n", "a1", &LETTERS), "does not match the pattern `^[a-z]+$`"),
    ];
    for (check, message) in table {
        assert_eq!(refusal(check).await, format!("save: `n` {message}"));
    }
    let mut request = Request::new(&SAVE);
    request
        .require_between("n", 2, Some(1), Some(3))
        .require_multiple("n", 10_i64, 5)
        .require_multiple("n", 10_i64, 0)
        .require_multiple_of("n", 0.3, 0.1)
        .require_items("n", 2, Some(2), Some(2))
        .require_unique("n", &[1, 2])
        .require_pattern("n", "ab", &LETTERS);
    sent(request).await.unwrap();
}

#[tokio::test]
async fn an_error_response_is_decoded_on_demand_and_quotes_no_key() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Problem {
        title: String,
        code: u32,
    }

    let failing = |body: &str| {
        let transport = responding(&Log::default(), StatusCode::BAD_REQUEST, body.to_owned());
        builder(transport).build()
    };
    let error = async |body: &str| {
        let client: generated_client::Client = failing(body).unwrap();
        client.send::<Value>(Request::new(&SAVE)).await.unwrap_err()
    };
    let told = error(r#"{"title": "no", "code": 7}"#).await;
    let problem: Problem = told.body_as().unwrap().unwrap();
    assert_eq!(
        problem,
        Problem {
            title: "no".to_owned(),
            code: 7
        }
    );

    let repeats = error(&format!(r#"{{"title": "no", "code": "{KEY}"}}"#)).await;
    let refusal = repeats.body_as::<Problem>().unwrap().unwrap_err();
    assert_eq!(refusal.path, "/code");
    assert!(!format!("{refusal} {refusal:?}").contains(KEY), "{refusal}");
    assert!(
        refusal
            .message
            .starts_with("invalid type: string, expected"),
        "{refusal}"
    );

    let argument = {
        let mut request = Request::new(&SAVE);
        request.require_length("n", "", Some(1), None);
        failing("")
            .unwrap()
            .send::<Value>(request)
            .await
            .unwrap_err()
    };
    assert!(argument.body_as::<Problem>().is_none());
}
