//! One history, from its seed to its last check.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::Credits;
use generated_client::account::{Account, AccountUsage};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::plan::{MOST_CALLS, Plan, TENANT, credits};
use super::store::Store;
use super::worker::{NAME, left};
use super::world::World;

/// No worker takes longer, whatever happens.
const END: Duration = Duration::from_secs(300);
/// No step is under way for longer.
const ARRIVED: Duration = Duration::from_secs(10);

/// What happened, and which promises were broken.
pub(super) struct History {
    pub(super) lines: Vec<String>,
    pub(super) violations: Vec<String>,
}

/// A worker that runs.
struct Running {
    number: usize,
    task: JoinHandle<()>,
}

struct Director {
    world: World,
    /// The account, as a person reaches it: without faults.
    account: Account,
    running: Vec<Running>,
    /// The calls that workers have begun with.
    calls: usize,
}

/// Runs the history of a seed.
pub(super) fn run(seed: u64, store: &Arc<Mutex<Store>>) -> History {
    let mut random = fastrand::Rng::with_seed(seed);
    // Pauses between repetitions have a jitter.
    fastrand::seed(seed);
    let plan = Plan::new(&mut random);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let world = runtime.block_on(async {
        let world = World::new(plan, random, Arc::clone(store));
        Director::start(world.clone()).await.direct().await;
        world
    });
    // What a killed worker has left waits until here.
    drop(runtime);
    let (lines, violations) = world.end();
    History { lines, violations }
}

impl Director {
    async fn start(world: World) -> Self {
        let plan = world.state().plan.clone();
        world.note(format!("{plan:?}"));
        let (_, store) = world.join(true);
        let account = Account::named(NAME).limit(credits(plan.limits[0]));
        let account = account.open(store).await.unwrap();
        let limit = credits(plan.limits[1]);
        account.scoped(TENANT, limit, plan.period()).await.unwrap();
        let mut director = Self {
            world,
            account,
            running: Vec::new(),
            calls: 0,
        };
        for _ in 0..plan.workers {
            director.begin();
        }
        director
    }

    /// Starts a worker.
    fn begin(&mut self) {
        let calls = self.world.state().plan.calls;
        let first = self.calls;
        self.calls += calls;
        let (number, store) = self.world.join(false);
        let task = tokio::spawn(self.world.clone().live(number, store, first..self.calls));
        self.running.push(Running { number, task });
    }

    /// Lets the faults happen, waits for the workers, and checks what the account has in the end.
    async fn direct(mut self) {
        let faults = self.world.state().plan.faults;
        for _ in 0..faults {
            self.pause(2_500).await;
            self.suffer().await;
        }
        for Running { number, task } in std::mem::take(&mut self.running) {
            match timeout(END, task).await {
                Ok(ended) => ended.unwrap(),
                Err(_) => self.violation(format!("worker {number} does not end")),
            }
        }
        let plan = self.world.state().plan.clone();
        sleep(plan.deadline + plan.lease + ARRIVED).await;
        self.compare().await;
        self.spend_the_rest().await;
    }

    /// The account still grants what is left of it, and of the tenant.
    async fn spend_the_rest(&self) {
        let (number, store) = self.world.join(true);
        let account = self.world.open(store.clone(), false).await;
        let tenant = self.world.open(store, true).await;
        let half = left(&account).await / 2;
        self.world
            .is_granted(number, &account, MOST_CALLS, half)
            .await;
        let rest = left(&account).await.min(left(&tenant).await);
        self.world
            .is_granted(number, &tenant, MOST_CALLS + 1, rest)
            .await;
    }

    fn violation(&self, what: String) {
        self.world.state().violation(what);
    }

    async fn pause(&self, most: u64) {
        let millis = self.world.state().random.u64(..most);
        sleep(Duration::from_millis(millis)).await;
    }

    async fn suffer(&mut self) {
        let fault = self.world.state().random.u8(..6);
        match fault {
            0 | 1 => self.kill(),
            2 => self.cut_off().await,
            3 => self.restart_store().await,
            4 => self.settle_by_hand().await,
            _ => self.raise().await,
        }
    }

    /// Kills a worker, and starts another one that has nothing to do with its calls.
    fn kill(&mut self) {
        let victim = self.world.state().random.usize(..self.running.len());
        let victim = self.running.swap_remove(victim);
        self.world.kill(victim.number);
        victim.task.abort();
        self.begin();
    }

    async fn cut_off(&self) {
        let victim = self.world.state().random.usize(..self.running.len());
        let victim = self.running[victim].number;
        self.world.note(format!("worker {victim} is cut off"));
        self.world.state().peers[victim].is_cut_off = true;
        self.pause(6_000).await;
        self.world.note(format!("worker {victim} is connected"));
        self.world.state().peers[victim].is_cut_off = false;
    }

    async fn restart_store(&self) {
        self.world.note("the store is killed");
        self.world.state().is_store_up = false;
        self.pause(3_000).await;
        self.world.note("the store starts");
        self.world.state().is_store_up = true;
    }

    async fn settle_by_hand(&self) {
        let mut risks = self.account.at_risk().await.unwrap();
        // As numbers: the strings of another run have another order.
        risks.sort_by_key(|risk| risk.id);
        for risk in risks {
            let charge = self.world.state().ledger.can_settle(&risk);
            let Some(charge) = charge.filter(|_| self.world.state().chance(50)) else {
                continue;
            };
            if self.account.settle(risk.id, credits(charge)).await.unwrap() {
                let mut state = self.world.state();
                state.ledger.settled_by_hand(&risk, charge);
            }
        }
    }

    async fn raise(&self) {
        self.world.state().plan.limits[0] += 1_000_000;
        self.account.raise(Credits::new(1)).await.unwrap();
    }

    /// Compares the account with the bill, call by call.
    async fn compare(&self) {
        let risks = self.account.at_risk().await.unwrap();
        let usage = self.account.usage().await.unwrap();
        let AccountUsage {
            in_flight,
            conflicts,
            strays,
            ..
        } = usage;
        let mut state = self.world.state();
        let wrong = state.ledger.compare(&risks, state.sums());
        for what in wrong {
            state.violation(what);
        }
        let by_hand = state.ledger.by_hand();
        if in_flight > 0 || strays > 0 || conflicts > by_hand {
            state.violation(format!("{by_hand} are settled by hand: {usage:?}"));
        }
    }
}
