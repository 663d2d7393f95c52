//! The accounts and the queue without a lock: who is granted what, who waits, and who is refused.

use super::of;
use crate::money::credits::Credits;
use crate::money::ledger::account::{Amount, Settlement};
use crate::money::ledger::accounts::{AccountId, Agreed, VISITS};
use crate::money::ledger::book::{Book, Decided};
use crate::money::ledger::risks::{CallLabel, LISTED};

const ROOT: AccountId = AccountId::ROOT;

fn exactly(micros: u64) -> Amount {
    Amount::Exactly(of(micros))
}

type Told = (&'static str, Option<u64>);

/// Returns the decision for each waiter: an amount, or `None` for a refusal.
fn told(decided: Vec<Decided<&'static str>>) -> Vec<Told> {
    decided
        .into_iter()
        .map(|Decided { waiter, verdict }| {
            let amount = |agreed: Agreed| agreed.least().unwrap_or_default().micros();
            (waiter, verdict.ok().map(amount))
        })
        .collect()
}

struct Case(Book<&'static str>);

impl Case {
    fn ask(&mut self, account: AccountId, ask: Amount, waiter: &'static str) -> Vec<Told> {
        told(self.0.ask(account, ask, waiter).1.into_iter().collect())
    }

    fn refund(&mut self, account: AccountId, amount: u64) -> Vec<Told> {
        self.settle(account, amount, Settlement::Refund)
    }

    fn settle(&mut self, account: AccountId, amount: u64, how: Settlement) -> Vec<Told> {
        let agreed = Agreed::Exactly(of(amount));
        told(self.0.settle(account, &agreed, how))
    }
}

fn budget(limit: u64) -> Case {
    Case(Book::new(Some(of(limit))))
}

#[test]
fn an_ask_is_granted_or_refused_at_once_or_waits() {
    for (spent, reserved, at_risk, ask, expected) in [
        (0, 0, 0, exactly(10), Some(Some(10))),
        (0, 0, 0, exactly(11), Some(None)),
        (1, 2, 3, exactly(4), Some(Some(4))),
        (1, 2, 3, exactly(5), None),
        (1, 2, 3, exactly(6), None),
        (1, 2, 3, exactly(7), Some(None)),
        (1, 0, 3, Amount::AllThatIsLeft, Some(Some(6))),
        (1, 2, 3, Amount::AllThatIsLeft, None),
        (1, 6, 3, Amount::AllThatIsLeft, None),
        (7, 0, 3, Amount::AllThatIsLeft, Some(None)),
        (1, 2, 3, Amount::UpTo(of(4)), Some(Some(4))),
        (1, 2, 3, Amount::UpTo(of(5)), None),
        (1, 0, 3, Amount::UpTo(of(7)), Some(Some(6))),
        (7, 0, 3, Amount::UpTo(of(1)), Some(None)),
        (10, 0, 0, exactly(1), Some(None)),
        (10, 0, 0, exactly(0), Some(Some(0))),
        (11, 0, 0, exactly(0), Some(Some(0))),
    ] {
        let mut case = budget(10);
        case.ask(ROOT, exactly(at_risk), "");
        case.settle(ROOT, at_risk, Settlement::Risk);
        case.ask(ROOT, exactly(0), "");
        case.settle(ROOT, 0, Settlement::Charge(of(spent)));
        case.ask(ROOT, exactly(reserved), "");
        let response = case.ask(ROOT, ask, "it");
        let expected: Vec<_> = expected.map(|amount| ("it", amount)).into_iter().collect();
        assert_eq!(response, expected, "{spent} {reserved} {at_risk} {ask:?}");
    }
}

#[test]
fn small_asks_do_not_starve_a_large_one() {
    let mut case = budget(10);
    assert_eq!(case.ask(ROOT, exactly(6), "a"), [("a", Some(6))]);
    assert_eq!(case.ask(ROOT, exactly(8), "large"), []);
    assert_eq!(case.ask(ROOT, exactly(1), "small"), []);
    assert_eq!(case.ask(ROOT, exactly(0), "free"), [("free", Some(0))]);
    assert_eq!(
        case.refund(ROOT, 6),
        [("large", Some(8)), ("small", Some(1))]
    );
}

#[test]
fn who_draws_on_other_accounts_is_not_held_up() {
    let mut case = budget(10);
    let [left, right] = [3, 9].map(|limit| case.0.open(ROOT, of(limit)));
    assert_eq!(case.ask(left, exactly(2), "a"), [("a", Some(2))]);
    assert_eq!(case.ask(left, exactly(3), "large"), []);
    assert_eq!(case.ask(left, exactly(1), "behind"), []);
    assert_eq!(case.ask(right, exactly(1), "b"), [("b", Some(1))]);
    assert_eq!(case.ask(ROOT, exactly(7), "c"), [("c", Some(7))]);
    // Now the root has too little for `large`; all later waiters wait, including those of `right`.
    assert_eq!(case.refund(left, 2), []);
    assert_eq!(case.ask(right, exactly(1), "d"), []);
    assert_eq!(case.refund(right, 1), [("large", Some(3))]);
    assert_eq!(case.refund(left, 3), [("behind", Some(1)), ("d", Some(1))]);
}

#[test]
fn a_waiter_is_refused_as_soon_as_it_is_hopeless_wherever_it_stands() {
    let mut case = budget(10);
    case.ask(ROOT, exactly(4), "a");
    case.ask(ROOT, exactly(6), "b");
    assert_eq!(case.ask(ROOT, exactly(5), "first"), []);
    assert_eq!(case.ask(ROOT, exactly(8), "hopeless"), []);
    assert_eq!(case.ask(ROOT, Amount::AllThatIsLeft, "rest"), []);
    assert_eq!(
        case.settle(ROOT, 4, Settlement::Charge(of(3))),
        [("hopeless", None)]
    );
    assert_eq!(
        case.settle(ROOT, 6, Settlement::Risk),
        [("first", None), ("rest", Some(1))]
    );
}

#[test]
fn reconciling_serves_the_queue() {
    let mut case = budget(10);
    case.ask(ROOT, exactly(5), "a");
    let agreed = Agreed::Exactly(of(5));
    let _ = case.0.risk(ROOT, &agreed, CallLabel::default());
    case.ask(ROOT, exactly(4), "b");
    assert_eq!(case.ask(ROOT, exactly(5), "c"), []);
    assert_eq!(told(case.0.reconcile(ROOT, of(1)).1), [("c", Some(5))]);
}

#[test]
fn who_withdraws_lets_the_next_pass_once() {
    let mut case = budget(10);
    case.ask(ROOT, exactly(6), "a");
    let (large, _) = case.0.ask(ROOT, exactly(9), "large");
    assert_eq!(case.ask(ROOT, exactly(4), "small"), []);
    let (waiter, decided) = case.0.withdraw(large);
    assert_eq!(
        (waiter, told(decided)),
        (Some("large"), vec![("small", Some(4))])
    );
    let (waiter, decided) = case.0.withdraw(large);
    assert_eq!((waiter, told(decided)), (None, vec![]));
}

#[test]
fn a_call_of_unknown_price_is_alone_in_every_account_above_it() {
    let mut case = budget(10);
    let scopes = [1, 1, 4].map(|limit| case.0.open(ROOT, of(limit)));
    let (_, first) = case.0.ask(scopes[0], Amount::AllThatIsLeft, "first");
    let agreed = first.unwrap().verdict.unwrap();
    assert_eq!(case.0.usage(ROOT).reserved, of(10));
    assert_eq!(case.ask(scopes[1], Amount::AllThatIsLeft, "second"), []);
    assert_eq!(case.ask(scopes[2], exactly(4), "third"), []);
    // It cost more than its scope had, and less than the root.
    let decided = case.0.settle(scopes[0], &agreed, Settlement::Charge(of(5)));
    assert_eq!(told(decided), [("second", Some(1))]);
    assert_eq!(case.0.usage(ROOT).reserved, of(5));
    assert_eq!(case.0.usage(scopes[0]).surprises, 1);
    assert_eq!(case.0.usage(ROOT).surprises, 0);
}

#[test]
fn a_raised_limit_serves_the_queue() {
    let mut case = budget(10);
    case.ask(ROOT, exactly(8), "a");
    assert_eq!(case.ask(ROOT, exactly(9), "b"), []);
    assert_eq!(told(case.0.raise(ROOT, of(6))), []);
    assert_eq!(told(case.0.raise(ROOT, of(1))), [("b", Some(9))]);
}

#[test]
fn a_call_at_risk_is_listed_in_every_account_above_it_and_settled_once() {
    let mut case = budget(10);
    let scope = case.0.open(ROOT, of(4));
    let below = case.0.open(scope, of(3));
    let other = case.0.open(ROOT, of(4));
    let agreed = case
        .0
        .ask(below, Amount::AllThatIsLeft, "")
        .1
        .unwrap()
        .verdict;
    let call = CallLabel {
        operation: "listThings".into(),
        attempt: 1,
        ..CallLabel::default()
    };
    let (id, _) = case.0.risk(below, &agreed.unwrap(), call);
    let amounts = [ROOT, scope, below].map(|id| case.0.at_risk(id)[0].amount);
    assert_eq!(amounts, [10, 4, 3].map(|amount| Some(of(amount))));
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
            case.ask(ROOT, exactly(amount), "");
            let agreed = Agreed::Exactly(of(amount));
            case.0.risk(ROOT, &agreed, CallLabel::default()).0
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
        case.ask(ROOT, exactly(1), "");
        let _ = case
            .0
            .risk(ROOT, &Agreed::Exactly(of(1)), CallLabel::default());
    }
    assert_eq!(case.0.at_risk(ROOT).len(), LISTED);
    assert_eq!(case.0.usage(ROOT).at_risk.micros(), LISTED as u64 + 1);
    let _ = case.0.reconcile(ROOT, of(5));
    assert_eq!(case.0.usage(ROOT).at_risk, of(0));
    assert_eq!(case.0.usage(ROOT).spent, of(5));
}

#[test]
fn an_unlisted_call_counts_in_each_parent_with_the_amount_reserved_there() {
    let mut case = budget(10);
    let [scope, sibling] = [100, 100].map(|limit| case.0.open(ROOT, of(limit)));
    let below = case.0.open(scope, of(1));
    let at_risk = |case: &mut Case, account, ask| {
        case.ask(account, ask, "");
        let agreed = match ask {
            Amount::Exactly(price) | Amount::UpTo(price) => Agreed::Exactly(price),
            Amount::AllThatIsLeft => Agreed::Rest(vec![(scope, Some(of(99))), (ROOT, Some(of(9)))]),
        };
        let _ = case.0.risk(account, &agreed, CallLabel::default());
    };
    at_risk(&mut case, below, exactly(1));
    at_risk(&mut case, scope, Amount::AllThatIsLeft);
    let _ = case.0.raise(ROOT, of(7));
    at_risk(&mut case, sibling, exactly(7));
    for _ in 0..LISTED {
        at_risk(&mut case, sibling, exactly(0));
    }
    case.0.close(below);
    let _ = case.0.reconcile(scope, of(2));
    let sums = |id| {
        let usage = case.0.usage(id);
        [usage.spent, usage.at_risk].map(Credits::micros)
    };
    assert_eq!([ROOT, scope, sibling].map(sums), [[2, 7], [2, 0], [0, 7]]);
    assert_eq!(case.0.usage(ROOT).surprises, 0);
}

#[test]
fn an_ask_and_a_settlement_look_at_their_own_accounts_only_however_many_wait() {
    for waiting in [100_u64, 10_000] {
        let mut case = Case(Book::new(None));
        let scope = case.0.open(ROOT, of(1));
        VISITS.set(0);
        case.ask(scope, exactly(1), "");
        for _ in 0..waiting {
            assert_eq!(case.ask(scope, exactly(1), "waits"), []);
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
