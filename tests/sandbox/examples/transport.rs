//! A custom transport around the built-in one that saves the bytes of every paid response:
//! `cargo run -p company-intel-sandbox --example transport`.

use std::sync::{Arc, Mutex, PoisonError};

use company_intel::error::TransportError;
use company_intel::transport::{BoxFuture, Transport};
use company_intel::{Bytes, Client, http};
use company_intel_sandbox::Sandbox;

type Kept = Arc<Mutex<Vec<Bytes>>>;

struct Keeping {
    inner: Arc<dyn Transport>,
    kept: Kept,
}

impl Transport for Keeping {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(async {
            let response = self.inner.send(request).await?;
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push(response.body().clone());
            Ok(response)
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let kept = Kept::default();
    let keeps = kept.clone();
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .wrap(move |inner| Keeping { inner, kept: keeps })
        .build()?;
    client.headcount_trends("example.com").send().await?;

    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    println!(
        "{} responses, {} bytes",
        kept.len(),
        kept.iter().map(Bytes::len).sum::<usize>()
    );
    Ok(())
}
