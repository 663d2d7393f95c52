//! A transport that knows what it bills, and checks on every request what a client may never do.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use generated_client::error::TransportError;
use generated_client::transport::{BoxFuture, Transport};
use generated_client::{Bytes, Credits, StatusCode, http};
use tokio::time::{Instant, sleep};

use crate::support::random_outcome::{Ending, RandomOutcome, random_outcome};
use crate::support::scripted_client::silent_panic;

#[derive(Clone)]
pub(crate) struct BillingService {
    limit: Credits,
    deadline: Duration,
    in_flight: usize,
    greedy: bool,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    billed: u64,
    billed_to: BTreeMap<usize, u64>,
    /// The first attempt of each call, and how many of its attempts were billed.
    calls: BTreeMap<u64, (Option<Instant>, u32)>,
    running: usize,
    cool_until: Option<Instant>,
    /// A panic would be taken for one of those that are meant.
    complaints: Vec<String>,
}

impl BillingService {
    /// Creates a service. `greedy`: it bills everything that it may, in full and at once.
    pub(crate) fn new(limit: Credits, deadline: Duration, in_flight: usize, greedy: bool) -> Self {
        Self {
            limit,
            deadline,
            in_flight,
            greedy,
            state: Arc::default(),
        }
    }

    pub(crate) fn transport(&self) -> impl Transport {
        self.clone()
    }

    pub(crate) fn billed(&self) -> u64 {
        self.state().billed
    }

    pub(crate) fn billed_to(&self, scope: usize) -> u64 {
        self.state().billed_to.get(&scope).copied().unwrap_or(0)
    }

    pub(crate) fn billed_twice(&self) -> Vec<u64> {
        let state = self.state();
        let twice = state.calls.iter().filter(|(_, (_, billed))| *billed > 1);
        twice.map(|(call, _)| *call).collect()
    }

    pub(crate) fn complaints(&self) -> Vec<String> {
        self.state().complaints.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Checks an arriving request, and records violations by the client.
    fn admit(&self, call: u64) {
        let now = Instant::now();
        let mut state = self.state();
        state.running += 1;
        let first = *state.calls.entry(call).or_default().0.get_or_insert(now);
        if state.running > self.in_flight {
            state.complaints.push("too many calls in flight".to_owned());
        }
        if now - first >= self.deadline {
            state
                .complaints
                .push("an attempt after the deadline".to_owned());
        }
        if state.cool_until.is_some_and(|until| now < until) {
            state
                .complaints
                .push("an attempt during the cool-down".to_owned());
        }
    }

    fn bill(&self, call: u64, scope: usize, price: u64) {
        let mut state = self.state();
        state.billed += price;
        *state.billed_to.entry(scope).or_default() += price;
        state.calls.entry(call).or_default().1 += u32::from(price > 0);
        if state.billed > self.limit.micros() {
            let complaint = format!("billed {} of {}", state.billed, self.limit);
            state.complaints.push(complaint);
        }
    }

    fn cool_down(&self, seconds: Option<u64>) {
        // The shortest pause applies without a hint.
        let pause = Duration::from_secs(seconds.unwrap_or(0)).max(Duration::from_millis(500));
        let mut state = self.state();
        state.cool_until = state.cool_until.max(Some(Instant::now() + pause));
    }
}

/// Counts a request as running until its response is there or it is dropped.
struct Running {
    service: BillingService,
    /// The price that a greedy service bills if the client disconnects.
    unanswered: Option<(u64, usize, u64)>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.service.state().running -= 1;
        if let Some((call, scope, price)) = self.unanswered {
            self.service.bill(call, scope, price);
        }
    }
}

fn price_of(request: &http::Request<Bytes>) -> u64 {
    let many = request.uri().query().is_some();
    match request.uri().path() {
        "/paid" if many => 3_000_000,
        "/paid" => 2_000_000,
        "/unknown" => 1_500_000,
        _ => 0,
    }
}

impl Transport for BillingService {
    fn send(
        &self,
        request: http::Request<Bytes>,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let number = |name| request.headers()[name].to_str().unwrap().parse::<u64>();
        let (call, scope) = (number("call").unwrap(), number("scope").unwrap() as usize);
        self.admit(call);
        let price = price_of(&request);
        let RandomOutcome {
            delay,
            billed,
            ending,
        } = random_outcome(price, self.greedy);
        // Half of what is billed is so before anybody can cancel.
        let early = self.greedy || fastrand::bool();
        let mut running = Running {
            service: self.clone(),
            unanswered: (self.greedy && !billed).then_some((call, scope, price)),
        };
        if billed && early {
            self.bill(call, scope, price);
        }
        Box::pin(async move {
            sleep(delay).await;
            if billed && !early {
                self.bill(call, scope, price);
            }
            running.unanswered = None;
            drop(running);
            match ending {
                Ending::Fails(kind) => Err(TransportError::new(kind, "scripted")),
                Ending::Panics => silent_panic(),
                Ending::Responds(status, after, body) => {
                    let mut response = http::Response::new(Bytes::from(body));
                    *response.status_mut() = StatusCode::from_u16(status).unwrap();
                    if let Some(seconds) = after {
                        response.headers_mut().insert("retry-after", seconds.into());
                    }
                    if status == 429 {
                        self.cool_down(after);
                    }
                    Ok(response)
                }
            }
        })
    }
}
