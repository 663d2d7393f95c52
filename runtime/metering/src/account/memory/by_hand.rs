//! Limits, how much of them is used, calls at risk, and their settlement by hand.

use super::book::{Book, Done, Held, plus};
use crate::account::error::StoreError;
use crate::account::id::ReservationId;
use crate::account::scope::Scope;
use crate::account::store::{Opened, Settlement};
use crate::account::usage::{AccountRisk, AccountUsage};
use crate::money::credits::Credits;
use crate::money::ledger::Usage;

impl Book {
    pub(super) fn open(&mut self, path: &str, limit: Option<Credits>) -> Opened {
        if let Some(limit) = limit {
            self.limits.entry(path.to_owned()).or_insert(limit);
        }
        Opened {
            limit: self.limits.get(path).copied(),
            now: self.clock.now(),
        }
    }

    pub(super) fn raise(&mut self, scope: &Scope, by: Credits) -> Result<(), StoreError> {
        let limit = self
            .limits
            .get_mut(&scope.path)
            .ok_or_else(StoreError::gone)?;
        *limit = plus(*limit, by);
        self.wake(std::slice::from_ref(scope));
        Ok(())
    }

    pub(super) fn usage(&self, scope: &Scope) -> Result<AccountUsage, StoreError> {
        let limit = self
            .limits
            .get(&scope.path)
            .copied()
            .ok_or_else(StoreError::gone)?;
        let sums = self.sums.get(&scope.to_string());
        Ok(AccountUsage {
            usage: Usage {
                limit: Some(limit),
                ..sums.copied().unwrap_or_default()
            },
            in_flight: self.leases.len() as u64,
            lapsed: self.lapsed,
            conflicts: self.conflicts,
            strays: self.strays,
        })
    }

    pub(super) fn at_risk(&self, path: &str) -> Vec<AccountRisk> {
        let mut calls: Vec<_> = self
            .risks
            .iter()
            .filter_map(|(id, risk)| {
                let Held { scopes, amount } = &risk.held;
                let is_in = scopes.iter().any(|scope| scope.path == path);
                is_in.then(|| AccountRisk {
                    id: id.clone(),
                    amount: *amount,
                    at: risk.at,
                    is_lapsed: risk.is_lapsed,
                    label: risk.label.clone(),
                })
            })
            .collect();
        calls.sort_by_key(|call| call.at);
        calls.truncate(10_000);
        calls
    }

    pub(super) fn settle_risk(&mut self, id: &ReservationId, charged: Credits) -> bool {
        let by_hand = Done::ByHand(charged);
        let Some(risk) = self.risks.remove(id) else {
            return self.done(id) == Some(by_hand);
        };
        self.take(&risk.held, |sums| &mut sums.at_risk);
        self.spend(&risk.held, Settlement::Charge(charged));
        self.end(id.clone(), by_hand);
        self.wake(&risk.held.scopes);
        true
    }
}
