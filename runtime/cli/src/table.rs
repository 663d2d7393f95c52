//! Description of an API for its command line, which generated code declares as constants.

use crate::argument::Argument;
use crate::arguments::{Arguments, Refusal};
use crate::call::Call;
use generated_client::Client;
use generated_client::document::Api;
use generated_client::document::Shape;

/// The command line of an API.
pub struct Program {
    /// The API; the program has the name and the version of its crate.
    pub api: &'static Api,
    /// One line about the program, for its help.
    pub about: &'static str,
    /// A command for each operation, in groups.
    pub commands: &'static [&'static [Command]],
}

impl Program {
    /// Returns whether calls of the API cost credits.
    pub(crate) fn is_metered(&self) -> bool {
        self.api.interceptor.is_some()
    }

    /// Returns the first of these names that no operation has, or the last one.
    #[cfg(feature = "mcp")]
    pub(crate) fn free_name(&self, [name, instead]: [&'static str; 2]) -> &'static str {
        let mut commands = self.commands.iter().copied().flatten();
        if commands.any(|command| command.name == name) {
            instead
        } else {
            name
        }
    }
}

/// The command of one operation.
pub struct Command {
    /// Its name: the method of the client, with hyphens.
    pub name: &'static str,
    /// The purpose of the operation.
    pub about: &'static str,
    /// Further notes for people, such as the cost of a call; may be empty.
    pub note: &'static str,
    /// The HTTP method, as `GET`.
    pub method: &'static str,
    /// Its arguments, required ones first.
    pub arguments: &'static [Argument],
    /// The shape of an output record: one record of a page, or the whole body.
    pub record: &'static Shape,
    /// How many calls it makes.
    pub does: Does,
    /// Makes the call; nothing is sent.
    pub call: fn(&Client, &Arguments) -> Result<Call, Refusal>,
}

/// How many calls a command makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// One.
    Once,
    /// One for each page.
    Pages,
    /// One, and then those that poll its status.
    Waits,
}
