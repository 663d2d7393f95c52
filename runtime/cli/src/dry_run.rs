//! `--dry-run`: shows what would be sent and what it would cost, and sends nothing.

use std::io::{self, Write};

#[cfg(feature = "metered")]
use crate::argument::Argument;
use crate::arguments::Arguments;
use crate::call::{Call, Way, window};
use crate::ended::{Ended, UNSURE};
use crate::extent::Extent;
use crate::inputs::{Input, Listed};
use crate::money::{self, Journal, Wanted};
use crate::notes::{Left, left};
#[cfg(feature = "metered")]
use crate::plan;
use crate::table::Command;
use crate::visible::visible_lines;
#[cfg(feature = "metered")]
use generated_client::Batch;
use generated_client::Client;
use generated_client::Error;
use generated_client::internal::{preview, redact};
#[cfg(feature = "metered")]
use generated_client::money::BatchQuote;
use generated_client::paging::Position;

/// A run of which nothing is sent.
pub(crate) struct DryRun<'r> {
    pub(crate) command: &'r Command,
    pub(crate) client: &'r Client,
    pub(crate) extent: Extent,
    pub(crate) journal: &'r Journal,
}

impl DryRun<'_> {
    /// Shows what a run would send, after what an earlier run has done.
    pub(crate) async fn show(&self, arguments: Arguments, inputs: Listed) -> Result<(), Ended> {
        let text = self.text(arguments, inputs).await?;
        let mut out = io::stdout();
        let written = out.write_all(visible_lines(&text).as_bytes());
        Ok(written.and_then(|()| out.flush())?)
    }

    async fn text(&self, mut arguments: Arguments, inputs: Listed) -> Result<String, Ended> {
        let Self {
            command,
            client,
            extent,
            journal,
            ..
        } = *self;
        let one = [Input::single()];
        let all = inputs.as_ref().map_or(&one[..], |(_, list)| &list.values);
        if all.is_empty() {
            return Err(Ended::usage("the list of `--from` is empty"));
        }
        let window = window(command, client, &arguments, &inputs, extent);
        let left = left(journal, all, extent, window, extent.again);
        let argument = inputs.as_ref().map(|(argument, _)| *argument);
        #[cfg(feature = "metered")]
        if extent.is_json {
            let quote = self.quote(&mut arguments, argument, &left.open).await?;
            let repeated = inputs.as_ref().map_or(0, |(_, list)| list.repeated);
            let needed = left.open.len().saturating_add(left.held.len());
            let done = all.len().saturating_sub(needed);
            let json = plan::json(&quote, repeated, done, left.held.len());
            return Ok(format!("{json}\n"));
        }
        let Left { open, held } = left;
        let held = match held.len() {
            0 => String::new(),
            held => format!("`--again` also repeats {UNSURE}: {held} so far.\n"),
        };
        let Some(first) = open.first() else {
            let nothing = "Nothing is sent. According to the journal, no calls are left.\n";
            return Ok(nothing.to_owned() + &held);
        };
        if let Some(argument) = argument {
            let given = arguments.give(argument, first.given());
            given.map_err(|refusal| Ended::Usage(refusal.to_string()))?;
        }
        let call = (command.call)(client, &arguments);
        let call = call.map_err(|refusal| Ended::Usage(refusal.to_string()))?;
        let request =
            request(&call).map_err(|error| Ended::of(&error, money::is_metered(client)))?;
        let inputs = match open.len() {
            left if left < all.len() => format!("For each of {left} of {} inputs: ", all.len()),
            1 => String::new(),
            left => format!("For each of {left} inputs: "),
        };
        let cost = cost(&call, extent, journal.position(&first.name).as_ref())?;
        let text = redact(&request, arguments.secrets()) + "Nothing is sent. " + &inputs + &cost;
        #[cfg(feature = "metered")]
        let text = if argument.is_some() && money::is_metered(client) {
            text + &plan::text(&self.quote(&mut arguments, argument, &open).await?)
        } else {
            text
        };
        Ok(text + &held)
    }

    /// Returns what the calls of these inputs would cost together.
    #[cfg(feature = "metered")]
    async fn quote(
        &self,
        arguments: &mut Arguments,
        argument: Option<&'static Argument>,
        inputs: &[&Input],
    ) -> Result<BatchQuote, Ended> {
        let mut batch = Batch::new(Some(self.client));
        for input in inputs {
            let given = match argument {
                Some(argument) => arguments.give(argument, input.given()),
                None => Ok(()),
            };
            let call = given.and_then(|()| (self.command.call)(self.client, arguments));
            // One that is refused is not sent.
            let Ok(call) = call else { continue };
            let position = self.journal.position(&input.name);
            let calls = calls(&call, self.extent, position.as_ref())?;
            let added = batch.add(self.client, &call.request, calls).await;
            added.map_err(|error| Ended::of(&error, true))?;
        }
        Ok(batch.quote)
    }
}

/// Returns the first request of a call, without credentials.
fn request(call: &Call) -> Result<String, Error> {
    let message = preview(&call.client, &call.request)?;
    let mut text = format!("{} {}\n", message.method(), message.uri());
    for (name, value) in message.headers() {
        text.push_str(&format!("{name}: {}\n", value.to_str().unwrap_or("…")));
    }
    if !message.body().is_empty() {
        text.push_str(&format!("\n{}\n", String::from_utf8_lossy(message.body())));
    }
    Ok(text)
}

/// Returns how many calls continue at this position, if that is known.
fn calls(call: &Call, extent: Extent, from: Option<&Position>) -> Result<Option<u64>, Ended> {
    Ok(match &call.way {
        Way::Pages(turn) if extent.wanted != Wanted::Page => {
            turn.start(from, extent.wanted)?.calls()
        }
        _ => Some(1),
    })
}

/// Describes the cost of a call that continues at this position.
fn cost(call: &Call, extent: Extent, from: Option<&Position>) -> Result<String, Ended> {
    let calls = calls(call, extent, from)?;
    if money::is_metered(&call.client) {
        return Ok(money::price_of(call, calls));
    }
    Ok(match calls {
        Some(1) => "It is one call.\n".to_owned(),
        Some(calls) => format!("These are {calls} calls.\n"),
        None => "It is one call per page. The first page shows how many there are.\n".to_owned(),
    })
}

#[cfg(feature = "metered")]
#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;
    use crate::argument::{Argument, Kind};
    use crate::arguments::Refusal;
    use crate::table::Does;
    use generated_client::ClientBuilder;

    use generated_client::document::Shape;
    use generated_client::document::{Api, Operation};
    use generated_client::request::Request;

    /// A value that is escaped differently in JSON, in an address and in a header.
    const CANARY: &str = "canary \"7/3\"";

    static API: Api = Api {
        interceptor: Some(|| generated_client::meter(None, None)),
        ..Api::new("example", "1.2.3", "EXAMPLE")
    };
    static OPERATION: Operation = Operation::post("getThing", "/v1/things");
    static PIN: Argument = Argument::new("pin", "", Kind::Secret).positional();
    static COMMAND: Command = Command {
        handle: "",
        name: "get-thing",
        about: "",
        note: "",
        method: "POST",
        arguments: &[],
        record: &Shape::Any,
        does: Does::Once,
        call: |client, arguments| {
            let pin: String = arguments.required("pin")?;
            let mut request = Request::new(&OPERATION);
            request.query("pin", &pin).header("x-pin", &pin);
            request.json(&[&pin]);
            Ok::<_, Refusal>(Call::once(client, request))
        },
    };

    #[tokio::test]
    async fn a_secret_is_shown_nowhere() {
        let path = env::temp_dir().join(format!("generated-client-pin-{}", process::id()));
        fs::write(&path, format!("{CANARY}\n")).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let mut arguments = Arguments::default();
        arguments.give(&PIN, std::slice::from_ref(&path)).unwrap();
        fs::remove_file(&path).unwrap();

        let identity = arguments.identity().to_string();
        assert!(identity.contains(&path), "{identity}");
        let client = ClientBuilder::new(&API, "http://localhost");
        let client: Client = client.build().unwrap();
        let extent = Extent {
            wanted: Wanted::Page,
            wait: false,
            again: false,
            is_watch: false,
            is_json: false,
        };
        let debug = format!("{arguments:?}");
        let journal = Journal::in_memory("dry");
        let dry = DryRun {
            command: &COMMAND,
            client: &client,
            extent,
            journal: &journal,
        };
        let shown = dry.text(arguments, None).await.unwrap();
        assert!(shown.contains("?pin=[key]\n"), "{shown}");
        assert!(shown.contains("x-pin: [key]\n"), "{shown}");
        for said in [identity, debug, shown] {
            assert!(!said.contains("canary"), "{said}");
        }
    }
}
