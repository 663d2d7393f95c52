//! Limits of scopes, and how much of them is used.

use super::book::{Book, plus};
use crate::account::error::StoreError;
use crate::account::id::ReservationId;
use crate::account::scope::Scope;
use crate::account::store::Opened;
use crate::account::usage::AccountUsage;
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
        let (key, sums) = (scope.to_string(), self.limited(scope));
        self.told
            .retain(|(of, percent), _| *of != key || sums.has_used(*percent));
        self.wake(std::slice::from_ref(scope));
        Ok(())
    }

    pub(super) fn threshold(
        &mut self,
        scope: &Scope,
        percent: u8,
        id: &ReservationId,
    ) -> Result<bool, StoreError> {
        if !self.limits.contains_key(&scope.path) {
            return Err(StoreError::gone());
        }
        if !self.limited(scope).has_used(percent) {
            return Ok(false);
        }
        let told = self.told.entry((scope.to_string(), percent));
        Ok(told.or_insert_with(|| id.clone()) == id)
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
}
