//! The store: a real `redis-server` runs the scripts, at the time of the simulation.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use account_tests::Server;
use generated_client::account::store::SimulatedStep;
use redis::{Connection, Script};

/// Put around a script: time comes from the last argument, turns are collected, and the reply is followed by the sums that have changed.
const BEFORE: &str = "
local server, millis, turns, touched = redis, tonumber(table.remove(ARGV)), {}, {}
local redis = { call = function(command, key, ...)
  if command == 'TIME' then
    return { math.floor(millis / 1000), millis % 1000 * 1000 }
  elseif command == 'PUBLISH' then
    turns[#turns + 1] = ...
    return 0
  elseif command == 'HSET' and key:find(':scope:', 1, true) then
    touched[key] = true
  end
  return server.call(command, key, ...)
end }
local function step()
";
const AFTER: &str = "
end
local reply, sums = step(), {}
for key in pairs(touched) do
  sums[#sums + 1] = key:match(':scope:(.*)')
  for _, field in ipairs({ 'spent', 'reserved', 'at_risk', 'calls' }) do
    sums[#sums + 1] = server.call('HGET', key, field) or '0'
  end
end
return { reply, turns, sums }
";

/// The sums of a scope, in millionths of a credit, and the number of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sums {
    pub(super) spent: u64,
    pub(super) reserved: u64,
    pub(super) at_risk: u64,
    pub(super) calls: u64,
}

impl Sums {
    /// Returns all that is not free to be spent.
    pub(super) fn taken(self) -> u64 {
        self.spent + self.reserved + self.at_risk
    }
}

/// What a step has done.
pub(super) struct Done {
    pub(super) reply: Vec<String>,
    /// The ids whose turn it is.
    pub(super) turns: Vec<String>,
    /// The scopes that have changed.
    pub(super) sums: Vec<(String, Sums)>,
}

/// The server. Histories use it one after the other.
pub(super) struct Store {
    _server: Server,
    connection: Connection,
    scripts: HashMap<&'static str, Script>,
}

impl Store {
    /// Starts a server. `None` if it is not installed.
    pub(super) fn start() -> Option<Arc<Mutex<Self>>> {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let server = runtime.block_on(Server::with(&[])).unwrap()?;
        let client = redis::Client::open(server.url()).unwrap();
        Some(Arc::new(Mutex::new(Self {
            _server: server,
            connection: client.get_connection().unwrap(),
            scripts: HashMap::new(),
        })))
    }

    /// Forgets all accounts.
    pub(super) fn clear(&mut self) {
        let flush = redis::cmd("FLUSHALL");
        flush.query::<()>(&mut self.connection).unwrap();
    }

    /// Runs a step at this time, in milliseconds since 1970.
    pub(super) fn run(&mut self, step: &SimulatedStep, now: u64) -> Done {
        let script = self.scripts.entry(step.file);
        let script = script.or_insert_with(|| Script::new(&[BEFORE, step.code, AFTER].concat()));
        let mut invocation = script.key(&step.prefix);
        for argument in &step.arguments {
            invocation.arg(argument);
        }
        invocation.arg(now);
        let done = invocation.invoke(&mut self.connection);
        let (reply, turns, sums): (_, _, Vec<String>) = done.unwrap();
        let sums = sums.chunks_exact(5).map(|scope| {
            let number = |field: usize| scope[field].parse().unwrap();
            let sums = Sums {
                spent: number(1),
                reserved: number(2),
                at_risk: number(3),
                calls: number(4),
            };
            (scope[0].clone(), sums)
        });
        Done {
            reply,
            turns,
            sums: sums.collect(),
        }
    }
}
