//! Responses whose bodies are read while they arrive.

mod events;
mod head;
mod money;
#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
mod sockets;

use generated_client::stream::ResponseStream;
use generated_client::testing::{Reply, Script};
use generated_client::{ClientBuilder, Error};

use crate::support::api::{API, KEY};

fn builder(script: &Script) -> ClientBuilder {
    ClientBuilder::new(&API, "https://example.com")
        .api_key(KEY)
        .transport(script.clone())
}

/// Returns a success in three chunks.
fn three() -> Reply {
    Reply::chunked(200, ["one", "two", "three"])
}

/// Returns the chunks up to the end, and the error that ends them.
async fn chunks(stream: &mut ResponseStream) -> (Vec<String>, Option<Error>) {
    let mut chunks = Vec::new();
    while let Some(chunk) = stream.next().await {
        match chunk {
            Ok(chunk) => chunks.push(String::from_utf8_lossy(&chunk).into_owned()),
            Err(error) => return (chunks, Some(error)),
        }
    }
    (chunks, None)
}
