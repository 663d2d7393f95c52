//! A client without TLS features sends nothing that belongs to an `https` address. Runs with `--no-default-features` only.

use generated_client::{Client, ClientBuilder, reqwest};

use crate::support::api::{API, KEY};

#[test]
fn a_client_of_an_https_address_is_not_built_whatever_proxy_it_has() {
    for base_url in ["https://api.example.com", "https://localhost"] {
        let builder: ClientBuilder<Client> = ClientBuilder::new(&API, base_url).api_key(KEY);
        let proxy = |http: reqwest::ClientBuilder| {
            http.proxy(reqwest::Proxy::all("http://127.0.0.1:1").unwrap())
        };
        let error = builder.http(proxy).build().unwrap_err();
        assert!(error.to_string().contains("no TLS"), "{error}");
    }
    let builder: ClientBuilder<Client> = ClientBuilder::new(&API, "http://localhost").api_key(KEY);
    let other = ("https://uploads.example.com", "https://uploads.example.com");
    builder.server(other.0, other.1).build().unwrap_err();
    let builder: ClientBuilder<Client> = ClientBuilder::new(&API, "http://localhost").api_key(KEY);
    builder.build().unwrap();
}
