//! `--dry-run`: what would be sent, and what it would cost. Nothing is.

use std::io::{self, Write};

use http::HeaderMap;

use super::call::{Call, Way};
use super::run::Extent;
use crate::error::Error;
use crate::money::quote::{PriceSource, Quote};

/// Writes the first request of a call, without credentials, and what it costs. There are `inputs` like it.
pub(super) fn write(
    out: &mut dyn Write,
    call: &Call,
    extent: Extent,
    inputs: usize,
) -> Result<io::Result<()>, Error> {
    let engine = &call.client.shared;
    let address = engine.address(&call.request)?;
    let none = HeaderMap::new();
    let message = call
        .request
        .to_http(&address, engine.api.auth, &none, &none)?;
    let mut text = format!("{} {}\n", message.method(), message.uri());
    for (name, value) in message.headers() {
        text.push_str(&format!("{name}: {}\n", value.to_str().unwrap_or("…")));
    }
    if !message.body().is_empty() {
        text.push_str(&format!("\n{}\n", String::from_utf8_lossy(message.body())));
    }
    text.push_str("Nothing is sent. ");
    if inputs > 1 {
        text.push_str(&format!("For each of {inputs} inputs: "));
    }
    let calls = match &call.way {
        Way::Pages(turn) if !extent.is_one_page() => turn.start(None, extent.most).quote().calls,
        _ => Some(1),
    };
    let price = price(&call.client.quote(&call.request));
    text.push_str(&match calls {
        Some(1) => format!("The call costs {price}.\n"),
        Some(calls) => format!("{calls} calls, each of which costs {price}.\n"),
        None => format!("Each page costs {price}. The first one says how many there are.\n"),
    });
    Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn price(quote: &Quote) -> String {
    let Some(most) = quote.at_most else {
        return "what is not known: all that is left of a budget is reserved, unless `--assume-price` says how much".to_owned();
    };
    let source = match quote.source {
        PriceSource::Observed => "observed",
        PriceSource::Given => "given",
        PriceSource::Assumed => "assumed",
        PriceSource::Unknown => "unknown",
    };
    format!("{most} credits at most, as {source}")
}
