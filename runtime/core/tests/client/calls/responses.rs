//! How a response is classified, by its status code first and its body second, and what each outcome keeps and says.

use crate::support::api::{KEY, LIST, Log, client, responding};
use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::request::Request;
use generated_client::response::Undecoded;
use generated_client::{Bytes, Credits, Error, Records, Response, StatusCode, http};

#[derive(Debug, PartialEq)]
struct Things {
    things: Records<u8>,
    cost: Option<Credits>,
}
generated_client::wire::object!(Things {
    things: required "things",
    cost: lenient "cost",
});

async fn response(status: StatusCode, body: &str) -> Result<Response<Things>, Error> {
    let client = client(responding(&Log::default(), status, body.to_owned()))?;
    let mut request = Request::new(&LIST);
    request.query("about", &"somebody");
    client.send_with(request, Undecoded::json).await
}

#[tokio::test]
async fn a_good_answer_has_its_body_its_price_and_its_bytes() {
    let body = r#"{"things": [1, 2], "cost": 1.5}"#;
    let response = response(StatusCode::CREATED, body).await.unwrap();
    assert_eq!(*response.body.things, [1, 2]);
    assert_eq!(response.meta.status, 201);
    assert_eq!(response.reported_charge(), "1.5".parse().ok());
    assert_eq!(response.raw, body);
    let debug = format!("{response:?}");
    assert!(debug.contains("raw: 31 bytes"), "{debug}");
    let counted = response.map(|things| things.things.len());
    assert_eq!(counted.raw, body);
    assert_eq!(counted.into_body(), 2);
}

#[tokio::test]
async fn an_element_of_a_list_that_does_not_match_is_set_aside() {
    let body = r#"[1, "many", 3]"#;
    let client = client(responding(&Log::default(), StatusCode::OK, body.to_owned())).unwrap();
    let list = client.send_with(Request::new(&LIST), Undecoded::collection::<Vec<u8>>);
    let list = list.await.unwrap();
    assert_eq!(
        (&*list.body, &*list.set_aside()[0].pointer),
        (&[1, 3][..], "/1")
    );
}

#[tokio::test]
async fn messages_name_the_operation_and_not_whom_it_was_about() {
    #[rustfmt::skip]
    let table = [
        (StatusCode::BAD_GATEWAY, "<html>\n<h1>Bad  Gateway</h1></html>", "listThings (GET /v1/things) responded with 502 Bad Gateway"),
        (StatusCode::NOT_FOUND, r#"{"detail": "no such somebody", "code": "somebody"}"#, "listThings (GET /v1/things) responded with 404 Not Found"),
        (StatusCode::OK, "there is no somebody", "listThings (GET /v1/things) responded with 200 OK with a body that does not decode: expected JSON, got a body of 20 bytes"),
        (StatusCode::TOO_MANY_REQUESTS, "", "listThings (GET /v1/things) responded with 429 Too Many Requests"),
        (StatusCode::TEMPORARY_REDIRECT, "<a href=\"https://elsewhere/?about=somebody\">", "listThings (GET /v1/things) responded with 307 Temporary Redirect; the transport did not follow the redirect; check the base URL"),
        (StatusCode::OK, r#"{"things": 7}"#, "listThings (GET /v1/things) responded with 200 OK with a body that does not decode at `/things`: invalid type: integer `7`, expected an array at line 1 column 12"),
    ];
    for (status, body, message) in table {
        let error = response(status, body).await.unwrap_err();
        assert_eq!(error.to_string(), message);
        let said = format!(
            "{error:?} {error:#?} {:?}",
            std::error::Error::source(&error)
        );
        assert!(!said.contains("somebody"), "{said}");
        assert_eq!(error.body().unwrap(), body);
    }
}

#[tokio::test]
async fn an_excerpt_is_what_the_service_says_in_one_line() {
    let long = format!("no {KEY}\n\u{1b}[31m\u{202e}{}", "é".repeat(1000));
    let start = format!("no [key] [31m{}…", "é".repeat(186));
    #[rustfmt::skip]
    let table = [
        (404, r#"{"detail": "no somebody"}"#, Some(r#"{"detail": "no somebody"}"#)),
        (502, "<html>\n<h1>Bad  Gateway</h1></html>", Some("<html> <h1>Bad Gateway</h1></html>")),
        (429, " \n", None),
        (500, &long, Some(&start)),
        (200, "<html>", None),
    ];
    for (status, body, excerpt) in table {
        let status = StatusCode::from_u16(status).unwrap();
        let error = response(status, body).await.unwrap_err();
        assert_eq!(error.excerpt().as_deref(), excerpt);
    }
}

#[tokio::test]
async fn a_transport_error_says_during_which_operation_and_why() {
    let client = client(|_: http::Request<Bytes>| async {
        Err(TransportError::new(TransportErrorKind::Timeout, "too slow"))
    })
    .unwrap();
    let error = client.send::<()>(Request::new(&LIST)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "listThings (GET /v1/things): timed out before the response was complete: too slow"
    );
    assert_eq!(error.operation(), Some("listThings"));
    assert_eq!(error.status(), None);
    let Error::Transport(error) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.kind(), TransportErrorKind::Timeout);
    assert_eq!(error.cause().to_string(), "too slow");
}

/// Returns the part of a message after the status.
async fn said(
    status: StatusCode,
    content_type: Option<&'static str>,
    body: impl Into<Bytes>,
) -> String {
    let body = body.into();
    let transport = move |_: http::Request<Bytes>| {
        let mut response = http::Response::builder().status(status);
        if let Some(content_type) = content_type {
            response = response.header("content-type", content_type);
        }
        let response = response.body(body.clone());
        async move { Ok(response.unwrap()) }
    };
    let client = client(transport).unwrap();
    let sent = client.send::<Things>(Request::new(&LIST));
    let message = sent.await.unwrap_err().to_string();
    let status = format!("listThings (GET /v1/things) responded with {status}");
    message.strip_prefix(&status).unwrap().to_owned()
}

#[tokio::test]
async fn a_body_that_is_no_json_is_said_to_be_what_it_is() {
    let html = Some("text/html; charset=utf-8");
    let json = Some("application/json");
    #[rustfmt::skip]
    let table = [
        (html, "<html>\n<b>Hi</b>", "text/html of 16 bytes"),
        (json, "not found", "application/json of 9 bytes"),
        (json, " \n ", "an empty body"),
        (None, "busy", "a body of 4 bytes"),
        (Some(""), "busy", "a body of 4 bytes"),
        (json, "\u{feff}", "an empty body"),
    ];
    for (content_type, body, got) in table {
        let said = said(StatusCode::OK, content_type, body.to_owned()).await;
        let expected = format!(" with a body that does not decode: expected JSON, got {got}");
        assert_eq!(said, expected);
    }
    // The beginning of cut-off JSON adds nothing to the message.
    let cut_off = said(StatusCode::OK, json, r#"{"things": ["#).await;
    assert!(cut_off.contains("EOF while parsing"), "{cut_off}");
}

#[tokio::test]
async fn only_a_redirect_is_said_to_be_one() {
    let redirect = "; the transport did not follow the redirect; check the base URL";
    let still_valid = "; it has no body: an earlier response is still valid";
    #[rustfmt::skip]
    let table = [
        (300, ""),
        (301, redirect),
        (302, redirect),
        (303, redirect),
        (304, still_valid),
        (305, ""),
        (307, redirect),
        (308, redirect),
    ];
    for (status, said_of_it) in table {
        let status = StatusCode::from_u16(status).unwrap();
        // Its body may repeat the address.
        let said = said(status, None, "https://elsewhere.example/?about=somebody").await;
        assert_eq!(said, said_of_it, "{status}");
    }
}

#[tokio::test]
async fn a_message_is_one_short_line_however_long_the_body_is() {
    let hostile = "\r\n\u{1b}[31m\u{202e}\u{200b}\u{85}\u{2028}x";
    for body in [
        hostile.repeat(20_000),
        "\\".repeat(200_000),
        KEY.repeat(20_000),
        "\n".repeat(200_000),
    ] {
        for (status, body) in [
            (StatusCode::BAD_REQUEST, body.clone()),
            (StatusCode::OK, body.clone()),
            (
                StatusCode::OK,
                serde_json::json!({ "things": body }).to_string(),
            ),
        ] {
            let said = said(status, None, body).await;
            assert!(said.chars().count() < 500, "{said}");
            let is_plain = |c: char| !c.is_control() && !"\u{202e}\u{200b}\u{2028}".contains(c);
            assert!(said.chars().all(is_plain), "{said:?}");
        }
    }
}

#[tokio::test]
async fn a_message_of_a_reject_is_one_short_line() {
    let text = "a\r\n\u{1b}[31m\u{202e}".repeat(20_000);
    let body = serde_json::json!({ "things": [text, 1] }).to_string();
    let client = client(responding(&Log::default(), StatusCode::OK, body)).unwrap();
    let response = client.send::<Things>(Request::new(&LIST)).await.unwrap();
    let [reject] = response.body.things.rejects() else {
        panic!("{response:?}");
    };
    assert!(reject.message.chars().count() < 500, "{}", reject.message);
    assert!(
        reject.message.contains("expected a whole number"),
        "{}",
        reject.message
    );
    assert!(!reject.message.contains(char::is_control));
}
