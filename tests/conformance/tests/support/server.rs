//! A server on loopback that responds with canned bytes. It knows nothing of the API.

pub(crate) use conformance_tests::request::Recorded;
use conformance_tests::service::{Deed, Service, Then};

/// Starts a service that responds to each request with these bytes, and closes the connection.
pub(crate) async fn responding(response: impl Into<Vec<u8>>) -> Service {
    Service::of([Deed::sending(response, Then::Closes)]).await
}

/// Returns a whole response.
pub(crate) fn response(status: &str, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

pub(crate) fn json_response(body: &str) -> String {
    response("200 OK", "application/json", body)
}
