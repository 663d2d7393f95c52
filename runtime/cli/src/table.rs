//! Description of an API for its command line, which generated code declares as constants.

use crate::argument::Argument;
use crate::arguments::{Arguments, Refusal};
use crate::call::Call;
use clap::ArgMatches;
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

    /// Returns the command of these names, and what was given for it.
    pub(crate) fn chosen<'g>(
        &self,
        given: &'g ArgMatches,
    ) -> Option<(&'static Command, &'g ArgMatches)> {
        let (name, given) = given.subcommand()?;
        let (handle, name, given) = if self.has_handle(name) {
            let (of_handle, given) = given.subcommand()?;
            (name, of_handle, given)
        } else {
            ("", name, given)
        };
        let mut commands = self.commands.iter().copied().flatten();
        let command = commands.find(|one| one.handle == handle && one.name == name)?;
        Some((command, given))
    }

    fn has_handle(&self, name: &str) -> bool {
        let mut commands = self.commands.iter().copied().flatten();
        commands.any(|command| command.handle == name)
    }

    /// Returns the first of these names that no operation has, or the last one.
    #[cfg(any(feature = "cache", feature = "mcp"))]
    pub(crate) fn free_name(&self, [name, instead]: [&'static str; 2]) -> &'static str {
        let mut commands = self.commands.iter().copied().flatten();
        if commands.any(|command| command.name == name || command.handle == name) {
            instead
        } else {
            name
        }
    }
}

/// The command of one operation.
pub struct Command {
    /// The name of the handle with its method; empty for a method of the client.
    pub handle: &'static str,
    /// Its name: the method, with hyphens.
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
