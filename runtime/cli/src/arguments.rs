//! The arguments of an operation, from the command line to the types of its builder.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use crate::argument::{Argument, Kind};
use crate::visible::visible;
use generated_client::request::Part;
use generated_client::values::SecretText;

/// The arguments of a command, as they were given.
#[derive(Clone, Default)]
pub struct Arguments {
    values: BTreeMap<&'static str, Value>,
    files: BTreeMap<&'static str, Vec<(String, Bytes)>>,
    /// The paths of files, and of secrets that are in files.
    paths: BTreeMap<&'static str, Vec<String>>,
    secrets: BTreeMap<&'static str, Vec<SecretText>>,
    body: Option<Value>,
    /// Members of the body, by their names there.
    members: Map<String, Value>,
    extras: Vec<(String, String)>,
    /// How calls use stored responses.
    #[cfg(feature = "cache")]
    pub(crate) cache: generated_client::request::CacheControl,
}

/// Without secrets.
impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Arguments").field(&self.identity()).finish()
    }
}

/// Why an argument does not fit the operation.
#[derive(Debug)]
pub struct Refusal {
    name: String,
    problem: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Both may quote what was given.
        write!(f, "`{}` {}", visible(&self.name), visible(&self.problem))
    }
}

impl Refusal {
    pub(crate) fn new(name: &str, problem: impl fmt::Display) -> Self {
        Self {
            name: name.to_owned(),
            problem: problem.to_string(),
        }
    }
}

/// For generated code.
impl Arguments {
    /// Returns an argument that must be present.
    ///
    /// # Errors
    ///
    /// It is missing, or not a valid `T`.
    pub fn required<T: DeserializeOwned>(&self, name: &str) -> Result<T, Refusal> {
        self.optional(name)?
            .ok_or_else(|| Refusal::new(name, "is missing"))
    }

    /// Returns an argument, if it is present.
    ///
    /// # Errors
    ///
    /// It is not a valid `T`.
    pub fn optional<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let value = self.values.get(name).cloned();
        let read = value.map(serde_json::from_value).transpose();
        read.map_err(|error| Refusal::new(name, format_args!("is invalid: {error}")))
    }

    /// Returns the files of an argument, as parts of a body.
    pub fn parts(&self, name: &str) -> Vec<Part> {
        let files = self.files.get(name).into_iter().flatten();
        files
            .map(|(name, bytes)| Part::new(bytes.clone()).file_name(name))
            .collect()
    }

    /// Returns the file of an argument that must be present, as a part of a body.
    ///
    /// # Errors
    ///
    /// It is missing.
    pub fn part(&self, name: &str) -> Result<Part, Refusal> {
        let first = self.parts(name).into_iter().next();
        first.ok_or_else(|| Refusal::new(name, "is missing"))
    }

    /// Returns the bytes of the file of an argument that must be present.
    ///
    /// # Errors
    ///
    /// It is missing.
    pub fn bytes(&self, name: &str) -> Result<Bytes, Refusal> {
        let first = self.files.get(name).and_then(|files| files.first());
        let (_, bytes) = first.ok_or_else(|| Refusal::new(name, "is missing"))?;
        Ok(bytes.clone())
    }

    /// Returns whether an argument is given.
    pub fn is_given(&self, name: &str) -> bool {
        let has_files = self.files.get(name).is_some_and(|files| !files.is_empty());
        has_files || self.values.contains_key(name)
    }

    /// Returns whether the body is given, or one of its members.
    pub fn has_body(&self) -> bool {
        self.body.is_some() || !self.members.is_empty()
    }

    /// Returns the body with the members that are given beside it.
    ///
    /// # Errors
    ///
    /// Nothing is given, it is not a valid `T`, or it would not be sent as it was given.
    pub fn body<T: DeserializeOwned + Serialize>(&self) -> Result<T, Refusal> {
        let members = self.members.clone();
        let body = match self.body.clone() {
            None if members.is_empty() => return Err(Refusal::new("body", "is missing")),
            None => members.into(),
            Some(Value::Object(mut body)) => {
                body.extend(members);
                body.into()
            }
            Some(body) if members.is_empty() => body,
            Some(_) => return Err(Refusal::new("body", "is not an object")),
        };
        let invalid = |error| Refusal::new("body", format_args!("is invalid: {error}"));
        let read: T = serde_json::from_value(body.clone()).map_err(invalid)?;
        let sent = serde_json::to_value(&read).map_err(invalid)?;
        match other_member(&body, &sent) {
            Some(name) => Err(Refusal::new(
                "body",
                format_args!("has a member `{name}` that is not documented, or lacks its own"),
            )),
            None => Ok(read),
        }
    }

    /// Adds undocumented query parameters to a call, and how it uses stored responses.
    #[cfg_attr(
        not(feature = "cache"),
        expect(unused_mut, reason = "only a cache changes its options")
    )]
    pub fn with_extras<C: generated_client::Call>(&self, mut call: C) -> C {
        #[cfg(feature = "cache")]
        {
            call.options_mut().cache = self.cache;
        }
        let extras = self.extras.iter();
        extras.fold(call, |call, (name, value)| call.extra_query(name, value))
    }
}

/// Returns the first member that only one of a given and a sent value has: types leave out what they do not know, and fill in what a response
/// may lack. A list without elements, and null, may be left out.
fn other_member<'v>(given: &'v Value, sent: &'v Value) -> Option<&'v str> {
    match (given, sent) {
        (Value::Object(given), Value::Object(sent)) => {
            let only_sent = sent.iter().find(|(name, value)| {
                let is_made_up = value.as_str() == Some("") || is_empty_list(value);
                is_made_up && !given.contains_key(*name)
            });
            let in_given = given.iter().find_map(|(name, value)| match sent.get(name) {
                Some(sent) => other_member(value, sent),
                None if value.is_null() || is_empty_list(value) => None,
                None => Some(name.as_str()),
            });
            in_given.or(only_sent.map(|(name, _)| name.as_str()))
        }
        (Value::Array(given), Value::Array(sent)) => {
            let mut pairs = given.iter().zip(sent);
            pairs.find_map(|(given, sent)| other_member(given, sent))
        }
        _ => None,
    }
}

fn is_empty_list(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}

impl Arguments {
    /// Adds an argument with everything that was given for it.
    pub(crate) fn give(&mut self, argument: &Argument, given: &[String]) -> Result<(), Refusal> {
        let name = argument.name;
        if matches!(argument.kind, Kind::File | Kind::Secret) {
            self.paths.insert(name, given.to_vec());
        }
        if argument.kind == Kind::File {
            let read = given.iter().map(|path| {
                let bytes = read(path)
                    .map_err(|error| Refusal::new(name, format_args!("cannot be read: {error}")))?;
                let file_name = Path::new(path).file_name().unwrap_or_default();
                Ok((file_name.to_string_lossy().into_owned(), bytes.into()))
            });
            let read = read.collect::<Result<_, Refusal>>()?;
            self.files.insert(name, read);
            return Ok(());
        }
        let values = given.iter().map(|text| value(argument, text));
        let mut values = values.collect::<Result<Vec<_>, _>>()?;
        if argument.kind == Kind::Secret {
            let texts = values.iter().filter_map(Value::as_str);
            self.secrets.insert(name, texts.map(Into::into).collect());
        }
        let value = if argument.is_list {
            Some(Value::Array(values))
        } else {
            values.pop()
        };
        if let Some(value) = value {
            self.give_json(argument, value);
        }
        Ok(())
    }

    /// Adds an argument as JSON. Nothing is read from a file.
    pub(crate) fn give_json(&mut self, argument: &Argument, value: Value) {
        if let Some(member) = argument.member {
            self.members.insert(member.to_owned(), value.clone());
        } else if argument.is_body {
            self.body = Some(value.clone());
        }
        self.values.insert(argument.name, value);
    }

    /// Adds a query parameter that is not documented, as `name=value`.
    pub(crate) fn add_extra(&mut self, given: &str) -> Result<(), Refusal> {
        let Some((name, value)) = given.split_once('=') else {
            let problem = format!("is `{given}`: write it as NAME=VALUE");
            return Err(Refusal::new("extra", problem));
        };
        self.extras.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Returns the arguments that identify a run. Files and secrets are identified by their paths only.
    pub(crate) fn identity(&self) -> Value {
        let mut all = Map::new();
        for (name, value) in &self.values {
            all.insert((*name).to_owned(), value.clone());
        }
        for (name, paths) in &self.paths {
            all.insert((*name).to_owned(), paths.iter().cloned().collect());
        }
        if !self.extras.is_empty() {
            let extras = self.extras.iter();
            let extras = extras.map(|(name, value)| format!("{name}={value}"));
            all.insert("--extra".to_owned(), extras.collect());
        }
        Value::Object(all)
    }

    /// Returns the secrets, which must never be shown.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &SecretText> {
        self.secrets.values().flatten()
    }
}

fn value(argument: &Argument, text: &str) -> Result<Value, Refusal> {
    let name = argument.name;
    let refused = |what: &str| {
        // The value may be a secret: the message does not repeat it.
        Refusal::new(name, format_args!("is not {what}"))
    };
    match argument.kind {
        Kind::Text | Kind::File => Ok(text.into()),
        Kind::Number => {
            let number: Number = serde_json::from_str(text).map_err(|_| refused("a number"))?;
            Ok(number.into())
        }
        Kind::Boolean => {
            let boolean: bool = text.parse().map_err(|_| refused("`true` or `false`"))?;
            Ok(boolean.into())
        }
        Kind::Json => {
            let read = text.strip_prefix('@').map(read).transpose();
            let read =
                read.map_err(|error| Refusal::new(name, format_args!("cannot be read: {error}")))?;
            let json = read.as_deref().unwrap_or(text.as_bytes());
            serde_json::from_slice(json)
                .map_err(|error| Refusal::new(name, format_args!("is not JSON: {error}")))
        }
        Kind::Secret => {
            let bytes = read(text)
                .map_err(|error| Refusal::new(name, format_args!("cannot be read: {error}")))?;
            let text = String::from_utf8(bytes).map_err(|_| refused("valid UTF-8"))?;
            Ok(text.trim_end_matches(['\r', '\n']).into())
        }
    }
}

/// Reads a file, or standard input if `path` is `-`.
pub(crate) fn read(path: &str) -> io::Result<Vec<u8>> {
    match path {
        "-" => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Ok(bytes)
        }
        path => fs::read(path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", visible(path)))),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Owner {
        #[serde(default)]
        name: String,
    }

    #[derive(Debug, Serialize, Deserialize)]
    struct Body {
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        owner: Option<Owner>,
    }

    #[test]
    fn a_body_is_sent_as_it_is_given_or_not_at_all() {
        for (body, problem) in [
            (json!({"text": "", "owner": {"name": "a"}}), None),
            (json!({"text": null}), None),
            (json!({}), None),
            (json!({"txet": ""}), Some("`txet`")),
            (json!({"owner": {"name": "a", "nmae": 1}}), Some("`nmae`")),
            // The type would make a name up.
            (json!({"owner": {}}), Some("`name`")),
            (json!([1]), Some("invalid")),
        ] {
            let arguments = Arguments {
                body: Some(body.clone()),
                ..Arguments::default()
            };
            match (arguments.body::<Body>(), problem) {
                (Ok(_), None) => {}
                (Err(refusal), Some(problem)) => {
                    assert!(refusal.to_string().contains(problem), "{refusal}");
                }
                (read, _) => panic!("{body}: {read:?}"),
            }
        }
        let missing = Arguments::default().body::<Body>().unwrap_err();
        assert!(missing.to_string().contains("is missing"), "{missing}");
        let members = Arguments {
            body: Some(json!("text")),
            members: [("text".to_owned(), json!("a"))].into_iter().collect(),
            ..Arguments::default()
        };
        let refusal = members.body::<Body>().unwrap_err();
        assert!(refusal.to_string().contains("not an object"), "{refusal}");
    }
}
