//! Reads the header for the idempotency key of an operation: as `x-idempotency` says, otherwise a documented header of a name that services
//! use for nothing else.

use serde_json::Value;

use super::operation::{CHANGE, Reader};
use super::parameters::is_owned;
use crate::extensions::Idempotency;
use crate::{Constraints, Location, Parameter, ParameterType, Place};

const OWN: &str = "x-idempotency";
const HEADERS: [&str; 2] = ["idempotency-key", "x-idempotency-key"];
/// The methods of requests without effect: a key would change nothing.
const SAFE: [&str; 5] = ["get", "head", "options", "query", "trace"];
const MADE: &str = "By default, the client generates one for each call.";

fn is_header(parameter: &Parameter, name: &str) -> bool {
    parameter.location == Location::Header && parameter.name.eq_ignore_ascii_case(name)
}

/// Marks the parameter for the key, or adds it. The client sends a key with every call, so that no caller has to give one.
pub(super) fn mark_key(
    reader: &mut Reader<'_, '_>,
    method: &str,
    value: &Value,
    parameters: &mut Vec<Parameter>,
) {
    let key = match value.get(OWN) {
        Some(Value::Bool(false)) => return,
        Some(_) => reader.extension(value, OWN),
        None if SAFE.iter().any(|one| one.eq_ignore_ascii_case(method)) => None,
        None => HEADERS
            .iter()
            .find_map(|name| parameters.iter().find(|one| is_header(one, name)))
            .map(|one| Idempotency {
                header: one.name.clone(),
                window: None,
            }),
    };
    let Some(key): Option<Idempotency> = key else {
        return;
    };
    let is_credential = key.header.eq_ignore_ascii_case("authorization");
    let problem = is_owned(Location::Header, &key.header);
    let problem = problem.or_else(|| is_credential.then(|| "it is for credentials".to_owned()));
    if let Some(problem) = problem {
        let at = format!("{}/{OWN}/header", reader.pointer);
        let message = format!("`{}` cannot have the key: {problem}", key.header);
        reader.notes.wrong("idempotency", &at, message, CHANGE);
        return;
    }
    let documented = parameters
        .iter_mut()
        .find(|one| is_header(one, &key.header));
    match documented {
        Some(parameter) => {
            parameter.required = false;
            parameter.kind = ParameterType::Text;
            parameter.schema = Place::default();
            parameter.style = None;
            parameter.constraints = Constraints::default();
            parameter.text.push(MADE.to_owned());
            parameter.idempotency = Some(key);
        }
        None => parameters.push(Parameter {
            text: vec![
                "The key by which the service recognizes a repeated call.".to_owned(),
                MADE.to_owned(),
            ],
            idempotency: Some(key.clone()),
            ..Parameter::undocumented(&key.header, Location::Header, &reader.pointer)
        }),
    }
}
