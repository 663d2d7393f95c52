//! All that workers share: the store, the bill, the faults that the seed decides, and the history of it all.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use generated_client::account::store::SimulatedStep;
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::ledger::{Attempt, Ledger};
use super::plan::Plan;
use super::store::{Done, Store, Sums};

/// The time of the store when a history begins, in milliseconds since 1970: that of no machine.
const BEGIN: u64 = 2_000_000_000_000;

/// A worker, as the network knows it.
pub(super) struct Peer {
    pub(super) turns: broadcast::Sender<generated_client::money::AtRiskId>,
    pub(super) is_dead: bool,
    /// Its steps and its requests have no faults.
    pub(super) is_faultless: bool,
    /// Nothing reaches it, nor the store from it.
    pub(super) is_cut_off: bool,
    pub(super) in_flight: u32,
}

/// A request that has a place in a queue.
struct Waiting {
    id: String,
    scopes: Vec<String>,
    until: u64,
}

pub(super) struct State {
    pub(super) plan: Plan,
    pub(super) random: fastrand::Rng,
    pub(super) peers: Vec<Peer>,
    pub(super) ledger: Ledger,
    pub(super) is_store_up: bool,
    pub(super) history: Vec<String>,
    pub(super) violations: Vec<String>,
    begin: Instant,
    store: Arc<Mutex<Store>>,
    sums: BTreeMap<String, Sums>,
    /// Those who wait, in their order.
    waiting: Vec<Waiting>,
    granted: HashSet<String>,
    /// The number of each id, in the order in which the store first sees them, and the worker that asks.
    ids: HashMap<String, (usize, usize)>,
}

/// The shared state. Everything runs on one thread.
#[derive(Clone)]
pub(super) struct World(Arc<Mutex<State>>);

impl World {
    pub(super) fn new(plan: Plan, random: fastrand::Rng, store: Arc<Mutex<Store>>) -> Self {
        store.lock().unwrap().clear();
        Self(Arc::new(Mutex::new(State {
            plan,
            random,
            peers: Vec::new(),
            ledger: Ledger::default(),
            is_store_up: true,
            history: Vec::new(),
            violations: Vec::new(),
            begin: Instant::now(),
            store,
            sums: BTreeMap::new(),
            waiting: Vec::new(),
            granted: HashSet::new(),
            ids: HashMap::new(),
        })))
    }

    /// Kills a worker: nothing that it does from now on has an effect.
    pub(super) fn kill(&self, worker: usize) {
        let mut state = self.state();
        state.note(format!("worker {worker} is killed"));
        state.peers[worker].is_dead = true;
        state.ledger.orphan(worker);
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(super) fn note(&self, line: impl AsRef<str>) {
        self.state().note(line);
    }

    /// Returns the history, and the violations.
    pub(super) fn end(self) -> (Vec<String>, Vec<String>) {
        let mut state = self.state();
        let history = std::mem::take(&mut state.history);
        (history, std::mem::take(&mut state.violations))
    }
}

impl State {
    pub(super) fn note(&mut self, line: impl AsRef<str>) {
        let at = self.begin.elapsed().as_millis();
        let line = line.as_ref();
        self.history
            .push(format!("{:4}.{:03} {line}", at / 1000, at % 1000));
    }

    pub(super) fn violation(&mut self, what: String) {
        self.note(format!("VIOLATION: {what}"));
        self.violations.push(what);
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(..100) < percent
    }

    /// Runs a step of a worker in the store. Checks the limits and the bill after it.
    pub(super) fn run(&mut self, worker: usize, step: &SimulatedStep) -> Done {
        let now = BEGIN + u64::try_from(self.begin.elapsed().as_millis()).unwrap();
        let done = self.store.lock().unwrap().run(step, now);
        let shown = self.shown(worker, step);
        let reply = match step.file {
            "at_risk.lua" => format!("{} lines", done.reply.len()),
            _ => done.reply.join(" "),
        };
        self.note(format!("worker {worker}: {shown} -> {reply}"));
        let arguments = &step.arguments;
        let how = done.reply.first().map(String::as_str);
        if ["reserve.lua", "settle.lua"].contains(&step.file) {
            self.queue(now, arguments, how);
        }
        if step.file == "reserve.lua" && how == Some("granted") {
            let attempt = Attempt::read(&arguments[6], &arguments[7]);
            let entry = self.ledger.entries.entry(attempt).or_default();
            entry.worker = worker;
            entry.price = arguments[1].parse().unwrap();
            entry.scopes = arguments[10..].iter().step_by(3).cloned().collect();
            entry.is_orphan |= self.peers[worker].is_dead;
        }
        for (scope, sums) in &done.sums {
            self.sums.insert(scope.clone(), *sums);
        }
        self.check();
        done
    }

    /// Those who wait with the same scopes are served in their order, as long as they ask.
    fn queue(&mut self, now: u64, arguments: &[String], how: Option<&str>) {
        let (id, scopes) = (&arguments[0], &arguments[10..]);
        let own = self.waiting.iter().position(|waiting| waiting.id == *id);
        let is_new = how == Some("granted") && self.granted.insert(id.clone());
        let before = &self.waiting[..own.unwrap_or(self.waiting.len())];
        let mut before = before.iter().filter(|waiting| waiting.scopes == scopes);
        // One that was silent for too long may have lost its place.
        let is_silent = own.is_some_and(|own| self.waiting[own].until <= now);
        if is_new && !is_silent && before.any(|waiting| waiting.until > now) {
            self.violation("one that waits is passed by".to_owned());
        }
        if how == Some("waiting") && !is_silent {
            let until = now + arguments[3].parse::<u64>().unwrap();
            match own {
                Some(own) => self.waiting[own].until = until,
                None => self.waiting.push(Waiting {
                    id: id.clone(),
                    scopes: scopes.to_owned(),
                    until,
                }),
            }
        } else if how != Some("waiting") {
            self.waiting.retain(|waiting| waiting.id != *id);
        }
    }

    /// The account covers every bill, and never exceeds its limit.
    pub(super) fn check(&mut self) {
        let mut wrong = Vec::new();
        for (scope, sums) in &self.sums {
            let billed = self.ledger.billed(scope);
            let limit = self.plan.limit(scope);
            if billed > sums.taken() {
                wrong.push(format!("`{scope}` is billed {billed}, and has {sums:?}"));
            }
            if sums.taken() > limit {
                wrong.push(format!("`{scope}` has {sums:?} of {limit}"));
            }
        }
        for what in wrong {
            self.violation(what);
        }
    }

    pub(super) fn sums(&self) -> &BTreeMap<String, Sums> {
        &self.sums
    }

    /// Returns the worker that asks for an id.
    pub(super) fn worker_of(&self, id: &str) -> Option<usize> {
        self.ids.get(id).map(|(_, worker)| *worker)
    }

    /// Returns a step with the number of its id: the ids of two runs differ.
    fn shown(&mut self, worker: usize, step: &SimulatedStep) -> String {
        let name = step.file.trim_end_matches(".lua");
        let mut arguments = step.arguments.clone();
        if ["reserve", "settle", "settle_risk"].contains(&name) {
            let next = self.ids.len();
            let (number, _) = self
                .ids
                .entry(arguments[0].clone())
                .or_insert((next, worker));
            arguments[0] = format!("id {number}:");
        }
        format!("{name} {}", arguments.join(" "))
    }
}
