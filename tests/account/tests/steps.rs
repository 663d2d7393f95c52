//! The steps of a store, with defaults for most tests.

use std::sync::Arc;
use std::time::Duration;

use generated_client::Credits;
use generated_client::account::store::{Ask, Ending, Scope, Settlement};
use generated_client::account::{Account, RedisStore};
use generated_client::money::{AtRiskId, CallLabel};

use crate::support::{Store, credits};

/// A lease that does not end during a test.
pub(crate) const LONG: Duration = Duration::from_secs(600);

/// Returns the scopes of an account and, if requested, of a tenant.
pub(crate) fn scopes(tenant: bool) -> Arc<[Scope]> {
    let scope = |path: &str| Scope {
        path: path.to_owned(),
        window: None,
    };
    if tenant {
        Arc::new([scope("tenant"), scope("")])
    } else {
        Arc::new([scope("")])
    }
}

/// Returns a request for this amount from an account.
pub(crate) fn ask(account: &str, id: AtRiskId, amount: Credits) -> Ask {
    Ask {
        account: account.into(),
        id,
        amount,
        scopes: scopes(false),
        lease: LONG,
        patience: LONG,
        call: CallLabel::default(),
        line: None,
        at_risk: None,
        max_in_flight: None,
    }
}

/// Returns the end of a reservation in an account.
pub(crate) fn ending(
    account: &str,
    id: AtRiskId,
    settlement: Settlement,
    scopes: Arc<[Scope]>,
    amount: Credits,
) -> Ending {
    Ending {
        account: account.into(),
        id,
        settlement,
        scopes,
        amount,
        call: CallLabel::default(),
        price: None,
    }
}

/// Opens an account with this limit; returns it and its store.
pub(crate) async fn opened(store: &Store, name: &str, limit: u64) -> (Account, RedisStore) {
    let account = store.open(Account::named(name).limit(credits(limit))).await;
    (account, store.0.clone())
}
