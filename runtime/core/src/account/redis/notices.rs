//! Messages of the server: to whom they go.

use std::sync::{Arc, Weak};
use std::time::Duration;

use redis::{PushInfo, PushKind, Value};
use tokio::sync::{broadcast, mpsc};

use super::connection::prefix;
use super::link::Link;
use crate::account::error::StoreError;
use crate::account::store::Notice;
use crate::money::budget::AtRiskId;

/// How many messages a reader may be behind. Those who miss one look again by themselves.
const BEHIND: usize = 1024;

/// Subscribes to the channels of an account: that of all processes, and that of the turns of this one.
pub(super) async fn subscribe(
    link: &Arc<Link>,
    account: &str,
) -> Result<broadcast::Receiver<Notice>, StoreError> {
    let prefix = prefix(account);
    let notices = format!("{prefix}notices");
    let own = AtRiskId::unused().to_string();
    let process = own.split('-').next().unwrap_or_default();
    let turns = format!("{prefix}turns:{process}");
    let receiver = {
        let mut readers = link.readers();
        let sender = readers.entry(notices.clone());
        let sender = sender.or_insert_with(|| broadcast::Sender::new(BEHIND));
        let (receiver, sender) = (sender.subscribe(), sender.clone());
        readers.insert(turns.clone(), sender);
        receiver
    };
    let server = link.server().await?;
    let subscribed = server.connection().subscribe(&[notices, turns]).await;
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
            PushKind::Message => pass_on(&link, push.data),
            _ => {}
        }
    }
}

fn pass_on(link: &Arc<Link>, data: Vec<Value>) {
    let mut parts = data.into_iter().filter_map(text);
    let (Some(channel), Some(message)) = (parts.next(), parts.next()) else {
        return;
    };
    let notice = match message.split_once(' ') {
        Some(("turn", id)) => id.parse().ok().map(Notice::Turn),
        Some(("cool", left)) => left
            .parse()
            .ok()
            .map(|left| Notice::CoolDown(Duration::from_millis(left))),
        None if message == "ended" => Some(Notice::CoolDownEnded),
        _ => None,
    };
    if let (Some(reader), Some(notice)) = (link.readers().get(&channel), notice) {
        // Fails only without a receiver.
        _ = reader.send(notice);
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::BulkString(bytes) => String::from_utf8(bytes).ok(),
        Value::SimpleString(text) => Some(text),
        _ => None,
    }
}
