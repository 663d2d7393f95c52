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
        let (_, decided) = self.0.ask(scope, of(price), waiter);
        told(decided.into_iter().collect())
    }

    fn refund(&mut self, scope: ScopeId, amount: u64) -> Vec<Told> {
        self.settle(scope, amount, Settlement::Refund)
    }

    fn settle(&mut self, scope: ScopeId, amount: u64, how: Settlement) -> Vec<Told> {
        told(self.0.settle(scope, of(amount), how))
    }

    /// Settles a reservation as at risk, and lists the call.
    fn risk(&mut self, scope: ScopeId, amount: u64, call: CallLabel) -> AtRiskId {
        let (id, _) = self.0.risk(scope, of(amount), Some(of(amount)), call, None);
        id
    }
}

fn budget(limit: u64) -> Case {
    Case(Book::new(Some(of(limit))))
}

#[test]
fn an_ask_is_granted_or_refused_at_once_or_waits() {
    for (spent, reserved, at_risk, price, expected) in [
        (0, 0, 0, 10, Some(Some(10))),
        (0, 0, 0, 11, Some(None)),
        (1, 2, 3, 4, Some(Some(4))),
        (1, 2, 3, 5, None),
        (1, 2, 3, 6, None),
        (1, 2, 3, 7, Some(None)),
        (10, 0, 0, 1, Some(None)),
        (10, 0, 0, 0, Some(Some(0))),
        (11, 0, 0, 0, Some(Some(0))),
    ] {
        let mut case = budget(10);
        case.ask(ROOT, at_risk, "");
        case.settle(ROOT, at_risk, Settlement::Risk(of(at_risk)));
        case.ask(ROOT, 0, "");
        case.settle(ROOT, 0, Settlement::Charge(of(spent)));
        case.ask(ROOT, reserved, "");
        let response = case.ask(ROOT, price, "it");
        let expected: Vec<_> = expected.map(|amount| ("it", amount)).into_iter().collect();
        assert_eq!(response, expected, "{spent} {reserved} {at_risk} {price}");
    }
}

#[test]
fn small_asks_do_not_starve_a_large_one() {
    let mut case = budget(10);
    assert_eq!(case.ask(ROOT, 6, "a"), [("a", Some(6))]);
    assert_eq!(case.ask(ROOT, 8, "large"), []);
    assert_eq!(case.ask(ROOT, 1, "small"), []);
    assert_eq!(case.ask(ROOT, 0, "free"), [("free", Some(0))]);
    assert_eq!(
        case.refund(ROOT, 6),
        [("large", Some(8)), ("small", Some(1))]
    );
}

#[test]
fn who_draws_on_other_accounts_is_not_held_up() {
    let mut case = budget(10);
    let [left, right] = [3, 9].map(|limit| case.0.open(ROOT, Some(of(limit))));
    assert_eq!(case.ask(left, 2, "a"), [("a", Some(2))]);
    assert_eq!(case.ask(left, 3, "large"), []);
    assert_eq!(case.ask(left, 1, "behind"), []);
    assert_eq!(case.ask(right, 1, "b"), [("b", Some(1))]);
    assert_eq!(case.ask(ROOT, 7, "c"), [("c", Some(7))]);
    // Now the root has too little for `large`; all later waiters wait, including those of `right`.
    assert_eq!(case.refund(left, 2), []);
    assert_eq!(case.ask(right, 1, "d"), []);
    assert_eq!(case.refund(right, 1), [("large", Some(3))]);
    assert_eq!(case.refund(left, 3), [("behind", Some(1)), ("d", Some(1))]);
}

#[test]
fn a_waiter_is_refused_as_soon_as_it_is_hopeless_wherever_it_stands() {
    let mut case = budget(10);
    case.ask(ROOT, 4, "a");
    case.ask(ROOT, 6, "b");
    assert_eq!(case.ask(ROOT, 5, "first"), []);
    assert_eq!(case.ask(ROOT, 8, "hopeless"), []);
    assert_eq!(case.ask(ROOT, 1, "small"), []);
    assert_eq!(
        case.settle(ROOT, 4, Settlement::Charge(of(3))),
        [("hopeless", None)]
    );
    assert_eq!(
        case.settle(ROOT, 6, Settlement::Risk(of(6))),
        [("first", None), ("small", Some(1))]
    );
}

#[test]
fn who_withdraws_lets_the_next_pass_once() {
    let mut case = budget(10);
    case.ask(ROOT, 6, "a");
    let (large, _) = case.0.ask(ROOT, of(9), "large");
    assert_eq!(case.ask(ROOT, 4, "small"), []);
    let (waiter, decided) = case.0.withdraw(large);
    assert_eq!(
        (waiter, told(decided)),
        (Some("large"), vec![("small", Some(4))])
    );
    let (waiter, decided) = case.0.withdraw(large);
    assert_eq!((waiter, told(decided)), (None, vec![]));
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
    assert_eq!(case.0.usage(ROOT).limit, Some(of(3)));
    assert_eq!(told(case.0.change(ROOT, |sums| sums.lower(of(7)))), []);
    assert_eq!(case.0.usage(ROOT).limit, Some(of(0)));
}

#[test]
fn a_frozen_budget_refuses_everything_until_it_is_thawed_and_settles_as_usual() {
    let mut case = budget(10);
    case.ask(ROOT, 8, "in flight");
    assert_eq!(case.ask(ROOT, 4, "waiting"), []);
    let below = case.0.open(ROOT, None);
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
    let (_, decided) = case.0.ask(below, of(1), "new");
    let error = decided.unwrap().verdict.unwrap_err();
    assert_eq!(
        (error.frozen.as_deref(), error.levels_up),
        (Some("audit"), 1)
    );
    assert_eq!(case.settle(ROOT, 8, Settlement::Charge(of(2))), []);
    assert_eq!(case.0.usage(ROOT).spent, of(2));
    assert_eq!(told(case.0.change(ROOT, |sums| sums.frozen = None)), []);
    assert_eq!(case.ask(below, 8, "new"), [("new", Some(8))]);
}

#[test]
fn a_raised_limit_serves_the_queue() {
    let mut case = budget(10);
    case.ask(ROOT, 8, "a");
    assert_eq!(case.ask(ROOT, 9, "b"), []);
    assert_eq!(told(case.0.change(ROOT, |sums| sums.raise(of(6)))), []);
    assert_eq!(
        told(case.0.change(ROOT, |sums| sums.raise(of(1)))),
        [("b", Some(9))]
    );
}

#[test]
fn a_call_at_risk_is_listed_in_every_account_above_it_and_settled_once() {
    let mut case = budget(10);
    let scope = case.0.open(ROOT, Some(of(4)));
    let below = case.0.open(scope, Some(of(3)));
    let other = case.0.open(ROOT, Some(of(4)));
    case.ask(below, 3, "");
    let call = CallLabel {
        operation: "listThings".into(),
        attempt: 1,
        ..CallLabel::default()
    };
    let id = case.risk(below, 3, call);
    let amounts = [ROOT, scope, below].map(|id| case.0.at_risk(id)[0].amount);
    assert_eq!(amounts, [Some(of(3)); 3]);
    assert!(case.0.at_risk(other).is_empty());
    assert!(case.0.settle_risks(other, &[id], of(2)).is_none());
    assert!(case.0.settle_risks(ROOT, &[id], of(2)).is_some());
    assert!(case.0.settle_risks(ROOT, &[id], of(2)).is_none());
    for id in [ROOT, scope, below] {
        let usage = case.0.usage(id);
        assert_eq!((usage.spent, usage.at_risk), (of(2), of(0)), "{id:?}");
    }
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
        let usage = case.0.usage(ROOT);
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
    assert_eq!(case.0.at_risk(ROOT).len(), LISTED);
    assert_eq!(case.0.usage(ROOT).at_risk.micros(), LISTED as u64 + 1);
}

#[test]
fn an_ask_and_a_settlement_look_at_their_own_accounts_only_however_many_wait() {
    for waiting in [100_u64, 10_000] {
        let mut case = Case(Book::new(None));
        let scope = case.0.open(ROOT, Some(of(1)));
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
