//! Operations with separate addresses: where they are called, and which credentials they must never send.

use generated_client::credentials::Credential;
use generated_client::document::OwnServer;
use generated_client::request::{CallOptions, Request};
use generated_client::{Client, ClientBuilder, Error, StatusCode, http};

use super::support::SCHEMES;
use crate::support::api::{LIST, Log, responding};

static UPLOADS: OwnServer = OwnServer {
    url: "https://uploads.example.com/v2/",
    beside: &["https://api.example.com/v2", "https://api.example.eu"],
};

/// Returns the target of the call, and whether it sends its credential.
async fn called(
    base_url: &str,
    own: &'static OwnServer,
    named: &[(&str, &str)],
) -> Result<String, Error> {
    let (address, credential) = sent(base_url, own, named, |_| {}, &[]).await?;
    assert_eq!(credential.unwrap(), "Bearer canary");
    Ok(address)
}

/// Returns the target of the call, and its header `Authorization`. `headers`: those of all calls.
async fn sent(
    base_url: &str,
    own: &'static OwnServer,
    named: &[(&str, &str)],
    change: impl Fn(&mut Request),
    headers: &[(&str, &str)],
) -> Result<(String, Option<http::HeaderValue>), Error> {
    let log = Log::default();
    let mut builder: ClientBuilder<Client> = ClientBuilder::new(&SCHEMES, base_url);
    for (documented, address) in named {
        builder = builder.server(*documented, *address);
    }
    for (name, value) in headers {
        builder = builder.default_header(*name, value);
    }
    let client = builder
        .credential(Credential::text("bearer", "canary"))
        .transport(responding(&log, StatusCode::OK, "null"))
        .build()?;
    let mut request = Request::new(&LIST);
    change(request.server(own));
    let result = client.send::<()>(request).await;
    let mut sent: Vec<http::Request<_>> = log.take();
    assert_eq!(sent.len(), usize::from(result.is_ok()));
    result?;
    let credential = sent[0].headers_mut().remove("authorization");
    Ok((sent[0].uri().to_string(), credential))
}

#[tokio::test]
async fn credentials_go_to_no_address_that_only_the_document_names() {
    for base_url in [
        "https://api.example.com/v2",
        "https://api.example.com",
        "https://API.example.eu:443/",
        "https://uploads.example.com:8443",
        "http://localhost:8080",
        "https://staging.example.com",
        "https://api.example.com.example.org",
    ] {
        let error = called(base_url, &UPLOADS, &[]).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "`listThings` was not sent: the document has it at https://uploads.example.com/v2/, and the caller has named no such address; \
             `ClientBuilder::server(\"https://uploads.example.com/v2/\", …)` names the one to call"
        );
        for address in [
            "https://uploads.staging.example/x/",
            "https://uploads.example.com/v2/",
        ] {
            let named = [("https://uploads.example.com/v2", address)];
            let called = called(base_url, &UPLOADS, &named).await.unwrap();
            assert_eq!(called, format!("{address}v1/things"));
        }
    }
}

#[tokio::test]
async fn the_origin_of_the_base_url_is_named() {
    for base_url in [
        "https://uploads.example.com/other",
        "https://UPLOADS.example.com:443",
    ] {
        let address = called(base_url, &UPLOADS, &[]).await.unwrap();
        assert_eq!(address, "https://uploads.example.com/v2/v1/things");
    }
}

#[tokio::test]
async fn a_call_without_credentials_goes_where_the_document_says_beside_a_documented_address() {
    let open = |request: &mut Request| _ = request.security(&[]);
    let (address, credential) = sent("https://api.example.eu", &UPLOADS, &[], open, &[])
        .await
        .unwrap();
    assert_eq!(address, "https://uploads.example.com/v2/v1/things");
    assert!(credential.is_none());
    sent("https://staging.example.com", &UPLOADS, &[], open, &[])
        .await
        .unwrap_err();
    // Those of a gateway, for all calls or for this one.
    const GATEWAY: &str = "proxy-authorization";
    let usual = [(GATEWAY, "canary")];
    let of_call = |request: &mut Request| {
        let mut options = CallOptions::default();
        options.extras.header(GATEWAY, &"canary");
        request.options(&options).security(&[]);
    };
    let of_client = sent("https://api.example.eu", &UPLOADS, &[], open, &usual).await;
    let of_call = sent("https://api.example.eu", &UPLOADS, &[], of_call, &[]).await;
    for refused in [of_client, of_call] {
        assert!(refused.unwrap_err().to_string().contains("was not sent"));
    }
}

#[tokio::test]
async fn a_named_address_wins_and_is_checked_as_a_base_url() {
    let named = |address| [("https://uploads.example.com/v2/", address)];
    let base_url = "https://api.example.com";
    let address = called(base_url, &UPLOADS, &named("http://127.0.0.1:1/u")).await;
    assert_eq!(address.unwrap(), "http://127.0.0.1:1/u/v1/things");
    for (address, problem) in [
        ("http://uploads.example.org", "plain http"),
        ("https://canary@h", "user name"),
        ("https://{canary}.h", "variable in braces"),
    ] {
        let error = called(base_url, &UPLOADS, &named(address))
            .await
            .unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
        assert!(!error.to_string().contains("canary"), "{error}");
    }
}

#[tokio::test]
async fn plain_http_of_a_document_is_refused_as_of_a_caller() {
    static PLAIN: OwnServer = OwnServer {
        url: "http://uploads.example.com",
        beside: &["https://api.example.com"],
    };
    static LOCAL: OwnServer = OwnServer {
        url: "http://localhost:1",
        beside: &["https://api.example.com"],
    };
    let error = called("https://api.example.com", &PLAIN, &[])
        .await
        .unwrap_err();
    assert!(error.to_string().contains("plain http"), "{error}");
    let error = called("https://api.example.com", &LOCAL, &[])
        .await
        .unwrap_err();
    assert!(error.to_string().contains("was not sent"), "{error}");
}

#[tokio::test]
async fn a_generated_client_of_the_documented_address_names_the_other_one_too() {
    let log = Log::default();
    let builder = || {
        let builder = things_client::Client::builder(things_client::Server::Default);
        builder
            .api_key("canary")
            .transport(responding(&log, StatusCode::OK, "{}"))
    };
    let error = builder()
        .build()
        .unwrap()
        .archived()
        .send()
        .await
        .unwrap_err();
    assert!(
        error.to_string().starts_with(
            "`archived` was not sent: the document has it at https://archive.example.com, "
        ),
        "{error}"
    );
    assert!(!error.may_have_been_charged());
    assert!(log.take().is_empty());
    let own = "https://archive.example.com";
    builder()
        .server(own, own)
        .build()
        .unwrap()
        .archived()
        .send()
        .await
        .unwrap();
    assert_eq!(log.take()[0].uri().host(), Some("archive.example.com"));
}
