//! Operations with an address of their own: where they are called, and with which client not at all.

use metered_client::credentials::Credential;
use metered_client::document::OwnServer;
use metered_client::request::Request;
use metered_client::{Client, ClientBuilder, Error, StatusCode, http};

use super::support::SCHEMES;
use crate::support::api::{LIST, Log, responding};

static UPLOADS: OwnServer = OwnServer {
    url: "https://uploads.example.com/v2/",
    beside: &["https://api.example.com/v2", "https://api.example.eu"],
};

/// Where the call goes, and whether it takes its credential along.
async fn called(
    base_url: &str,
    own: &'static OwnServer,
    named: &[(&str, &str)],
) -> Result<String, Error> {
    let log = Log::default();
    let builder: ClientBuilder<Client> = ClientBuilder::new(&SCHEMES, base_url);
    let builder = named
        .iter()
        .fold(builder, |builder, (documented, address)| {
            builder.server(*documented, *address)
        });
    let client = builder
        .credential(Credential::text("bearer", "canary"))
        .transport(responding(&log, StatusCode::OK, "null"))
        .build()?;
    let mut request = Request::new(&LIST);
    request.server(own);
    let result = client.send::<()>(request).await;
    let sent: Vec<http::Request<_>> = log.take();
    assert_eq!(sent.len(), usize::from(result.is_ok()));
    result?;
    assert_eq!(sent[0].headers()["authorization"], "Bearer canary");
    Ok(sent[0].uri().to_string())
}

#[tokio::test]
async fn a_client_of_a_documented_address_calls_the_operation_at_its_own() {
    for base_url in [
        "https://api.example.com/v2",
        "https://api.example.com",
        "https://API.example.eu:443/",
        "https://uploads.example.com/other",
    ] {
        let address = called(base_url, &UPLOADS, &[]).await.unwrap();
        assert_eq!(
            address, "https://uploads.example.com/v2/v1/things",
            "{base_url}"
        );
    }
}

#[tokio::test]
async fn a_client_of_another_address_sends_nothing_until_the_address_is_named() {
    for base_url in [
        "http://localhost:8080",
        "https://staging.example.com",
        "https://api.example.com:8443",
        "https://api.example.com.example.org",
    ] {
        let error = called(base_url, &UPLOADS, &[]).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "`listThings` has an address of its own, https://uploads.example.com/v2/, and the base URL is not a documented one: \
             name the address to call with `ClientBuilder::server`"
        );
        let named = [(
            "https://uploads.example.com/v2",
            "https://uploads.staging.example/x/",
        )];
        let address = called(base_url, &UPLOADS, &named).await.unwrap();
        assert_eq!(address, "https://uploads.staging.example/x/v1/things");
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
    assert!(
        error.to_string().contains("an address of its own"),
        "{error}"
    );
}
