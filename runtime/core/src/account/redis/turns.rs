//! Messages of the server: whose turn it is.

use std::sync::{Arc, Weak};

use redis::{PushInfo, PushKind, from_redis_value};
use tokio::sync::{broadcast, mpsc};

use super::connection::prefix;
use super::link::Link;
use crate::account::error::StoreError;
use crate::money::budget::AtRiskId;

/// How many messages a reader may be behind. Those who miss one look again by themselves.
const BEHIND: usize = 1024;

/// Subscribes to the turns of this process in an account.
pub(super) async fn subscribe(
    link: &Arc<Link>,
    account: &str,
) -> Result<broadcast::Receiver<AtRiskId>, StoreError> {
    // An id begins with its process.
    let own = AtRiskId::unused().to_string();
    let process = own.split('-').next().unwrap_or_default();
    let turns = format!("{}turns:{process}", prefix(account));
    let receiver = {
        let mut readers = link.readers();
        let sender = readers.entry(turns.clone());
        let sender = sender.or_insert_with(|| broadcast::Sender::new(BEHIND));
        sender.subscribe()
    };
    let server = link.server().await?;
    let subscribed = server.connection().subscribe(turns).await;
    subscribed.map_err(|error| link.failed(&server, error))?;
    Ok(receiver)
}

/// Passes messages on as long as there is a store. When a connection ends, another one is made: messages come there from then on.
pub(super) async fn spread(mut pushes: mpsc::UnboundedReceiver<(u64, PushInfo)>, link: Weak<Link>) {
    while let Some((number, push)) = pushes.recv().await {
        let Some(link) = link.upgrade() else {
            return;
        };
        match push.kind {
            PushKind::Disconnection => {
                link.leave(number);
                // If it fails, the next step tries again.
                _ = link.server().await;
            }
            PushKind::Message => _ = pass_on(&link, push),
            _ => {}
        }
    }
}

/// Passes one message on; `None` if no reader waits for it.
fn pass_on(link: &Link, push: PushInfo) -> Option<()> {
    let mut parts = push.data.into_iter();
    let channel: String = from_redis_value(parts.next()?).ok()?;
    let message: String = from_redis_value(parts.next()?).ok()?;
    let id: AtRiskId = message.strip_prefix("turn ")?.parse().ok()?;
    link.readers().get(&channel)?.send(id).ok().map(drop)
}
