//! Requests and responses of content types other than JSON, line by line.

use forms_client::operations::{SeveralInput, UploadMultipart, UploadOutput};
use forms_client::request::{Body, Part};
use forms_client::types::{Color, Problem, SendFormForm};
use forms_client::{Client, Error};
use generated_client::{Bytes, StatusCode, http};
use serde_json::{Map, Value, json};

use crate::support::api::{Log, responding};

fn service(status: u16, body: &str) -> (Client, Log) {
    let log = Log::default();
    let transport = responding(&log, StatusCode::from_u16(status).unwrap(), body.to_owned());
    let client = Client::builder("https://example.com").transport(transport);
    (client.build().unwrap(), log)
}

fn color(red: i64) -> Color {
    serde_json::from_value(json!({"R": red, "G": 200})).unwrap()
}

fn only(log: &Log) -> http::Request<Bytes> {
    let mut sent = log.take();
    assert_eq!(sent.len(), 1);
    sent.remove(0)
}

fn text(request: &http::Request<Bytes>) -> String {
    String::from_utf8(request.body().to_vec()).unwrap()
}

fn header<'r>(request: &'r http::Request<Bytes>, name: &str) -> &'r str {
    request.headers()[name].to_str().unwrap()
}

#[tokio::test]
async fn each_parameter_is_sent_in_the_style_of_its_document() {
    let (client, log) = service(200, "a text, no JSON");
    let response = client
        .styles(["a/b", "c"], [3, 4], color(100))
        .form(color(1))
        .joined(["x", "y"])
        .spaced([5, 6])
        .deep(color(2))
        .json(color(3))
        .x_color(color(4))
        .session("s;id")
        .reserved("a/b?c&d")
        .share(1.5)
        .size(10)
        .send()
        .await
        .unwrap();
    assert_eq!(response.body, "a text, no JSON");
    let sent = only(&log);
    assert_eq!(
        sent.uri().to_string(),
        "https://example.com/styles/a%2Fb,c/x.3.4/;R=100;G=200:go?fixed=1&R=1&G=200&joined=x,y&spaced=5%206\
         &deep%5BR%5D=2&deep%5BG%5D=200&json=%7B%22R%22%3A3%2C%22G%22%3A200%7D&reserved=a/b?c%26d&share=1.5&size=10"
    );
    assert_eq!(header(&sent, "x-color"), "R=4,G=200");
    assert_eq!(header(&sent, "cookie"), "session=s%3Bid");
    assert_eq!(header(&sent, "accept"), "text/plain");
}

#[tokio::test]
async fn an_argument_outside_of_what_its_document_allows_is_not_sent() {
    let (client, log) = service(200, "");
    let styles = || client.styles(["a"], [1], color(1));
    for (call, problem) in [
        (styles().joined(["x"]), "`joined` has 1 elements"),
        (styles().joined(["x", "x"]), "`joined` has an element twice"),
        (
            styles().joined(["x", "Y"]),
            "`joined` does not match the pattern `^[a-z]+$`",
        ),
        (styles().share(0.0), "`share` is 0, and has to be above 0"),
        (styles().share(0.7), "`share` is 0.7, not a multiple of 0.5"),
        (styles().size(7), "`size` is 7, not a multiple of 5"),
        (client.styles([""; 0], [1], color(1)), "`simple` is empty"),
    ] {
        let error = call.send().await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
    assert!(log.take().is_empty());
}

#[tokio::test]
async fn files_and_values_are_parts_and_the_response_has_a_variant_for_each_status() {
    for (status, body) in [(201, r#"{"R": 7}"#), (202, "later"), (200, "")] {
        let (client, log) = service(status, body);
        let parts = UploadMultipart::new(Part::new("PNG").file_name("cat.png"))
            .more([Part::new(vec![1]).content_type("text/css")])
            .tags(["x", "y"])
            .color(color(1));
        let response = client.upload("a b", parts).send().await.unwrap();
        match (status, response.body) {
            (201, UploadOutput::Created(color)) => assert_eq!(color.r, Some(7)),
            (202, UploadOutput::Accepted) | (200, UploadOutput::Undocumented) => {}
            (_, other) => panic!("{status}: {other:?}"),
        }
        assert_eq!(response.raw, body.as_bytes());
        let sent = only(&log);
        assert_eq!(sent.uri().path(), "/files/a%20b");
        let boundary = header(&sent, "content-type")
            .split_once("boundary=")
            .unwrap()
            .1;
        let parts = text(&sent).replace(boundary, "B").replace("\r\n", "\n");
        assert_eq!(
            parts,
            "--B\nContent-Disposition: form-data; name=\"photo\"; filename=\"cat.png\"\nContent-Type: image/png\n\nPNG\n\
             --B\nContent-Disposition: form-data; name=\"more\"; filename=\"more\"\nContent-Type: text/css\n\n\u{1}\n\
             --B\nContent-Disposition: form-data; name=\"tags\"\n\nx\n\
             --B\nContent-Disposition: form-data; name=\"tags\"\n\ny\n\
             --B\nContent-Disposition: form-data; name=\"color\"\nContent-Type: application/json\n\n{\"R\":1,\"G\":200}\n\
             --B--\n"
        );
    }
}

#[tokio::test]
async fn a_form_has_the_encodings_of_its_document_and_is_not_sent_unless_it_is_given() {
    let (client, log) = service(200, "[1, 2]");
    let body = SendFormForm::new().name("a b&c").color(color(1));
    let body = body.plain(color(2)).tags(["x", "y"]);
    let response = client.send_form().body(body).send().await.unwrap();
    assert_eq!(response.body, [1, 2]);
    let sent = only(&log);
    assert_eq!(
        header(&sent, "content-type"),
        "application/x-www-form-urlencoded"
    );
    assert_eq!(
        text(&sent),
        "name=a%20b%26c&color%5BR%5D=1&color%5BG%5D=200&plain=%7B%22R%22%3A2%2C%22G%22%3A200%7D&tags=x&tags=y"
    );
    client.send_form().send().await.unwrap();
    let empty = only(&log);
    assert!(empty.body().is_empty() && !empty.headers().contains_key("content-type"));
}

#[tokio::test]
async fn a_body_of_several_is_sent_under_its_media_type() {
    let (client, log) = service(200, r#"{"a": ["b"]}"#);
    let patch: Map<String, Value> = serde_json::from_value(json!({"R": null})).unwrap();
    let gif = Body::bytes("image/gif", "GIF");
    for (given, content_type, body) in [
        (
            SeveralInput::from(color(1)),
            "application/json",
            r#"{"R":1,"G":200}"#,
        ),
        (
            patch.into(),
            "application/merge-patch+json",
            r#"{"R":null}"#,
        ),
        ("a,b".into(), "text/csv; charset=utf-8", "a,b"),
        (gif.into(), "image/gif", "GIF"),
    ] {
        let response = client.several(given).send().await.unwrap();
        assert_eq!(response.body["a"], ["b"]);
        let sent = only(&log);
        assert_eq!(
            (header(&sent, "content-type"), text(&sent).as_str()),
            (content_type, body)
        );
        assert_eq!(header(&sent, "accept"), "application/hal+json");
    }
}

#[tokio::test]
async fn bytes_nothing_and_lists_are_read_as_they_are() {
    let (client, log) = service(200, "\u{89}PNG");
    assert_eq!(client.download("x").send().await.unwrap().body, "\u{89}PNG");
    assert_eq!(header(&only(&log), "accept"), "image/png, image/jpeg");
    let removed = client.remove("x").send().await.unwrap();
    assert_eq!(
        (removed.body, &removed.raw[..]),
        ((), "\u{89}PNG".as_bytes())
    );
    log.take();

    assert_eq!(client.colors().send().await.unwrap().body, "\u{89}PNG");
    assert!(only(&log).body().is_empty());
    client
        .colors()
        .body(vec![color(1), color(2)])
        .send()
        .await
        .unwrap();
    assert_eq!(text(&only(&log)), r#"[{"R":1,"G":200},{"R":2,"G":200}]"#);
}

#[tokio::test]
async fn the_body_of_an_error_has_the_type_that_the_document_gives_it() {
    let (client, _) = service(404, r#"{"title": "no such color"}"#);
    let error = client
        .styles(["a"], [1], color(1))
        .send()
        .await
        .unwrap_err();
    let problem: Problem = error.body_as().unwrap().unwrap();
    assert_eq!(problem.title, "no such color");
}
