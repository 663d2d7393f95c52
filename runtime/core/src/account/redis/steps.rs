//! The steps: the arguments of each script, and its reply.

use tokio::sync::broadcast;

use super::connection::{Engine, RedisStore};
use super::lines::Lines;
use super::scripts;
use super::turns::subscribe;
use crate::account::error::StoreError;
use crate::account::scope::Scope;
use crate::account::store::{Ask, Change, Decision, Ending, LARGEST, Opened, Settled};
use crate::account::usage::AccountUsage;
use crate::money::budget::{AtRisk, AtRiskId, CallLabel, Usage};
use crate::money::credits::Credits;
use crate::money::metered_budget::Settlement;

/// The steps. Each is atomic, and takes the time of the server. One that is repeated with the same id has no further effect, and the same
/// reply: callers repeat it when the reply was lost. An error says that it is unknown whether the step was done.
#[doc(hidden)]
impl RedisStore {
    /// Sets the limit of a scope that has none yet.
    pub async fn open(
        &self,
        account: &str,
        path: &str,
        limit: Option<Credits>,
    ) -> Result<Opened, StoreError> {
        let arguments = vec![path.to_owned(), optional(limit)];
        let mut lines = self.run(account, &scripts::OPEN, arguments).await?;
        Ok(Opened {
            limit: lines.optional()?,
            now: lines.number()?,
        })
    }

    /// Changes the limit of a scope, or whether it is frozen.
    pub async fn change(
        &self,
        account: &str,
        scope: &Scope,
        change: Change<'_>,
    ) -> Result<(), StoreError> {
        let (how, value) = match change {
            Change::Raise(by) => ("raise", amount(by)),
            Change::Lower(by) => ("raise", format!("-{}", amount(by))),
            Change::Freeze(reason) => ("freeze", reason.to_owned()),
            Change::Thaw => ("thaw", String::new()),
        };
        let arguments = vec![scope.to_string(), how.to_owned(), value];
        let mut lines = self.run(account, &scripts::CHANGE, arguments).await?;
        lines.text().and_then(known).map(drop)
    }

    /// Reserves an amount in all scopes, or in none of them.
    pub async fn reserve(&self, ask: &Ask) -> Result<Decision, StoreError> {
        let bound = ask.max_in_flight.map(|bound| bound.to_string());
        let mut arguments = vec![
            ask.id.to_string(),
            amount(ask.amount),
            ask.lease.as_millis().to_string(),
            ask.patience.as_millis().to_string(),
            bound.unwrap_or_default(),
            ask.line.clone().unwrap_or_default(),
            ask.call.operation.to_string(),
            ask.call.attempt.to_string(),
            ask.call.idempotency_key.clone().unwrap_or_default(),
            optional(ask.at_risk),
        ];
        for scope in ask.scopes.iter() {
            let window = scope.window.as_ref();
            let bounds = window.map(|window| [window.from, window.until].map(|at| at.to_string()));
            arguments.push(scope.to_string());
            arguments.extend(bounds.unwrap_or_default());
        }
        let reserved = self.run(&ask.account, &scripts::RESERVE, arguments).await;
        reply(reserved?)
    }

    /// Ends a reservation, or a wait for one.
    pub async fn settle(&self, ending: &Ending) -> Result<Settled, StoreError> {
        let (how, charge) = match ending.settlement {
            Settlement::Refund => ("refund", Credits::ZERO),
            Settlement::Charge(charge) => ("charge", charge),
            Settlement::Risk => ("risk", Credits::ZERO),
        };
        let (line, price) = ending.price.clone().unzip();
        let mut arguments = vec![ending.id.to_string(), how.to_owned(), amount(charge)];
        arguments.extend(labelled(&ending.call));
        arguments.extend([
            line.unwrap_or_default(),
            price.map(amount).unwrap_or_default(),
            amount(ending.amount),
        ]);
        arguments.extend(ending.scopes.iter().map(Scope::to_string));
        let mut lines = self
            .run(&ending.account, &scripts::SETTLE, arguments)
            .await?;
        match lines.text()?.as_str() {
            "now" => Ok(Settled::Now),
            "before" => Ok(Settled::Before),
            "late" => Ok(Settled::Late),
            "stray" => Ok(Settled::Stray),
            "conflict" => Ok(Settled::Conflict),
            other => Err(unknown(other)),
        }
    }

    /// Returns the sums of a scope.
    pub async fn usage(&self, account: &str, scope: &Scope) -> Result<AccountUsage, StoreError> {
        let arguments = vec![scope.to_string()];
        let mut lines = self.run(account, &scripts::USAGE, arguments).await?;
        let limit = known(lines.text()?)?;
        let limit = limit.parse().map_err(|_| unknown(&limit))?;
        let usage = Usage {
            limit: Some(Credits::from_micros(limit)),
            spent: lines.credits()?,
            reserved: lines.credits()?,
            at_risk: lines.credits()?,
            calls: lines.number()?,
            surprises: lines.number()?,
            ..Usage::default()
        };
        Ok(AccountUsage {
            usage,
            in_flight: lines.number()?,
            lapsed: lines.number()?,
            conflicts: lines.number()?,
            strays: lines.number()?,
        })
    }

    /// Returns the calls at risk of a scope, oldest first, at most 10,000.
    pub async fn at_risk(&self, account: &str, path: &str) -> Result<Vec<AtRisk>, StoreError> {
        let arguments = vec![path.to_owned()];
        let mut lines = self.run(account, &scripts::AT_RISK, arguments).await?;
        let mut calls = Vec::new();
        while !lines.is_empty() {
            let at = lines.time()?;
            let id = lines.text()?;
            calls.push(AtRisk {
                id: id.parse().map_err(|_| unknown(&id))?,
                amount: Some(lines.credits()?),
                at,
                is_lapsed: lines.is("1")?,
                call: call(&mut lines)?,
            });
        }
        Ok(calls)
    }

    /// Settles one call at risk by hand: it was charged this much, or nothing. `false` when it is not at risk.
    pub async fn settle_risk(
        &self,
        account: &str,
        id: &AtRiskId,
        charged: Credits,
    ) -> Result<bool, StoreError> {
        let arguments = vec![id.to_string(), amount(charged)];
        let mut lines = self.run(account, &scripts::SETTLE_RISK, arguments).await?;
        lines.is("1")
    }

    /// Subscribes to the turns of this process in an account. Messages may be lost: callers look again from time to time.
    pub async fn turns(&self, account: &str) -> Result<broadcast::Receiver<AtRiskId>, StoreError> {
        match &self.engine {
            Engine::Server(link) => subscribe(link, account).await,
            #[cfg(feature = "test-util")]
            Engine::Simulated(simulation) => Ok(simulation.turns()),
        }
    }
}

fn reply(mut lines: Lines) -> Result<Decision, StoreError> {
    let how = known(lines.text()?)?;
    Ok(match how.as_str() {
        "granted" => Decision::Granted {
            price: lines.optional()?,
            now: lines.number()?,
        },
        "waiting" => Decision::Waiting,
        "refused" | "frozen" => {
            let scope = lines.number()?;
            Decision::Refused {
                scope: usize::try_from(scope).unwrap_or(usize::MAX),
                usage: Usage {
                    limit: Some(lines.credits()?),
                    spent: lines.credits()?,
                    reserved: lines.credits()?,
                    at_risk: lines.credits()?,
                    ..Usage::default()
                },
                frozen: (how == "frozen").then(|| lines.text()).transpose()?,
            }
        }
        "period" => Decision::OtherPeriod {
            now: lines.number()?,
        },
        "ended" => Decision::Ended,
        other => return Err(unknown(other)),
    })
}

/// Checks that the store still has the account.
fn known(reply: String) -> Result<String, StoreError> {
    match reply.as_str() {
        "gone" => Err(StoreError::gone()),
        _ => Ok(reply),
    }
}

fn unknown(reply: &str) -> StoreError {
    StoreError::new(format!(
        "a script returned `{reply}`, which this version does not know"
    ))
}

/// Returns the amount in micros, capped at the highest limit: larger amounts cannot be counted exactly.
fn amount(credits: Credits) -> String {
    credits.min(LARGEST).micros().to_string()
}

fn optional(credits: Option<Credits>) -> String {
    credits.map(amount).unwrap_or_default()
}

fn labelled(call: &CallLabel) -> [String; 4] {
    [
        call.operation.to_string(),
        call.attempt.to_string(),
        call.request_id.clone().unwrap_or_default(),
        call.idempotency_key.clone().unwrap_or_default(),
    ]
}

fn call(lines: &mut Lines) -> Result<CallLabel, StoreError> {
    Ok(CallLabel {
        operation: lines.text()?.into(),
        attempt: u32::try_from(lines.number()?).unwrap_or(u32::MAX),
        request_id: Some(lines.text()?).filter(|id| !id.is_empty()),
        idempotency_key: Some(lines.text()?).filter(|key| !key.is_empty()),
        ..CallLabel::default()
    })
}
