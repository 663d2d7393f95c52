//! Three failures in a row refuse all calls for a second: `cargo run -p company-intel-sandbox --example circuit_breaker`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use company_intel::interceptor::{AttemptEnd, Denial, Guard, Interceptor, NextAttempt, Settled};
use company_intel::transport::BoxFuture;
use company_intel::{Client, Credits};
use company_intel_sandbox::{Fault, Sandbox};

/// The number of failures in a row, and the time of the last one.
#[derive(Clone)]
struct Breaker(Arc<Mutex<(u32, Instant)>>);

impl Interceptor for Breaker {
    fn before<'a>(&'a self, _: NextAttempt<'a>) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        Box::pin(async {
            let (failures, last) = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if failures < 3 || last.elapsed() > Duration::from_secs(1) {
                return Ok(Box::new(self.clone()) as _);
            }
            Err(Denial::Refused {
                cause: "the service has failed three times".into(),
                kind: "circuit_open",
                is_retryable: true,
            })
        })
    }
}

impl Guard for Breaker {
    fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_up = matches!(end.response, Ok(response) if !response.status().is_server_error());
        *state = (if is_up { 0 } else { state.0 + 1 }, Instant::now());
        Settled::default()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::builder().fault("headcount_trends", Fault::status(500).times(3));
    let sandbox = sandbox.start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .budget(Credits::new(20))
        .intercept(Breaker(Arc::new(Mutex::new((0, Instant::now())))))
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
