//! A run over a list of inputs, several at a time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;

use crate::argument::Argument;
use crate::arguments::Arguments;
use crate::ended::Ended;
use crate::run::{Failure, Run, lock};
use crate::visible::visible;
use metered_client::prelude::*;

impl Run {
    /// Makes the call of each input, `at_a_time` at once.
    pub(crate) async fn list(
        self: Arc<Self>,
        argument: &'static Argument,
        arguments: Arguments,
        at_a_time: usize,
    ) -> Result<(), Ended> {
        let all = self.inputs.len();
        let inputs = self.inputs.iter().filter(|input| !self.is_done(input));
        let left: VecDeque<String> = inputs.cloned().collect();
        let skipped = all.saturating_sub(left.len());
        if skipped > 0 {
            let line = format!(
                "According to the journal, {skipped} of {all} are done or were refused for good."
            );
            self.progress.note(&line);
        }
        let (held, left): (VecDeque<_>, VecDeque<_>) =
            left.into_iter().partition(|input| self.is_held(input));
        self.progress
            .expect(u64::try_from(left.len()).unwrap_or(u64::MAX));
        let left = Arc::new(Mutex::new(left));
        let mut workers = JoinSet::new();
        for _ in 0..at_a_time {
            let (run, left, arguments) = (Arc::clone(&self), Arc::clone(&left), arguments.clone());
            workers.spawn(async move { run.work(&left, argument, arguments).await });
        }
        let (mut failed, mut ended) = (0_usize, None);
        while let Some(worker) = workers.join_next().await {
            match worker {
                Ok((failures, end)) => {
                    failed = failed.saturating_add(failures);
                    ended = self.first(ended, end);
                }
                Err(error) => ended = self.first(ended, Some(Ended::Failed(error.to_string()))),
            }
        }
        let left = lock(&left).len();
        match ended {
            Some(ended) => Err(ended),
            None if self.signals.is_stopped() && left > 0 => {
                Err(Ended::Stopped(format!("stopped: {left} of {all} are left")))
            }
            None if failed > 0 => Err(Ended::Failed(format!("{failed} of {all} failed"))),
            None if !held.is_empty() => Err(Ended::Failed(format!(
                "{} of {all} are left out",
                held.len()
            ))),
            None => Ok(()),
        }
    }

    /// Returns the first end of two, which is said last. Another one of the same kind says nothing new: one budget is used up once.
    fn first(&self, first: Option<Ended>, other: Option<Ended>) -> Option<Ended> {
        if let (Some(first), Some(other)) = (&first, &other)
            && first.code() != other.code()
        {
            self.progress.say(&other.to_string());
        }
        first.or(other)
    }

    /// Takes inputs until none is left. Returns how many failed, and what ended it before.
    async fn work(
        &self,
        left: &Mutex<VecDeque<String>>,
        argument: &'static Argument,
        mut arguments: Arguments,
    ) -> (usize, Option<Ended>) {
        let mut failed = 0_usize;
        while !self.signals.is_stopped() {
            let next = lock(left).pop_front();
            let Some(input) = next else { break };
            let given = arguments.give(argument, std::slice::from_ref(&input));
            let called = match given {
                Ok(()) => self.one(Some(&input), &arguments).await,
                Err(refusal) => Err(Ended::Failed(refusal.to_string()).into()),
            };
            let ended = match called {
                Ok(reached) => {
                    self.batch.answered();
                    self.reached(&input, reached).err()
                }
                Err(Failure::Call(error)) => {
                    failed = failed.saturating_add(1);
                    let noted = self.noted(|journal| journal.failed(&input, &error));
                    if self.batch.comes_with(&error) {
                        let ended = self.ended_by(&error).of_input(&input);
                        noted.err().or(Some(ended))
                    } else {
                        self.needs(&error);
                        let line = format!("{}: {}", visible(&input), self.said(&error));
                        self.progress.say(&line);
                        noted.err()
                    }
                }
                Err(Failure::Ended(ended)) if ended.is_final() => Some(ended),
                Err(Failure::Ended(ended)) => {
                    self.progress.say(&format!("{}: {ended}", visible(&input)));
                    failed = failed.saturating_add(1);
                    None
                }
            };
            self.progress.one(&self.client.ledger().usage());
            if let Some(ended) = ended {
                self.signals.stop();
                return (failed, Some(ended));
            }
        }
        (failed, None)
    }
}
