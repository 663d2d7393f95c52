//! An API with a scheme of each kind.

use generated_client::credentials::Credential;
use generated_client::document::{Api, Auth, Carrier, Scheme, Security};
use generated_client::request::Request;
use generated_client::{Bytes, Client, ClientBuilder, Error, http};

use crate::support::api::{API, LIST, Log};

pub(super) static SCHEMES: Api = Api {
    auth: Auth::Schemes {
        all: &[
            scheme("in_header", Carrier::Header("X-Key")),
            scheme("in_query", Carrier::Query("api key")),
            scheme("in_cookie", Carrier::Cookie("sid")),
            scheme("bearer", Carrier::Bearer),
            scheme("basic", Carrier::Basic),
            scheme("digest", Carrier::Authorization),
            scheme("token", Carrier::Header("Authorization")),
        ],
        usual: &[&["bearer"]],
    },
    ..API
};

const fn scheme(name: &'static str, carrier: Carrier) -> Scheme {
    Scheme {
        name,
        variable: "",
        carrier,
    }
}

pub(super) fn builder() -> ClientBuilder<Client> {
    ClientBuilder::new(&SCHEMES, "https://example.com/base")
}

/// Returns a call that needs this.
pub(super) fn needing(security: Security) -> Request {
    let mut request = Request::new(&LIST);
    request.query("a", &1).security(security);
    request
}

/// Returns the request that a client with these credentials sends, as lines: its target, and its headers that are credentials.
pub(super) async fn sent(
    credentials: impl IntoIterator<Item = Credential>,
    request: Request,
) -> Result<Vec<String>, Error> {
    let log = Log::default();
    let transport = crate::support::api::responding(&log, http::StatusCode::OK, "null");
    let builder = credentials
        .into_iter()
        .fold(builder(), |builder, one| builder.credential(one));
    let client = builder.transport(transport).build()?;
    client.send::<()>(request).await?;
    let requests: Vec<http::Request<Bytes>> = log.take();
    let [request] = requests.as_slice() else {
        panic!("{} requests", requests.len());
    };
    let target = request.uri().path_and_query().unwrap().to_string();
    let mut lines = vec![format!("{} {target}", request.method())];
    for (name, value) in request.headers() {
        if !["accept", "user-agent"].contains(&name.as_str()) {
            assert!(value.is_sensitive(), "{name}");
            lines.push(format!("{name}: {}", value.to_str().unwrap()));
        }
    }
    Ok(lines)
}
