//! A run over a list of inputs, several at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;

use crate::argument::Argument;
use crate::arguments::Arguments;
use crate::ended::Ended;
use crate::inputs::Input;
use crate::money;
use crate::notes::Left;
use crate::run::{Failure, Run, lock};
use crate::visible::visible;

/// Why a worker takes no more inputs.
struct End {
    ended: Ended,
    /// The budget refused a call that was not sent, as it does for each worker.
    is_used_up: bool,
}

impl From<Ended> for End {
    fn from(ended: Ended) -> Self {
        Self {
            ended,
            is_used_up: false,
        }
    }
}

impl Run {
    /// Makes the call of each input, `at_a_time` at once.
    pub(crate) async fn list(
        self: Arc<Self>,
        argument: &'static Argument,
        arguments: Arguments,
        at_a_time: usize,
    ) -> Result<(), Ended> {
        let all = self.inputs.len();
        let Left { open, held } = self.left(self.extent.again);
        let held = held.len();
        let skipped = all.saturating_sub(open.len()).saturating_sub(held);
        if skipped > 0 {
            let line = format!(
                "According to the journal, {skipped} of {all} are done or were refused for good."
            );
            self.progress.note(&line);
        }
        self.progress
            .expect(u64::try_from(open.len()).unwrap_or(u64::MAX));
        let open: VecDeque<Input> = open.into_iter().cloned().collect();
        let left = Arc::new(Mutex::new(open));
        let mut workers = JoinSet::new();
        for _ in 0..at_a_time {
            let (run, left, arguments) = (Arc::clone(&self), Arc::clone(&left), arguments.clone());
            workers.spawn(async move { run.work(&left, argument, arguments).await });
        }
        let (mut failed, mut ends) = (0_usize, Vec::new());
        while let Some(worker) = workers.join_next().await {
            let (failures, end) = match worker {
                Ok(worked) => worked,
                Err(error) => (0, Some(Ended::Failed(error.to_string()).into())),
            };
            failed = failed.saturating_add(failures);
            ends.extend(end.filter(|end| is_news(end, &ends)));
        }
        let left = lock(&left).len();
        let mut ends = ends.into_iter();
        let first = ends.next();
        for end in ends {
            self.progress.say(&end.ended.to_string());
        }
        match first {
            Some(first) => Err(first.ended),
            None if self.signals.is_stopped() && left > 0 => {
                Err(Ended::Stopped(format!("stopped: {left} of {all} are left")))
            }
            None if failed > 0 => Err(Ended::Failed(format!("{failed} of {all} failed"))),
            None if held > 0 => Err(Ended::Failed(format!("{held} of {all} are left out"))),
            None => Ok(()),
        }
    }

    /// Takes inputs until none is left. Returns how many failed, and what ended it before.
    async fn work(
        &self,
        left: &Mutex<VecDeque<Input>>,
        argument: &'static Argument,
        mut arguments: Arguments,
    ) -> (usize, Option<End>) {
        let mut failed = 0_usize;
        while !self.signals.is_stopped() {
            let next = lock(left).pop_front();
            let Some(input) = next else { break };
            let given = arguments.give(argument, input.given());
            let called = match given {
                Ok(()) => self.one(&input.name, &arguments).await,
                Err(refusal) => Err(Ended::Failed(refusal.to_string()).into()),
            };
            let end = match called {
                Ok(()) => None,
                Err(Failure::Call { error, noted }) => {
                    failed = failed.saturating_add(1);
                    let ended = self.ended_by(&error).of_input(&input.name);
                    if let Ok(true) = noted {
                        let is_used_up = money::is_refused(&error);
                        Some(End { ended, is_used_up })
                    } else {
                        self.progress.say(&ended.to_string());
                        noted.err().map(|unnoted| Ended::from(unnoted).into())
                    }
                }
                Err(Failure::Ended(ended)) if ended.is_final() => Some(ended.into()),
                Err(Failure::Ended(ended)) => {
                    self.progress
                        .say(&format!("{}: {ended}", visible(&input.name)));
                    failed = failed.saturating_add(1);
                    None
                }
            };
            self.progress.one(&self.client);
            if let Some(end) = end {
                self.signals.stop();
                return (failed, Some(end));
            }
        }
        (failed, None)
    }
}

/// Returns whether an end says something that the earlier ones do not.
fn is_news(end: &End, earlier: &[End]) -> bool {
    earlier.iter().all(|earlier| {
        let is_same_budget = earlier.is_used_up && end.is_used_up;
        !is_same_budget && earlier.ended.to_string() != end.ended.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_is_said_and_a_used_up_budget_once() {
        let budget = |text: &str, is_used_up| End {
            ended: Ended::Budget(text.to_owned()),
            is_used_up,
        };
        let failed = |text: &str| End::from(Ended::Failed(text.to_owned()));
        let earlier = [failed("a: no connection"), budget("b: not sent", true)];
        for (end, expected) in [
            (failed("c: no connection"), true),
            (failed("task 3 panicked"), true),
            (failed("a: no connection"), false),
            (budget("c: not sent", true), false),
            (budget("c: 402, and it may have been billed", false), true),
        ] {
            assert_eq!(is_news(&end, &earlier), expected, "{}", end.ended);
        }
    }
}
