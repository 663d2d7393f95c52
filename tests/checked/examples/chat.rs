//! Reads a reply event by event: `cargo run -p checked-tests --example chat`.

use std::error::Error;

use assistant_client::Client;
use assistant_client::types::{ChatBody, ChatEvent};
use checked_tests::Service;

const DOCUMENT: &str = include_str!("../../documents/assistant/openapi.yaml");

/// Event stream of the service: a comment, an event of an undocumented kind, and the end mark.
pub(crate) const EVENTS: &str = "event: started\ndata: {\"id\": \"r1\"}\n\n: still here\n\n\
    event: part\ndata: {\"text\": \"Good \"}\n\nevent: mood\ndata: {\"is\": \"calm\"}\n\n\
    event: part\ndata: {\"text\": \"day.\"}\n\ndata: [DONE]\n\n";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let service = Service::start(DOCUMENT, &[("chat", EVENTS)]).await?;
    println!("{}", run(&service.url()).await?.join("\n"));
    Ok(())
}

pub(crate) async fn run(url: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let client = Client::builder(url).build()?;
    let call = client.chat(ChatBody::new("Greet me.").stream(true));
    let mut events = call.send_stream().await?.events();
    let mut lines = Vec::new();
    while let Some(event) = events.next().await {
        lines.push(match event?.item()? {
            ChatEvent::ReplyStarted(started) => format!("{:?} begins", started.data.id),
            ChatEvent::ReplyPart(part) => format!("{:?}", part.data.text),
            ChatEvent::Unrecognized(event) => format!("unknown: {:?}", event.get("event")),
            other => format!("of a later version: {other:?}"),
        });
    }
    Ok(lines)
}
