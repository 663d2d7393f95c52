//! Customers with a rate each, and one budget for all: `cargo run -p company-intel-sandbox --example rate_limit`.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use company_intel::interceptor::{Denial, Guard, Interceptor, NextAttempt};
use company_intel::transport::BoxFuture;
use company_intel::{Budget, Client, Credits};
use company_intel_sandbox::Sandbox;
use tokio::time::{Instant, sleep_until};

/// Lets one attempt go in each interval.
struct RateLimit {
    interval: Duration,
    next: Mutex<Instant>,
}

impl Interceptor for RateLimit {
    /// Waits before the budget reserves anything.
    fn before<'a>(
        &'a self,
        call: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        Box::pin(async move {
            let at = {
                let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
                let at = Instant::now().max(*next);
                if at > call.deadline {
                    return Err(Denial::Late("the rate limit of the customer"));
                }
                *next = at + self.interval;
                at
            };
            sleep_until(at).await;
            Ok(Box::new(()) as _)
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (sandbox, budget) = (Sandbox::start().await?, Budget::of(Credits::new(100)));
    for (customer, interval) in [("large", 100), ("small", 1_000_000)] {
        let (interval, next) = (Duration::from_millis(interval), Mutex::new(Instant::now()));
        let client = Client::builder(sandbox.base_url()).api_key(sandbox.api_key());
        let client = client.intercept(RateLimit { interval, next });
        let client = client.budget(budget.clone()).build()?;
        for _ in 0..3 {
            match client.headcount_trends("example.com").send().await {
                Ok(response) => println!("{customer}: {:?}", response.outcome()),
                Err(error) => println!("{customer}: {error}"),
            }
        }
    }
    println!("{:?}", budget.usage());
    Ok(())
}
