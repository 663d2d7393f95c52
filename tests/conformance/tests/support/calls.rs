//! A client with a key, and single calls of it to a server on loopback.

use company_intel::{Client, Error, Response};
pub(crate) use conformance_tests::KEY;

use super::addresses::Silence;
use super::server::{Recorded, json_response, responding};

pub(crate) fn client(base_url: impl Into<String>) -> Client {
    Client::builder(base_url).api_key(KEY).build().unwrap()
}

/// Returns the request of a call. The response is an empty object, which decodes or not, depending on the operation.
pub(crate) async fn sent<T, F>(call: impl FnOnce(Client) -> F) -> Recorded
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let server = responding(json_response("{}")).await;
    let result = call(client(server.url())).await;
    assert!(matches!(result, Ok(_) | Err(Error::Decode(_))));
    server.requests().remove(0)
}

/// Returns the result of a call to a service that responds with these bytes.
pub(crate) async fn respond_with<T, F>(
    bytes: impl Into<Vec<u8>>,
    call: impl FnOnce(Client) -> F,
) -> Result<Response<T>, Error>
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let server = responding(bytes).await;
    let result = call(client(server.url())).await;
    assert_eq!(server.requests().len(), 1);
    result
}

/// Checks that the argument is refused by name, without a connection to the server.
pub(crate) async fn refused<T, F>(argument: &str, call: impl FnOnce(Client) -> F)
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let silence = Silence::listening().await;
    let Err(Error::Argument(error)) = call(client(silence.url())).await else {
        panic!("`{argument}` is not refused");
    };
    assert_eq!(error.argument(), argument);
    assert!(silence.was_kept().await, "`{argument}` was sent");
}

/// Returns a number as the type that the document gives a parameter.
pub(crate) fn argument<T: TryFrom<u64, Error: std::fmt::Debug>>(number: u64) -> T {
    number.try_into().unwrap()
}
