//! Arguments on the wire, and arguments that are refused before.

use crate::support::api::{KEY, LIST, Log, client, responding};
use generated_client::document::{Operation, Tariff};
use generated_client::request::Request;
use generated_client::{Bytes, Error, Method, StatusCode, http};
use serde_json::Value;

static PART: Operation = Operation {
    id: "getPart",
    method: Method::PUT,
    path: "/v1/things/{thing_id}/parts/{id}",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &[],
        charge: None,
    }),
    response: &generated_client::document::Shape::Any,
};

async fn sent(request: Request) -> Result<http::Request<Bytes>, Error> {
    let log = Log::default();
    let client = client(responding(&log, StatusCode::OK, "null"))?;
    let outcome = client.send::<Value>(request).await;
    let mut requests = log.take();
    match outcome {
        Ok(_) => {
            assert_eq!(requests.len(), 1);
            Ok(requests.remove(0))
        }
        Err(error) => {
            assert!(
                requests.is_empty(),
                "refused, and sent nevertheless: {error}"
            );
            Err(error)
        }
    }
}

#[tokio::test]
async fn path_values_stay_in_their_segment() {
    for (value, encoded) in [
        ("abc-1._~", "abc-1._~"),
        ("a b", "a%20b"),
        ("../x", "..%2Fx"),
        ("...", "..."),
        ("%2e", "%252e"),
        ("a?b#c", "a%3Fb%23c"),
        ("{id}", "%7Bid%7D"),
        ("Zürich", "Z%C3%BCrich"),
        ("\\\n", "%5C%0A"),
    ] {
        let mut request = Request::new(&PART);
        request.path("thing_id", &value).path("id", &7);
        let sent = sent(request).await.unwrap();
        assert_eq!(sent.method(), Method::PUT);
        assert_eq!(
            sent.uri().to_string(),
            format!("https://example.com/base/v1/things/{encoded}/parts/7"),
        );
    }
}

#[tokio::test]
async fn bodies_and_headers_arrive_and_the_client_has_the_last_word_on_its_own() {
    let mut request = Request::new(&LIST);
    request
        .header("x-trace", &42)
        .header("x-api-key", &"other")
        .json(&serde_json::json!({"a": [1]}));
    let sent = sent(request).await.unwrap();
    assert_eq!(sent.body(), r#"{"a":[1]}"#);
    let header = |name: &str| {
        let values: Vec<_> = sent.headers().get_all(name).iter().collect();
        assert_eq!(values.len(), 1, "{name}");
        values[0].to_str().unwrap()
    };
    assert_eq!(header("content-type"), "application/json");
    assert_eq!(header("x-trace"), "42");
    assert_eq!(header("x-api-key"), KEY);
    assert_eq!(header("accept"), "application/json");
    assert_eq!(header("user-agent"), "example/1.2.3");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_before_anything_is() {
    type Arguments = fn(&mut Request);
    #[rustfmt::skip]
    let table: &[(Arguments, &str)] = &[
        (|r| _ = r.path("id", &""), "`id` is empty"),
        (|r| _ = r.path("id", &"."), "`id` is `.`, which a path cannot hold"),
        (|r| _ = r.path("id", &".."), "`id` is `..`, which a path cannot hold"),
        (|r| _ = r.path("other", &1), "`other` has no place in the path"),
        (|r| _ = r.path("thing_id", &1), "`id` is missing"),
        (|r| _ = r.header("a b", &1), "`a b` is not the name of a header"),
        (|r| _ = r.header("x-a", &"\n"), "`x-a` contains a character that is invalid in a header"),
        (|r| _ = r.query_joined("ids", "%7C", ["a", "b|c"]), "`ids` has a value that contains the delimiter `%7C`"),
        (|r| _ = r.require_range("limit", 0, Some(1), None), "`limit` is 0, below its minimum 1"),
        (|r| _ = r.require_range("limit", 101, Some(1), Some(100)), "`limit` is 101, above its maximum 100"),
        (|r| _ = r.require_range("share", f64::NAN, None, Some(1.0)), "`share` is NaN, above its maximum 1"),
        (|r| _ = r.require_finite("share", f64::INFINITY), "`share` is inf, which is not a number"),
        (|r| _ = r.require_length("x", "", Some(1), None), "`x` is empty"),
        (|r| _ = r.require_length("x", "éé", Some(3), None), "`x` has 2 characters, fewer than its minimum 3"),
        (|r| _ = r.require_length("x", "ééé", None, Some(2)), "`x` has 3 characters, more than its maximum 2"),
        (|r| _ = r.require_together("limit", true, "kinds", false), "`limit` has no effect without `kinds`"),
        (|r| _ = r.require_length("first", "", Some(1), None).path("id", &""), "`first` is empty"),
    ];
    for (arguments, message) in table {
        let mut request = Request::new(&PART);
        arguments(&mut request);
        let error = sent(request).await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error:?}");
        assert_eq!(error.to_string(), format!("getPart: {message}"));
        assert_eq!(error.operation(), Some("getPart"));
    }
}

const fn pair(path: &'static str) -> Operation {
    Operation {
        id: "getPair",
        method: Method::GET,
        path,
        extension: Some(&Tariff {
            prices: &[],
            priced_by: &[],
            charge: None,
        }),
        response: &generated_client::document::Shape::Any,
    }
}

#[tokio::test]
async fn no_path_with_a_segment_of_dots_is_sent() {
    static TWO: Operation = pair("/v1/{a}{b}/y?fixed=/../");
    static AFTER_A_DOT: Operation = pair("/v1/.{a}/y");
    static RESOLVED: Operation = pair("/v1/%2E./{a}");
    let path = |operation, values: &[(&str, &str)]| {
        let mut request = Request::new(operation);
        for (name, value) in values {
            request.path(name, value);
        }
        async {
            let sent = sent(request).await;
            sent.map(|sent| sent.uri().path().to_owned())
                .map_err(|error| error.to_string())
        }
    };
    let two = path(&TWO, &[("a", "."), ("b", ".")]).await;
    assert!(two.unwrap_err().contains("`a` is `.`"));
    let two = path(&TWO, &[("a", "%2e"), ("b", ".x")]).await;
    assert_eq!(two.unwrap(), "/base/v1/%252e.x/y");
    let after_a_dot = path(&AFTER_A_DOT, &[("a", ".")]).await;
    assert!(after_a_dot.unwrap_err().contains("`a` is `.`"));
    let after_a_dot = path(&AFTER_A_DOT, &[("a", "x")]).await;
    assert_eq!(after_a_dot.unwrap(), "/base/v1/.x/y");
    let resolved = path(&RESOLVED, &[("a", "x")]).await.unwrap_err();
    assert!(
        resolved.contains("`path` makes a segment `.` or `..`"),
        "{resolved}"
    );
}

#[tokio::test]
async fn arguments_at_their_bounds_are_sent() {
    let mut request = Request::new(&LIST);
    request
        .require_range("limit", 1, Some(1), Some(1))
        .require_range("offset", -5, None, None)
        .require_length("x", "é", Some(1), Some(1))
        .require_length("y", "", None, Some(0))
        .require_together("a", true, "b", true)
        .require_together("a", false, "b", false);
    sent(request).await.unwrap();
}

#[tokio::test]
async fn an_address_that_is_too_long_is_an_argument_error() {
    let mut request = Request::new(&LIST);
    request.query("q", &"x".repeat(70_000));
    assert!(matches!(sent(request).await, Err(Error::Argument(_))));
}
