//! The parser of a program with a handle.

use generated_client::document::{Api, Operation, Shape};
use generated_client::request::Request;
use serde_json::json;

use super::*;
use crate::call::Call;

static API: Api = Api::new("shop", "1.2.3", "SHOP");
static OPERATION: Operation = Operation::patch("update", "/albums");
static PROGRAM: Program = Program {
    api: &API,
    about: "",
    commands: &[&[table::Command {
        handle: "albums",
        name: "update",
        about: "",
        note: "",
        method: "PATCH",
        arguments: &[Argument::new("note", "", Kind::Text)
            .member("note")
            .nullable()],
        record: &Shape::Any,
        does: Does::Once,
        call: |client, _| Ok(Call::once(client, Request::new(&OPERATION))),
    }]],
};

#[test]
fn a_command_is_below_its_handle_and_clears_a_member() {
    let given = ["shop", "albums", "update", "--clear-note"];
    let given = parser(&PROGRAM, false).try_get_matches_from(given).unwrap();
    let (command, given) = PROGRAM.chosen(&given).unwrap();
    assert_eq!(command.name, "update");
    let arguments = arguments(command, given).unwrap();
    assert_eq!(arguments.body::<Value>().unwrap(), json!({"note": null}));

    let both = ["shop", "albums", "update", "--note", "x", "--clear-note"];
    assert!(parser(&PROGRAM, false).try_get_matches_from(both).is_err());
    assert!(
        parser(&PROGRAM, false)
            .try_get_matches_from(["shop", "update"])
            .is_err()
    );
}

#[test]
fn the_options_of_all_operations_are_on_a_page_of_their_own() {
    let help = |parser: Command, option| {
        let help = parser.try_get_matches_from(["shop", "albums", "update", option]);
        help.unwrap_err().to_string()
    };
    let own = help(parser(&PROGRAM, false), "--help");
    assert!(
        own.contains("--clear-note") && own.contains(HELP_ALL),
        "{own}"
    );
    assert!(!own.contains("--dry-run"), "{own}");
    let all = help(with_all_options(parser(&PROGRAM, false)), HELP_ALL);
    assert!(
        all.contains("--clear-note") && all.contains("--dry-run"),
        "{all}"
    );
}
