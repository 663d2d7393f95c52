//! Selects the fault of a call.

use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};

use super::fault::Fault;

/// The name for all operations.
const EVERY: &str = "*";

/// The faults of a sandbox, in the order in which they were given.
#[derive(Default)]
pub(crate) struct Script(Mutex<Vec<(String, Fault)>>);

impl Script {
    /// Creates a script of faults for operations of the document, in any spelling of their names.
    pub(crate) fn new(faults: Vec<(String, Fault)>, operations: &[&str]) -> Result<Self> {
        for (operation, _) in &faults {
            let mut known = operations.iter();
            ensure!(
                operation == EVERY || known.any(|known| is_same(known, operation)),
                "a fault of `{operation}`: the document has {}; `*` stands for all of them",
                operations.join(", ")
            );
        }
        Ok(Self(Mutex::new(faults)))
    }

    /// Returns the fault of the next call of an operation. `draw` returns numbers from 0 to 1.
    pub(crate) fn next(&self, operation: &str, draw: impl Fn() -> f64) -> Option<Fault> {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, fault) = faults.iter_mut().find(|(of, fault)| {
            let is_of = of == EVERY || is_same(of, operation);
            is_of && fault.times != Some(0) && draw() < fault.rate
        })?;
        if let Some(left) = &mut fault.times {
            *left = left.saturating_sub(1);
        }
        Some(fault.clone())
    }
}

/// Compares names in any case style: `job_posts` equals `jobPosts`.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |name: &str| {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(faults: &[(&str, Fault)]) -> Script {
        let faults = faults
            .iter()
            .map(|(of, fault)| ((*of).to_owned(), fault.clone()));
        Script::new(faults.collect(), &["jobPosts", "news"]).unwrap()
    }

    #[test]
    fn faults_come_one_after_the_other() {
        let (refused, broken) = (Fault::status(429).times(2), Fault::reset());
        let script = script(&[("job_posts", refused), ("jobPosts", broken)]);
        let kinds = [(); 4].map(|()| script.next("jobPosts", || 0.0).map(|fault| fault.kind));
        let [refused, reset] = [Fault::status(429).kind, Fault::reset().kind];
        assert_eq!(kinds, [Some(refused), Some(refused), Some(reset), None]);
        assert_eq!(script.next("news", || 0.0), None);
    }

    #[test]
    fn a_rate_is_a_share_of_all_calls() {
        let script = script(&[("*", Fault::status(503).rate(0.25))]);
        for (draw, happens) in [(0.0, true), (0.2, true), (0.25, false), (0.9, false)] {
            assert_eq!(script.next("news", || draw).is_some(), happens, "{draw}");
        }
    }

    #[test]
    fn a_call_that_a_rate_leaves_out_gets_the_next_fault() {
        let sometimes = Fault::status(503).rate(0.25);
        let script = script(&[("*", sometimes), ("news", Fault::reset())]);
        let kind = |draw| script.next("news", || draw).map(|fault| fault.kind);
        assert_eq!(kind(0.5), Some(Fault::reset().kind));
        assert_eq!(kind(0.5), None);
        assert_eq!(kind(0.1), Some(Fault::status(503).kind));
    }

    #[test]
    fn an_operation_that_does_not_exist_is_refused_with_those_that_do() {
        let faults = vec![("nwes".to_owned(), Fault::reset())];
        let error = Script::new(faults, &["jobPosts", "news"]).err().unwrap();
        assert!(
            error
                .to_string()
                .contains("`nwes`: the document has jobPosts, news"),
            "{error}"
        );
    }
}
