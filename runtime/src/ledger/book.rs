//! The accounts, and who waits for room in them: first come, first served. Without a lock and without anything asynchronous: each change
//! returns the waiters that it decided, for the caller to tell.

use std::collections::{BTreeMap, BTreeSet};

use super::account::{Agreed, Ask, Settlement, Usage};
use super::accounts::{AccountId, Accounts};
use super::error::BudgetError;
use crate::credits::Credits;

/// A place in the queue; lower ones are served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(u64);

/// Either an ask is decided, or it waits because it would fit were reservations refunded. So while somebody waits, something is reserved,
/// and whoever settles it decides the next.
#[derive(Debug)]
pub(super) struct Book<W> {
    accounts: Accounts,
    queue: BTreeMap<Ticket, Waiting<W>>,
    next: u64,
}

#[derive(Debug)]
struct Waiting<W> {
    account: AccountId,
    ask: Ask,
    waiter: W,
}

/// An answer that has to reach its waiter. What it grants is reserved already.
#[derive(Debug)]
#[must_use = "what it grants stays reserved until somebody settles it"]
pub(super) struct Decided<W> {
    pub(super) waiter: W,
    pub(super) verdict: Verdict,
}

pub(super) type Verdict = Result<Agreed, BudgetError>;

impl<W> Book<W> {
    pub(super) fn new(limit: Option<Credits>) -> Self {
        Self {
            accounts: Accounts::new(limit),
            queue: BTreeMap::new(),
            next: 0,
        }
    }

    pub(super) fn open(&mut self, parent: AccountId, limit: Credits) -> AccountId {
        self.accounts.open(parent, limit)
    }

    pub(super) fn close(&mut self, account: AccountId) {
        self.accounts.close(account);
    }

    pub(super) fn usage(&self, account: AccountId) -> Usage {
        self.accounts.usage(account)
    }

    /// Asks for room. The answer is among the decided, or comes with a later change.
    pub(super) fn ask(
        &mut self,
        account: AccountId,
        ask: Ask,
        waiter: W,
    ) -> (Ticket, Vec<Decided<W>>) {
        let ticket = Ticket(self.next);
        self.next = self.next.saturating_add(1);
        // A call that costs nothing takes nobody's room: neither a queue nor an overdrawn budget is a reason to hold it up.
        let at_once = if ask == Ask::Exactly(Credits::ZERO) {
            Some(Ok(self.accounts.reserve(account, ask)))
        } else {
            self.accounts.refusal(account, ask).map(Err)
        };
        if let Some(verdict) = at_once {
            return (ticket, vec![Decided { waiter, verdict }]);
        }
        let waiting = Waiting {
            account,
            ask,
            waiter,
        };
        self.queue.insert(ticket, waiting);
        (ticket, self.grant_in_turn())
    }

    /// Gives up a place in the queue, unless it is decided. The waiter is returned, for dropping it may have effects of its own.
    pub(super) fn withdraw(&mut self, ticket: Ticket) -> (Option<W>, Vec<Decided<W>>) {
        match self.queue.remove(&ticket) {
            Some(waiting) => (Some(waiting.waiter), self.grant_in_turn()),
            None => (None, Vec::new()),
        }
    }

    pub(super) fn settle(
        &mut self,
        account: AccountId,
        agreed: Agreed,
        settlement: Settlement,
    ) -> Vec<Decided<W>> {
        self.accounts.settle(account, agreed, settlement);
        self.decide()
    }

    pub(super) fn reconcile(&mut self, account: AccountId, charged: Credits) -> Vec<Decided<W>> {
        self.accounts.reconcile(account, charged);
        self.decide()
    }

    fn decide(&mut self) -> Vec<Decided<W>> {
        let mut decided = self.refuse_hopeless();
        decided.append(&mut self.grant_in_turn());
        decided
    }

    /// Refuses whoever would wait for what cannot come back any more.
    fn refuse_hopeless(&mut self) -> Vec<Decided<W>> {
        let refused: Vec<_> = self
            .queue
            .iter()
            .filter_map(|(ticket, waiting)| {
                let refusal = self.accounts.refusal(waiting.account, waiting.ask)?;
                Some((*ticket, Err(refusal)))
            })
            .collect();
        self.take_out(refused)
    }

    /// Serves the queue in order. An account that has too little for one who waits serves nobody behind them: a large ask is not starved
    /// by small ones, and who draws on other accounts only is not held up.
    fn grant_in_turn(&mut self) -> Vec<Decided<W>> {
        let mut closed = BTreeSet::new();
        let mut granted = Vec::new();
        for (ticket, waiting) in &self.queue {
            if closed.contains(&AccountId::ROOT) {
                break;
            }
            let tight = self.accounts.tight(waiting.account, waiting.ask);
            if tight.is_empty() && !self.accounts.is_under_any(waiting.account, &closed) {
                let agreed = self.accounts.reserve(waiting.account, waiting.ask);
                granted.push((*ticket, Ok(agreed)));
            }
            closed.extend(tight);
        }
        self.take_out(granted)
    }

    fn take_out(&mut self, verdicts: Vec<(Ticket, Verdict)>) -> Vec<Decided<W>> {
        verdicts
            .into_iter()
            .filter_map(|(ticket, verdict)| {
                let waiter = self.queue.remove(&ticket)?.waiter;
                Some(Decided { waiter, verdict })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: AccountId = AccountId::ROOT;

    fn of(micros: u64) -> Credits {
        Credits::from_micros(micros)
    }

    fn exactly(micros: u64) -> Ask {
        Ask::Exactly(of(micros))
    }

    type Told = (&'static str, Option<u64>);

    /// Who was told what: an amount, or `None` for a refusal.
    fn told(decided: Vec<Decided<&'static str>>) -> Vec<Told> {
        decided
            .into_iter()
            .map(|Decided { waiter, verdict }| {
                let amount = |agreed: Agreed| agreed.unwrap_or_default().micros();
                (waiter, verdict.ok().map(amount))
            })
            .collect()
    }

    struct Case(Book<&'static str>);

    impl Case {
        fn ask(&mut self, account: AccountId, ask: Ask, waiter: &'static str) -> Vec<Told> {
            told(self.0.ask(account, ask, waiter).1)
        }

        fn refund(&mut self, account: AccountId, amount: u64) -> Vec<Told> {
            self.settle(account, amount, Settlement::Refund)
        }

        fn settle(&mut self, account: AccountId, amount: u64, how: Settlement) -> Vec<Told> {
            told(self.0.settle(account, Some(of(amount)), how))
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
            (1, 2, 3, Ask::AllThatIsLeft, Some(Some(4))),
            (1, 6, 3, Ask::AllThatIsLeft, None),
            (7, 0, 3, Ask::AllThatIsLeft, Some(None)),
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
            let answer = case.ask(ROOT, ask, "it");
            let expected: Vec<_> = expected.map(|amount| ("it", amount)).into_iter().collect();
            assert_eq!(answer, expected, "{spent} {reserved} {at_risk} {ask:?}");
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
        // Now the root is short of what `large` asks for, and serves nobody behind it, on the right neither.
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
        assert_eq!(case.ask(ROOT, Ask::AllThatIsLeft, "rest"), []);
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
        case.settle(ROOT, 5, Settlement::Risk);
        case.ask(ROOT, exactly(4), "b");
        assert_eq!(case.ask(ROOT, exactly(5), "c"), []);
        assert_eq!(told(case.0.reconcile(ROOT, of(1))), [("c", Some(5))]);
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
}
