//! Doc comments of builders, setters and client methods.

use openapi_document::{pointer, readable};
use openapi_model::extensions::Presence;
use openapi_model::{Location, Model, Operation, OtherResponse, ParameterType, Place};
use serde_json::Value;

use super::builder::Builder;
use super::value::{self, Argument, Kind};
use super::{access, charge};
use crate::types::docs::{
    facts, is_fence, paragraphs, provenance, text, unless_repeated, without_fences,
};
use crate::types::error_types;

/// Documents an operation, with a link to its full documentation.
pub(super) fn method(model: &Model, operation: &Operation) -> Vec<String> {
    let builder = &operation.type_name;
    let what = if model.is_metered {
        "Arguments, price and errors"
    } else {
        "Arguments and errors"
    };
    let link = format!("{what}: [`{builder}`](crate::operations::{builder}).");
    paragraphs(described(operation).chain([text(&link)]))
}

/// Describes an operation: its description, and its summary unless the description has the same sentence.
fn described(operation: &Operation) -> impl Iterator<Item = Vec<String>> {
    let skipped = match operation.text.as_slice() {
        [_, description] if begins_with_verb(description) => 1,
        _ => 0,
    };
    operation.text.iter().skip(skipped).map(|part| {
        let mut lines = text(part);
        if let Some(last) = lines.last_mut()
            && !last.ends_with(['.', '!', '?'])
            && !is_fence(last)
        {
            last.push('.');
        }
        lines
    })
}

/// Returns whether a description begins with a verb in the third person, as "Lists things".
fn begins_with_verb(text: &str) -> bool {
    const NO_VERBS: [&str; 6] = ["As", "Is", "Its", "This", "Us", "Yes"];
    let first = text.split_whitespace().next().unwrap_or_default();
    first.starts_with(|c: char| c.is_ascii_uppercase())
        && first.chars().all(|c| c.is_ascii_alphabetic())
        && first.ends_with('s')
        && !first.ends_with("ss")
        && !NO_VERBS.contains(&first)
}

/// Documents the needs, the price and the provenance of a call.
pub(super) fn builder(builder: &Builder<'_>) -> Vec<String> {
    let (model, operation, arguments) = (builder.model, builder.operation, &builder.arguments);
    // These are documented separately.
    let apart = [
        format!("{}/parameters", operation.pointer),
        format!("{}/responses", operation.pointer),
    ];
    let provenance = provenance(builder.report, &operation.pointer, |changed| {
        !apart.iter().any(|place| pointer::is_within(changed, place))
    });
    let path = model.method_path(operation);
    let request = format!(
        "The request `{} {}`, of [`{}`](crate::{path}).",
        operation.method,
        operation.path,
        path.trim_start_matches("handles::"),
    );
    let mut list = required(builder);
    list.extend(price(model, operation).iter().flat_map(|line| item(line)));
    list.extend(fresh(operation).iter().flat_map(|line| item(line)));
    list.extend(limits(arguments).iter().flat_map(|line| item(line)));
    list.extend(errors(builder));
    paragraphs(
        [text(&request), list, access::docs(model, operation)]
            .into_iter()
            .chain(provenance),
    )
}

/// A line of a list.
fn item(line: &str) -> Vec<String> {
    let mut lines = without_fences(text(line)).into_iter();
    let first = lines.next().map(|line| format!("- {line}"));
    first
        .into_iter()
        .chain(lines.map(|line| format!("  {line}")))
        .collect()
}

/// Says for how long a stored response is used again.
fn fresh(operation: &Operation) -> Option<String> {
    let seconds = operation.fresh_for.filter(|seconds| *seconds > 0)?;
    let (count, unit) = match seconds {
        seconds if seconds % 86_400 == 0 => (seconds / 86_400, "day"),
        seconds if seconds % 3600 == 0 => (seconds / 3600, "hour"),
        seconds => (seconds, "second"),
    };
    let plural = if count == 1 { "" } else { "s" };
    Some(format!(
        "A stored response is fresh for {count} {unit}{plural}."
    ))
}

/// Lists the documented maxima of optional arguments.
fn limits(arguments: &[Argument<'_>]) -> Option<String> {
    let limits: Vec<String> = arguments
        .iter()
        .filter(|argument| !argument.required)
        .filter_map(|argument| {
            let most = argument.constraints.maximum.as_ref()?;
            Some(format!("`{}` at most {most}", argument.name))
        })
        .collect();
    (!limits.is_empty()).then(|| format!("Limits: {}.", limits.join(", ")))
}

/// Lists the documented responses other than success.
fn errors(builder: &Builder<'_>) -> Vec<String> {
    let operation = builder.operation;
    if operation.other_responses.is_empty() {
        return Vec::new();
    }
    let read = if error_types(operation).next().is_some() {
        ", which [`Error::documented`](crate::Error::documented) reads"
    } else {
        ""
    };
    let mut lines = vec![format!("- Errors{read}:")];
    for other in &operation.other_responses {
        let described = text(&other_response(other));
        let provenance = provenance(builder.report, &other.pointer, |_| true);
        let described = described
            .into_iter()
            .chain(provenance.into_iter().flatten());
        let described = without_fences(described.collect());
        let mut described = described.into_iter().filter(|line| !line.is_empty());
        lines.extend(described.next().map(|line| format!("  - {line}")));
        lines.extend(described.map(|line| format!("    {line}")));
    }
    lines
}

/// Describes a response other than success: its status, its description and the type of its body.
fn other_response(other: &OtherResponse) -> String {
    let status = match other.status.as_str() {
        "default" => "Any other status".to_owned(),
        status => format!("`{status}`"),
    };
    let body = other.schema.as_ref().and_then(Place::reference);
    let body = body.map(|name| format!("Its body is a [`{name}`](crate::types::{name})."));
    match (other.description.as_str(), &body) {
        ("", Some(body)) => format!("{status}. {body}"),
        (description, None) => format!("{status}: {description}"),
        (description, Some(body)) => {
            let end = if description.ends_with(['.', '!', '?']) {
                ""
            } else {
                "."
            };
            format!("{status}: {description}{end} {body}")
        }
    }
}

/// Describes an operation, for a command line.
pub(super) fn about(operation: &Operation) -> Vec<String> {
    paragraphs(described(operation))
}

/// Describes an argument, for a command line. `known_values` are those that the document lists, among others.
pub(super) fn help(argument: &Argument<'_>, known_values: Vec<&str>) -> String {
    let mut help = argument.text.clone();
    if help.is_empty() {
        help.push(format!("Sets `{}`", argument.wire));
    }
    help.extend(facts(&known(argument)));
    if !known_values.is_empty() {
        help.push(format!("Known values: {}.", known_values.join(", ")));
    }
    readable::lines(&help.join(" "))
}

/// Returns the price of a call, in a crate whose calls cost credits.
pub(super) fn price(model: &Model, operation: &Operation) -> Option<String> {
    if !model.is_metered {
        return None;
    }
    let prices: Vec<String> = operation
        .prices
        .iter()
        .map(|price| {
            let conditions: Vec<String> = price
                .when
                .iter()
                .map(|(parameter, presence)| match presence {
                    Presence::Present => format!("with `{parameter}`"),
                    Presence::Absent => format!("without `{parameter}`"),
                })
                .collect();
            let amount = match price.credits.as_f64() {
                Some(0.0) => "free".to_owned(),
                Some(1.0) => "1 credit".to_owned(),
                _ => format!("{} credits", price.credits),
            };
            let amount = if conditions.is_empty() {
                amount
            } else {
                format!("{amount} {}", conditions.join(" and "))
            };
            match &price.note {
                Some(note) => format!("{amount} ({})", note.trim()),
                None => amount,
            }
        })
        .collect();
    Some(match charge::member(model, operation) {
        _ if !prices.is_empty() => format!("Price, as observed: {}.", prices.join(", ")),
        Some(member) => format!("Price: not published; `{member}` of the response reports it."),
        None => "Price: not published.".to_owned(),
    })
}

/// Describes the required arguments, which have no setter with documentation.
fn required(builder: &Builder<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for one in value::required(&builder.arguments) {
        let described = without_fences(argument(builder, one));
        let mut described = described.into_iter().filter(|line| !line.is_empty());
        // The method of the client shows its name.
        let Some(first) = described.next() else {
            continue;
        };
        lines.push(format!("- `{}`: {first}", one.name));
        lines.extend(described.map(|line| format!("  {line}")));
    }
    lines
}

/// Documents an argument.
pub(super) fn argument(builder: &Builder<'_>, argument: &Argument<'_>) -> Vec<String> {
    let name = argument.name.to_string();
    let mut described = Vec::new();
    for part in &argument.text {
        described.extend(unless_repeated(Some(part), argument.wire, &name));
    }
    if argument.text.is_empty() {
        described.extend(unless_repeated(None, argument.wire, &name));
    }
    let way_around = if is_closed_query(builder.model, argument) {
        text(&format!(
            "To send a value that the enumeration lacks, leave this argument out and call `extra_query` with the name `{}`.",
            argument.wire
        ))
    } else {
        Vec::new()
    };
    let described = [described, facts(&known(argument)), way_around];
    // The operation says what an override changed in its body.
    let is_body = matches!(argument.kind, Kind::Body(_));
    let provenance = provenance(builder.report, &argument.pointer, |_| !is_body);
    paragraphs(described.into_iter().chain(provenance))
}

/// The facts of an argument, as a schema has them.
fn known(argument: &Argument<'_>) -> Place {
    Place {
        bounds: argument.constraints.clone(),
        default: argument.default.clone().filter(is_present),
        example: argument.example.clone().filter(is_present),
        ..Place::default()
    }
}

fn is_present(value: &Value) -> bool {
    !value.is_null()
}

/// Returns whether an argument is an optional query parameter that takes only the values of an enumeration.
fn is_closed_query(model: &Model, argument: &Argument<'_>) -> bool {
    let is_query = argument
        .parameter
        .is_some_and(|parameter| parameter.location == Location::Query);
    let mut kind = argument.kind.value();
    while let Some(ParameterType::List { item, .. }) = kind {
        kind = Some(item);
    }
    let Some(ParameterType::Named(name)) = kind else {
        return false;
    };
    let schema = model.schema(name);
    is_query
        && !argument.required
        && schema.is_some_and(|schema| !schema.texts().is_empty() && !schema.is_open())
}
