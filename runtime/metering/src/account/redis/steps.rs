//! The steps: the arguments of each script, and its reply.

use tokio::sync::broadcast;

use super::connection::RedisStore;
use super::lines::Lines;
use super::scripts;
use crate::account::error::StoreError;
use crate::account::id::ReservationId;
use crate::account::scope::Scope;
use crate::account::store::{
    Ask, Decision, Ending, Forget, Granted, LARGEST, LedgerStore, Notice, Opened, Settled,
    Settlement, Step,
};
use crate::account::usage::{AccountRisk, AccountUsage, Label};
use crate::money::credits::Credits;
use crate::money::ledger::Usage;

impl LedgerStore for RedisStore {
    fn open<'a>(
        &'a self,
        account: &'a str,
        path: &'a str,
        limit: Option<Credits>,
    ) -> Step<'a, Opened> {
        Box::pin(async move {
            let arguments = vec![path.to_owned(), optional(limit)];
            let mut lines = self.run(account, &scripts::OPEN, arguments).await?;
            Ok(Opened {
                limit: lines.optional()?,
                now: lines.number()?,
            })
        })
    }

    fn raise<'a>(&'a self, account: &'a str, scope: &'a Scope, by: Credits) -> Step<'a, ()> {
        Box::pin(async move {
            let arguments = vec![scope.to_string(), amount(by)];
            let mut lines = self.run(account, &scripts::RAISE, arguments).await?;
            lines.text().and_then(known).map(drop)
        })
    }

    fn reserve<'a>(&'a self, ask: &'a Ask) -> Step<'a, Decision> {
        Box::pin(async move {
            // Only reservations need a server that was checked; settlements work with any.
            let server = self.link.checked().await?;
            let bound = ask.max_in_flight.map(|bound| bound.to_string());
            let mut arguments = vec![
                ask.id.to_string(),
                amount(ask.amount),
                ask.lease.as_millis().to_string(),
                ask.patience.as_millis().to_string(),
                bound.unwrap_or_default(),
                ask.line.clone().unwrap_or_default(),
                ask.label.operation.clone(),
                ask.label.attempt.to_string(),
                ask.label.idempotency_key.clone().unwrap_or_default(),
                optional(ask.at_risk),
            ];
            for scope in ask.scopes.iter() {
                let window = scope.window.as_ref();
                let bounds =
                    window.map(|window| [window.from, window.until].map(|at| at.to_string()));
                arguments.push(scope.to_string());
                arguments.extend(bounds.unwrap_or_default());
            }
            let (account, script) = (&ask.account, &scripts::RESERVE);
            reply(self.run_on(&server, account, script, arguments).await?)
        })
    }

    fn settle<'a>(&'a self, ending: &'a Ending) -> Step<'a, Settled> {
        Box::pin(async move {
            let (how, charge) = match ending.settlement {
                Settlement::Refund => ("refund", Credits::ZERO),
                Settlement::Charge(charge) => ("charge", charge),
                Settlement::Risk => ("risk", Credits::ZERO),
            };
            let (line, price) = ending.price.clone().unzip();
            let cool_down = ending.cool_down.map(|pause| pause.as_millis().to_string());
            let mut arguments = vec![ending.id.to_string(), how.to_owned(), amount(charge)];
            arguments.extend(labelled(&ending.label));
            arguments.extend([
                flag(ending.went_through),
                cool_down.unwrap_or_default(),
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
        })
    }

    fn forget<'a>(&'a self, account: &'a str, what: Forget) -> Step<'a, ()> {
        Box::pin(async move {
            let what = match what {
                Forget::Prices => "prices",
                Forget::CoolDown => "cool-down",
            };
            self.run(account, &scripts::FORGET, vec![what.to_owned()])
                .await?;
            Ok(())
        })
    }

    fn usage<'a>(&'a self, account: &'a str, scope: &'a Scope) -> Step<'a, AccountUsage> {
        Box::pin(async move {
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
            };
            Ok(AccountUsage {
                usage,
                in_flight: lines.number()?,
                lapsed: lines.number()?,
                conflicts: lines.number()?,
                strays: lines.number()?,
            })
        })
    }

    fn at_risk<'a>(&'a self, account: &'a str, path: &'a str) -> Step<'a, Vec<AccountRisk>> {
        Box::pin(async move {
            let arguments = vec![path.to_owned()];
            let mut lines = self.run(account, &scripts::AT_RISK, arguments).await?;
            let mut calls = Vec::new();
            while !lines.is_empty() {
                let at = lines.time()?;
                let id = lines.text()?;
                calls.push(AccountRisk {
                    id: id.parse().map_err(|_| unknown(&id))?,
                    amount: lines.credits()?,
                    at,
                    is_lapsed: lines.is("1")?,
                    label: label(&mut lines)?,
                });
            }
            Ok(calls)
        })
    }

    fn settle_risk<'a>(
        &'a self,
        account: &'a str,
        id: &'a ReservationId,
        charged: Credits,
    ) -> Step<'a, bool> {
        Box::pin(async move {
            let arguments = vec![id.to_string(), amount(charged)];
            let mut lines = self.run(account, &scripts::SETTLE_RISK, arguments).await?;
            lines.is("1")
        })
    }

    fn notices<'a>(&'a self, account: &'a str) -> Step<'a, broadcast::Receiver<Notice>> {
        Box::pin(self.subscribe(account))
    }
}

fn reply(mut lines: Lines) -> Result<Decision, StoreError> {
    Ok(match known(lines.text()?)?.as_str() {
        "granted" => Decision::Granted(Granted {
            price: lines.optional()?,
            now: lines.number()?,
        }),
        "waiting" => Decision::Waiting,
        "refused" => {
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
            }
        }
        "cooling" => Decision::CoolingDown(lines.pause()?),
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

fn flag(is_set: bool) -> String {
    u8::from(is_set).to_string()
}

fn labelled(label: &Label) -> [String; 4] {
    [
        label.operation.clone(),
        label.attempt.to_string(),
        label.request_id.clone().unwrap_or_default(),
        label.idempotency_key.clone().unwrap_or_default(),
    ]
}

fn label(lines: &mut Lines) -> Result<Label, StoreError> {
    Ok(Label {
        operation: lines.text()?,
        attempt: u32::try_from(lines.number()?).unwrap_or(u32::MAX),
        request_id: Some(lines.text()?).filter(|id| !id.is_empty()),
        idempotency_key: Some(lines.text()?).filter(|key| !key.is_empty()),
    })
}
