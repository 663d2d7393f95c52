//! A literal request for each kind of scheme, and which of several a call takes along.

use generated_client::credentials::{Credential, Token};
use generated_client::document::{Api, Auth, Security};
use generated_client::request::Request;
use generated_client::{Budget, Client, ClientBuilder, Credits, Error, Method, StatusCode};

use super::support::{builder, needing, sent};
use crate::support::api::{API, LIST, Log, responding};

fn text(scheme: &str, secret: &str) -> Credential {
    Credential::text(scheme, secret)
}

fn basic(scheme: &str, user: &str, password: &str) -> Credential {
    Credential::basic(scheme, user, password)
}

const TARGET: &str = "GET /base/v1/things?a=1";

#[tokio::test]
#[rustfmt::skip]
async fn each_scheme_has_its_place_in_the_request() {
    let digest = "Digest username=\"Mufasa\", realm=\"a\"";
    let in_digest = format!("authorization: {digest}");
    let bearer = Credential::provider("bearer", |_| async { Ok(Token::new("t1")) });
    let query = "GET /base/v1/things?a=1&api%20key=k%2F1%3D";
    for (scheme, credential, expected) in [
        ("in_header", text("in_header", "k/1="), "x-key: k/1="),
        ("in_query", text("in_query", "k/1="), query),
        ("in_cookie", text("in_cookie", "k/1="), "cookie: sid=k/1="),
        // RFC 6750, section 2.1.
        ("bearer", text("bearer", "mF_9.B5f-4.1JqM"), "authorization: Bearer mF_9.B5f-4.1JqM"),
        // RFC 7617, sections 2 and 2.1.
        ("basic", basic("basic", "Aladdin", "open sesame"), "authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("basic", basic("basic", "test", "123£"), "authorization: Basic dGVzdDoxMjPCow=="),
        ("basic", basic("basic", "only-a-key", ""), "authorization: Basic b25seS1hLWtleTo="),
        ("digest", text("digest", digest), &in_digest),
        ("token", text("token", "Token abcd"), "authorization: Token abcd"),
        ("bearer", bearer, "authorization: Bearer t1"),
    ] {
        let security: Security = Vec::leak(vec![&*Vec::leak(vec![scheme])]);
        let lines = sent([credential], needing(security)).await.unwrap();
        let (first, header) = if expected.starts_with("GET") {
            (expected, None)
        } else {
            (TARGET, Some(expected))
        };
        let expected: Vec<&str> = [first].into_iter().chain(header).collect();
        assert_eq!(lines, expected);
    }
}

#[tokio::test]
async fn a_call_takes_the_first_alternative_of_which_the_client_has_everything() {
    let key = || Credential::text("in_header", "k");
    let token = || Credential::text("bearer", "t");
    let query = || Credential::text("in_query", "q");
    let in_header = Some("x-key: k");
    let bearer = Some("authorization: Bearer t");
    #[rustfmt::skip]
    let table = [
        (vec![key(), token()], &[&["in_header"] as &[_], &["bearer"]] as Security, vec![in_header]),
        (vec![key(), token()], &[&["bearer"], &["in_header"]], vec![bearer]),
        (vec![key()], &[&["bearer"], &["in_header"]], vec![in_header]),
        // Together or not at all.
        (vec![key(), token()], &[&["in_header", "bearer"]], vec![in_header, bearer]),
        (vec![token()], &[&["in_header", "bearer"], &["bearer"]], vec![bearer]),
        // Optional: taken along where it is there.
        (vec![key()], &[&[], &["in_header"]], vec![in_header]),
        (vec![], &[&[], &["in_header"]], vec![]),
        (vec![query()], &[&["in_header"], &[]], vec![]),
        // None.
        (vec![key(), token(), query()], &[], vec![]),
    ];
    for (given, security, expected) in table {
        let mut lines = sent(given, needing(security)).await.unwrap();
        lines.sort_by_key(|line| !line.starts_with("x-key"));
        lines.retain(|line| line != TARGET);
        let mut expected: Vec<&str> = expected.into_iter().flatten().collect();
        expected.sort_by_key(|line| !line.starts_with("x-key"));
        assert_eq!(lines, expected, "{security:?}");
    }
}

#[tokio::test]
async fn a_call_that_says_nothing_takes_what_is_usual() {
    let given = [
        Credential::text("in_header", "k"),
        Credential::text("bearer", "t"),
    ];
    let lines = sent(given, Request::new(&LIST)).await.unwrap();
    assert_eq!(lines, ["GET /base/v1/things", "authorization: Bearer t"]);
}

#[tokio::test]
async fn without_what_it_needs_a_call_is_not_sent_and_says_what_that_is() {
    let budget = Budget::of(Credits::from_micros(5));
    let log = Log::default();
    let client = builder()
        .credential(Credential::text("in_header", "canary-4711"))
        .budget(budget.clone())
        .transport(responding(&log, StatusCode::OK, "null"))
        .build()
        .unwrap();
    let request = needing(&[&["in_header", "in_query"], &["basic"]]);
    let error = client.send::<()>(request).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "listThings (GET /v1/things) was not sent: it needs a credential for `in_header` and `in_query`, or for `basic`"
    );
    assert!(matches!(error, Error::Credential(_)));
    assert_eq!(error.operation(), Some("listThings"));
    assert_eq!((error.attempts(), error.is_retryable()), (0, false));
    assert!(!error.may_have_been_charged());
    assert_eq!(log.take().len(), 0);
    assert_eq!(budget.usage().reserved, Credits::ZERO);
}

#[tokio::test]
async fn a_credential_replaces_what_the_caller_put_in_its_place() {
    let mut request = needing(&[&["in_header", "in_query", "in_cookie"]]);
    request
        .query("api key", &"mine")
        .query("api", &"other")
        .header("x-key", &"mine");
    let given = [
        Credential::text("in_header", "k"),
        Credential::text("in_query", "q"),
        Credential::text("in_cookie", "c"),
    ];
    let lines = sent(given, request).await.unwrap();
    assert_eq!(
        lines,
        [
            "GET /base/v1/things?a=1&api=other&api%20key=q",
            "x-key: k",
            "cookie: sid=c"
        ]
    );
}

#[tokio::test]
async fn a_raw_call_takes_what_is_usual() {
    let log = Log::default();
    let client = builder()
        .credential(Credential::text("bearer", "t"))
        .transport(responding(&log, StatusCode::OK, "null"))
        .build()
        .unwrap();
    client.raw(Method::GET, "/x").send::<()>().await.unwrap();
    assert!(log.take()[0].headers().contains_key("authorization"));
}

#[test]
#[rustfmt::skip]
fn credentials_that_cannot_travel_are_refused_and_not_repeated() {
    let provider = Credential::provider("in_header", |_| async { Ok(Token::new("t")) });
    for (credential, expected) in [
        (text("in_query", ""), "the credential for `in_query` is empty"),
        (text("bearer", "Bearer canary"), "`bearer` contains a space"),
        (text("in_cookie", "canary;b"), "`in_cookie` contains a character that is invalid in a cookie"),
        (text("token", " canary"), "`token` begins or ends with a space"),
        (text("digest", "canary\r\na: b"), "`digest` contains a space, a line break"),
        (text("basic", "canary"), "`basic` takes a user name and a password"),
        (basic("bearer", "canary", "canary"), "`bearer` takes one string"),
        (basic("basic", "", ""), "`basic` is empty"),
        (basic("basic", "canary:a", "b"), "`basic` has a user name with a colon"),
        (basic("basic", "canary", "a\nb"), "`basic` holds a line break"),
        (provider, "`in_header` cannot come from a token provider"),
        (text("bearre", "canary"), "the API has no security scheme `bearre`: it has `in_header`, `in_query`"),
    ] {
        let error = builder().credential(credential).build().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(
            !format!("{error} {error:?}").contains("canary"),
            "{error:?}"
        );
    }
}

#[test]
fn a_key_without_a_name_is_for_the_only_scheme() {
    let error = builder().api_key("canary").build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the API key is for one of several security schemes: give it by `ClientBuilder::credential`, which says for which"
    );
    let error = builder()
        .token_provider(|_| async { Ok(Token::new("t")) })
        .build()
        .unwrap_err();
    assert!(error.to_string().contains("several security schemes"));
    // A key that no call sends would look like one that is sent.
    static OPEN: Api = Api {
        auth: Auth::None,
        ..API
    };
    let open: ClientBuilder<Client> = ClientBuilder::new(&OPEN, "https://example.com");
    let error = open.api_key("canary").build().unwrap_err();
    assert!(
        error.to_string().contains("for no security scheme"),
        "{error}"
    );
    // A key in a header comes from no provider.
    let builder: ClientBuilder<Client> = ClientBuilder::new(&API, "https://example.com");
    let error = builder
        .token_provider(|_| async { Ok(Token::new("t")) })
        .build()
        .unwrap_err();
    assert!(
        error.to_string().contains("it is not a bearer token"),
        "{error}"
    );
}
