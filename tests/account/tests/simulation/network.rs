//! The connection of a worker to the store, and what the seed does to its steps.

use std::time::Duration;

use generated_client::account::store::{SimulatedStep, Simulation};
use generated_client::money::AtRiskId;
use tokio::sync::{broadcast, oneshot};
use tokio::time::{sleep, timeout};

use super::plan::Plan;
use super::world::{State, World};

/// How long a worker waits for a reply, as with a real server.
const STEP: Duration = Duration::from_secs(2);

type Reply = Result<Vec<String>, String>;
type BoxFuture<T> = std::pin::Pin<Box<dyn Future<Output = T> + Send>>;

/// The connection of one worker.
pub(super) struct Link {
    pub(super) world: World,
    pub(super) worker: usize,
}

/// What happens to one step on its way.
#[derive(Debug, Clone, Copy)]
struct Fate {
    /// The request never arrives.
    is_lost: bool,
    /// The time until the request arrives, and until its reply does.
    there: Duration,
    back: Duration,
    /// How long the worker waits for the reply: until its connection breaks, or is given up.
    patience: Duration,
    /// The time after which the request arrives once more.
    again: Option<Duration>,
}

impl State {
    fn millis(&mut self, most: u64) -> Duration {
        Duration::from_millis(self.random.u64(..most))
    }

    fn fate(&mut self, worker: usize, step: &SimulatedStep) -> Fate {
        let mut fate = Fate {
            is_lost: false,
            there: self.millis(20),
            back: self.millis(20),
            patience: STEP,
            again: None,
        };
        if self.peers[worker].is_faultless {
            return fate;
        }
        let Plan {
            lost,
            cut,
            twice,
            slow,
            ..
        } = self.plan;
        fate.is_lost = self.chance(lost);
        if self.chance(slow) {
            [fate.there, fate.back] = [(); 2].map(|()| self.millis(3_000));
        }
        if self.chance(cut) {
            fate.patience = self.millis(60);
        }
        if self.chance(twice) {
            // A worker repeats a reservation before it knows the decision, and the others at any time.
            let most = if step.file == "reserve.lua" { 1 } else { 5_000 };
            fate.again = Some(self.millis(most));
        }
        fate
    }

    fn is_connected(&self, worker: usize) -> bool {
        self.is_store_up && !self.peers[worker].is_cut_off
    }
}

impl World {
    /// Runs a step that has arrived, and sends the turns that it gives. `None` if there is no connection.
    fn arrive(&self, worker: usize, step: &SimulatedStep) -> Option<Vec<String>> {
        let mut state = self.state();
        if !state.is_connected(worker) {
            return None;
        }
        let done = state.run(worker, step);
        for id in done.turns {
            let lost = state.plan.lost;
            let is_lost = state.chance(lost);
            let Some(to) = state.worker_of(&id).filter(|_| !is_lost) else {
                continue;
            };
            let (world, pause) = (self.clone(), state.millis(20));
            let turn: AtRiskId = id.parse().unwrap();
            tokio::spawn(async move {
                sleep(pause).await;
                let state = world.state();
                if state.is_connected(to) {
                    _ = state.peers[to].turns.send(turn);
                }
            });
        }
        Some(done.reply)
    }

    /// Carries a step to the store, and its reply back, whether or not the worker still waits for it.
    async fn carry(
        self,
        worker: usize,
        step: SimulatedStep,
        fate: Fate,
        answer: oneshot::Sender<Vec<String>>,
    ) {
        if fate.is_lost {
            return;
        }
        sleep(fate.there).await;
        let Some(reply) = self.arrive(worker, &step) else {
            return;
        };
        if let Some(again) = fate.again {
            let world = self.clone();
            tokio::spawn(async move {
                sleep(again).await;
                _ = world.arrive(worker, &step);
            });
        }
        sleep(fate.back).await;
        if self.state().is_connected(worker) {
            _ = answer.send(reply);
        }
    }
}

impl Simulation for Link {
    fn run(&self, step: SimulatedStep) -> BoxFuture<Reply> {
        let (world, worker) = (self.world.clone(), self.worker);
        Box::pin(async move {
            if world.state().peers[worker].is_dead {
                std::future::pending::<()>().await;
            }
            let fate = world.state().fate(worker, &step);
            let (answer, reply) = oneshot::channel();
            let file = step.file;
            tokio::spawn(world.clone().carry(worker, step, fate, answer));
            let reply = match timeout(fate.patience, reply).await {
                Ok(Ok(reply)) => Ok(reply),
                Ok(Err(_)) => Err("the connection was closed".to_owned()),
                Err(_) => Err("no reply in time".to_owned()),
            };
            if world.state().peers[worker].is_dead {
                std::future::pending::<()>().await;
            }
            if let Err(error) = &reply {
                world.note(format!("worker {worker}: {file}: {error}"));
            }
            reply
        })
    }

    fn turns(&self) -> broadcast::Receiver<AtRiskId> {
        self.world.state().peers[self.worker].turns.subscribe()
    }
}
