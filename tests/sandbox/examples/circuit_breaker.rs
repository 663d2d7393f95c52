//! Three failures in a row refuse all calls for a second: `cargo run -p company-intel-sandbox --example circuit_breaker`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use company_intel::error::{TransportError, TransportErrorKind};
use company_intel::transport::Transport;
use company_intel::{Bytes, Client, Credits, http};
use company_intel_sandbox::{Fault, Sandbox};

/// The number of failures in a row, and the time of the last one.
type State = Arc<Mutex<(u32, Instant)>>;

async fn send(
    inner: Arc<dyn Transport>,
    state: State,
    request: http::Request<Bytes>,
) -> Result<http::Response<Bytes>, TransportError> {
    let (failures, last) = *state.lock().unwrap_or_else(PoisonError::into_inner);
    if failures >= 3 && last.elapsed() <= Duration::from_secs(1) {
        let why = "the service has failed three times";
        return Err(TransportError::new(TransportErrorKind::Other, why).not_sent());
    }
    let response = inner.send(request).await;
    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
    let is_up = matches!(&response, Ok(response) if !response.status().is_server_error());
    *state = (if is_up { 0 } else { state.0 + 1 }, Instant::now());
    response
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::builder().fault("headcount_trends", Fault::status(500).times(3));
    let sandbox = sandbox.start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .budget(Credits::new(20))
        .wrap(|inner| {
            let state = State::new(Mutex::new((0, Instant::now())));
            move |request| send(Arc::clone(&inner), Arc::clone(&state), request)
        })
        .build()?;
    for pause in [0, 0, 0, 0, 1] {
        tokio::time::sleep(Duration::from_secs(pause)).await;
        match client.headcount_trends("example.com").send().await {
            Ok(response) => println!("{:?}", response.outcome()),
            Err(error) => println!("{error} ({:?})", error.outcome()),
        }
    }
    println!("{:?}", client.budget().usage());
    Ok(())
}
