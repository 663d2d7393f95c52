//! The service: it bills as the seed decides, whether or not anybody still waits for the response.

use std::time::Duration;

use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::{Bytes, http};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::ledger::{Attempt, Known};
use super::world::World;

/// What the service does with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// It responds, bills, and says what that cost.
    Bills,
    /// It responds and bills, and says nothing of the cost.
    BillsSilently,
    /// It bills, and the connection ends.
    Breaks,
    /// It bills, and does not respond.
    Hangs,
    /// It bills nothing, and responds with this status.
    Refuses(u16),
}

/// How long a connection stays that brings no response.
const HANGS: Duration = Duration::from_secs(30);

type Response = Result<http::Response<Bytes>, TransportError>;

/// Counts a request as in flight while its worker waits for it.
struct InFlight {
    world: World,
    worker: usize,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.world.state().peers[self.worker].in_flight -= 1;
    }
}

impl World {
    fn draw_outcome(&self, worker: usize) -> Outcome {
        let mut state = self.state();
        if state.peers[worker].is_faultless {
            return Outcome::Bills;
        }
        match state.random.u8(..20) {
            0 => Outcome::BillsSilently,
            1 => Outcome::Breaks,
            2 => Outcome::Hangs,
            3 => Outcome::Refuses(429),
            4 => Outcome::Refuses(500),
            _ => Outcome::Bills,
        }
    }

    /// Checks that a request may be sent, and counts it. `None` if it may not.
    fn send(&self, worker: usize, call: usize) -> Option<(Attempt, u64, InFlight)> {
        let mut state = self.state();
        state.peers[worker].in_flight += 1;
        let alive = state.peers.iter().filter(|peer| !peer.is_dead);
        let in_flight: u32 = alive.map(|peer| peer.in_flight).sum();
        if state
            .plan
            .max_in_flight
            .is_some_and(|most| in_flight > most)
        {
            state.violation(format!("{in_flight} calls are in flight"));
        }
        let Some((attempt, price)) = state.ledger.sent(call) else {
            state.violation(format!("call {call} is sent without a reservation"));
            return None;
        };
        let world = self.clone();
        Some((attempt, price, InFlight { world, worker }))
    }

    fn bill(&self, attempt: Attempt, charge: u64) {
        let mut state = self.state();
        state.note(format!("service: {attempt:?} is billed {charge}"));
        state.ledger.bill(attempt, charge);
        state.check();
    }

    /// Sends a request of a worker, and waits for the response.
    pub(super) async fn request(self, worker: usize, call: usize) -> Response {
        let Some((attempt, price, _in_flight)) = self.send(worker, call) else {
            return Err(failed());
        };
        let outcome = self.draw_outcome(worker);
        let charge = self.state().random.u64(..=price);
        self.note(format!(
            "worker {worker}: sends {attempt:?}, which {outcome:?}"
        ));
        let (respond, response) = oneshot::channel();
        tokio::spawn(self.clone().serve(attempt, outcome, charge, respond));
        let Ok(known) = response.await else {
            return Err(failed());
        };
        // The worker knows the outcome from here on.
        self.state().ledger.entry(attempt).known = known;
        self.note(format!("worker {worker}: receives {attempt:?}: {known:?}"));
        Ok(responded(outcome, charge))
    }

    async fn serve(
        self,
        attempt: Attempt,
        outcome: Outcome,
        charge: u64,
        respond: oneshot::Sender<Known>,
    ) {
        let [before, after] = [(); 2].map(|()| self.state().random.u64(..600));
        sleep(Duration::from_millis(before)).await;
        if !matches!(outcome, Outcome::Refuses(_)) {
            self.bill(attempt, charge);
        }
        self.state().ledger.entry(attempt).is_over = true;
        sleep(Duration::from_millis(after)).await;
        let known = match outcome {
            Outcome::Bills => Known::Charged(charge),
            Outcome::BillsSilently | Outcome::Refuses(500) => Known::Uncertain,
            Outcome::Refuses(_) => Known::Rejected,
            Outcome::Hangs => return sleep(HANGS).await,
            Outcome::Breaks => return,
        };
        _ = respond.send(known);
    }
}

fn failed() -> TransportError {
    TransportError::new(TransportErrorKind::Other, "the connection was reset")
}

fn responded(outcome: Outcome, charge: u64) -> http::Response<Bytes> {
    let body = match outcome {
        Outcome::Bills => format!(
            r#"{{"cost": {}.{:06}}}"#,
            charge / 1_000_000,
            charge % 1_000_000
        ),
        _ => "{}".to_owned(),
    };
    let status = match outcome {
        Outcome::Refuses(status) => status,
        _ => 200,
    };
    let response = http::Response::builder().status(status);
    response.body(Bytes::from(body)).unwrap()
}
