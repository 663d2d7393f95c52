//! The scopes and the queue without a lock: who is granted what, who waits, and who is refused.

use super::of;
use crate::money::budget::AtRiskId;
use crate::money::budget::book::{Book, Decided};
use crate::money::budget::risks::{CallLabel, LISTED};
use crate::money::budget::scopes::{ScopeId, VISITS};
use crate::money::budget::sums::Settlement;
use crate::money::credits::Credits;

const ROOT: ScopeId = ScopeId::ROOT;

type Told = (&'static str, Option<u64>);

/// Returns the decision for each waiter: an amount, or `None` for a refusal.
fn told(decided: Vec<Decided<&'static str>>) -> Vec<Told> {
    decided
        .into_iter()
        .map(|Decided { waiter, verdict }| (waiter, verdict.ok().map(Credits::micros)))
        .collect()
}

struct Case(Book<&'static str>);

impl Case {
    fn ask(&mut self, scope: ScopeId, price: u64, waiter: &'static str) -> Vec<Told> {
        match self.0.ask(scope, of(price)) {
            Ok(verdict) => told(vec![Decided { waiter, verdict }]),
            Err(at) => {
                self.0.wait(at, scope, of(price), waiter);
                Vec::new()
            }
        }
    }

    fn refund(&mut self, scope: ScopeId, amount: u64) -> Vec<Told> {
        self.settle(scope, amount, Settlement::Refund)
    }

    fn settle(&mut self, scope: ScopeId, amount: u64, how: Settlement) -> Vec<Told> {
        told(self.0.settle(scope, of(amount), how))
    }

    /// Settles a reservation as at risk, and lists the call.
    fn risk(&mut self, scope: ScopeId, amount: u64, call: CallLabel) -> AtRiskId {
        let id = AtRiskId::unused();
        drop(
            self.0
                .risk(id, scope, of(amount), Some(of(amount)), call, None),
        );
        id
    }
}

fn budget(limit: u64) -> Case {
    Case(Book::new(Some(of(limit))))
}

#[test]
fn a_lowered_limit_refuses_those_that_no_longer_fit() {
    let mut case = budget(10);
    case.ask(ROOT, 8, "a");
    assert_eq!(case.ask(ROOT, 4, "b"), []);
    assert_eq!(
        told(case.0.change(ROOT, |sums| sums.lower(of(7)))),
        [("b", None)]
    );
    assert_eq!(case.0.scopes.usage(ROOT).limit, Some(of(3)));
    assert_eq!(told(case.0.change(ROOT, |sums| sums.lower(of(7)))), []);
    assert_eq!(case.0.scopes.usage(ROOT).limit, Some(of(0)));
}

#[test]
fn a_frozen_budget_refuses_everything_until_it_is_thawed_and_settles_as_usual() {
    let mut case = budget(10);
    case.ask(ROOT, 8, "in flight");
    assert_eq!(case.ask(ROOT, 4, "waiting"), []);
    let below = case.0.scopes.open(ROOT, None);
    assert_eq!(case.ask(below, 3, "waiting below"), []);
    let mut refused = told(
        case.0
            .change(ROOT, |sums| sums.frozen = Some("audit".to_owned())),
    );
    refused.sort();
    assert_eq!(refused, [("waiting", None), ("waiting below", None)]);
    for (scope, price) in [(ROOT, 1), (below, 1), (below, 0)] {
        assert_eq!(case.ask(scope, price, "new"), [("new", None)]);
    }
    let error = case.0.ask(below, of(1)).unwrap().unwrap_err();
    assert_eq!(
        (error.frozen.as_deref(), error.levels_up),
        (Some("audit"), 1)
    );
    assert_eq!(case.settle(ROOT, 8, Settlement::Charge(of(2))), []);
    assert_eq!(case.0.scopes.usage(ROOT).spent, of(2));
    assert_eq!(told(case.0.change(ROOT, |sums| sums.frozen = None)), []);
    assert_eq!(case.ask(below, 8, "new"), [("new", Some(8))]);
}

#[test]
fn calls_that_are_settled_together_are_a_surprise_above_what_all_of_them_set_aside() {
    for (charged, surprises) in [(4, 0), (5, 0), (6, 1)] {
        let mut case = budget(10);
        let ids = [2, 3].map(|amount| {
            case.ask(ROOT, amount, "");
            case.risk(ROOT, amount, CallLabel::default())
        });
        assert!(case.0.settle_risks(ROOT, &ids, of(charged)).is_some());
        assert!(case.0.settle_risks(ROOT, &ids, of(charged)).is_none());
        let usage = case.0.scopes.usage(ROOT);
        assert_eq!((usage.spent, usage.at_risk), (of(charged), of(0)));
        assert_eq!(usage.surprises, surprises, "{charged}");
    }
}

#[test]
fn what_is_not_listed_any_more_is_still_at_risk() {
    let mut case = budget(100_000);
    for _ in 0..=LISTED {
        case.ask(ROOT, 1, "");
        case.risk(ROOT, 1, CallLabel::default());
    }
    assert_eq!(case.0.risks.of(ROOT).len(), LISTED);
    assert_eq!(
        case.0.scopes.usage(ROOT).at_risk.micros(),
        LISTED as u64 + 1
    );
}

#[test]
fn an_ask_and_a_settlement_look_at_their_own_accounts_only_however_many_wait() {
    for waiting in [100_u64, 10_000] {
        let mut case = Case(Book::new(None));
        let scope = case.0.scopes.open(ROOT, Some(of(1)));
        VISITS.set(0);
        case.ask(scope, 1, "");
        for _ in 0..waiting {
            assert_eq!(case.ask(scope, 1, "waits"), []);
        }
        let asking = VISITS.replace(0);
        for _ in 0..=waiting {
            case.refund(scope, 1);
        }
        let serving = VISITS.get();
        assert!(asking <= 8 * (waiting + 1), "{asking} for {waiting}");
        assert!(serving <= 16 * (waiting + 1), "{serving} for {waiting}");
    }
}
