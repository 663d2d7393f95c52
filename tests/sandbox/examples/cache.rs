//! A cache by operation and address, which costs nothing: `cargo run -p company-intel-sandbox --example cache`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use company_intel::http::{Response, Uri};
use company_intel::interceptor::{AttemptEnd, Denial, Guard, Interceptor, NextAttempt, Settled};
use company_intel::transport::BoxFuture;
use company_intel::{Bytes, Client, Credits, Method};
use company_intel_sandbox::Sandbox;

#[derive(Clone, Default)]
struct Cache(Arc<Mutex<HashMap<(&'static str, Uri), Bytes>>>);

struct Missing(Cache, (&'static str, Uri));

impl Interceptor for Cache {
    fn before<'a>(
        &'a self,
        next: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        Box::pin(async move {
            let key = (next.request.operation().id, next.uri.clone());
            let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match cached.get(&key) {
                Some(body) => Err(Denial::Answered(Response::new(body.clone()))),
                None if next.request.operation().method != Method::GET => Ok(Box::new(()) as _),
                None => Ok(Box::new(Missing(self.clone(), key)) as _),
            }
        })
    }
}

impl Guard for Missing {
    fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        // The body of a stream is not here.
        if let Ok(response) = end.response
            && response.status() == 200
            && !response.body().is_empty()
        {
            let mut cached = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
            cached.insert(self.1, response.body().clone());
        }
        Settled::default()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .budget(Credits::new(20))
        .intercept(Cache::default())
        .build()?;
    for _ in 0..2 {
        let response = client.headcount_trends("example.com").send().await?;
        println!("{:?}", response.outcome());
    }
    println!("{:?}", client.budget().usage());
    Ok(())
}
