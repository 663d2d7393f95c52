//! The arguments that an agent gives, as those of an operation. No argument names a file.

use serde_json::{Map, Value};

use crate::argument::{Argument, Kind};
use crate::arguments::{Arguments, Refusal};
use crate::table::Command;

/// How many bytes of JSON the arguments of a call have at most.
const MOST: usize = 256 * 1024;

/// Returns whether an agent can give an argument: files and secrets stay with the person who runs the server. A body has its members.
pub(super) fn is_offered(argument: &Argument) -> bool {
    !argument.is_body && !matches!(argument.kind, Kind::File | Kind::Secret)
}

/// Reads arguments as an operation takes them.
pub(super) fn arguments(
    command: &'static Command,
    given: &Map<String, Value>,
) -> Result<Arguments, Refusal> {
    let length = serde_json::to_vec(given).map_or(usize::MAX, |json| json.len());
    if length > MOST {
        let problem = format!("have {length} bytes, and {MOST} are allowed");
        return Err(Refusal::new("arguments", problem));
    }
    let known = |name: &str| {
        let mut offered = command.arguments.iter().filter(|one| is_offered(one));
        offered.find(|one| one.name == name)
    };
    if let Some(name) = given.keys().find(|name| known(name).is_none()) {
        let name: String = name.chars().take(100).collect();
        return Err(Refusal::new(&name, "is not an argument of this tool"));
    }
    let mut arguments = Arguments::default();
    for argument in command.arguments.iter().filter(|one| is_offered(one)) {
        match given.get(argument.name) {
            Some(Value::Null) if argument.kind != Kind::Json || argument.is_list => {}
            Some(value) => {
                check(argument, value)?;
                arguments.give_json(argument, value.clone());
                continue;
            }
            None => {}
        }
        if argument.is_required {
            return Err(Refusal::new(argument.name, "is missing"));
        }
    }
    Ok(arguments)
}

fn check(argument: &Argument, value: &Value) -> Result<(), Refusal> {
    match (argument.is_list, value) {
        (true, Value::Array(elements)) => {
            elements.iter().try_for_each(|one| element(argument, one))
        }
        (true, _) => Err(Refusal::new(argument.name, "is not a list")),
        (false, value) => element(argument, value),
    }
}

fn element(argument: &Argument, value: &Value) -> Result<(), Refusal> {
    let refused = |what: &str| Err(Refusal::new(argument.name, format_args!("is not {what}")));
    match (argument.kind, value) {
        (Kind::Text, Value::String(text)) => {
            if argument.values.is_empty() || argument.values.contains(&text.as_str()) {
                Ok(())
            } else {
                refused(&format!("one of {}", argument.values.join(", ")))
            }
        }
        (Kind::Text, _) => refused("a string"),
        (Kind::Number, Value::Number(_)) | (Kind::Boolean, Value::Bool(_)) | (Kind::Json, _) => {
            Ok(())
        }
        (Kind::Number, _) => refused("a number"),
        (Kind::Boolean, _) => refused("`true` or `false`"),
        (Kind::File | Kind::Secret, _) => refused("an argument of this tool"),
    }
}
