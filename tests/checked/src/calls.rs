//! The operations of a client as data, written by the generator: how to call each with arguments given as JSON.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::future::poll_fn;
use std::pin::Pin;

use futures_core::Stream;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// An operation of a client.
pub struct Call<C: 'static> {
    /// Identifier of the operation.
    pub id: &'static str,
    /// Method, in upper case.
    pub method: &'static str,
    /// Path template.
    pub path: &'static str,
    /// Media types in which the client sends a body.
    pub media_types: &'static [&'static str],
    /// Builds the call from its arguments.
    pub send: fn(&C, &Given) -> Result<Sending, Refusal>,
    /// Paging statement as JSON, if the operation is paged.
    pub list: Option<&'static str>,
    /// Decoders of its responses by status code; `2XX` is every success.
    pub reads: &'static [(&'static str, Read)],
}

/// A call that can be sent.
pub struct Sending {
    /// Sends it once.
    pub once: Made<()>,
    /// Sends a call for each page, and returns all records.
    pub all: Option<Made<Vec<Value>>>,
}

/// Future result of a call.
pub type Made<T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send>>;

/// Decodes JSON as a type of a client and serializes it again; fails if it is not that type.
pub type Read = fn(&Value) -> Result<Value, String>;

/// The reason why arguments do not fit a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

/// Arguments of a request: parameters by place and name, and a body with its media type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// The parameters.
    pub parameters: BTreeMap<(String, String), Value>,
    /// The body.
    pub body: Option<(String, Value)>,
}

impl Given {
    fn get(&self, place: &str, name: &str) -> Option<&Value> {
        match place {
            "body" => self.body.as_ref()?.1.get(name),
            _ => self.parameters.get(&(place.to_owned(), name.to_owned())),
        }
    }

    /// Returns whether a value is given. A null in a form does not count.
    pub fn has(&self, place: &str, name: &str) -> bool {
        self.get(place, name).is_some_and(|value| !value.is_null())
    }

    /// Returns a given value as the type that a client takes.
    ///
    /// # Errors
    ///
    /// The value is missing, or is not a `T`.
    pub fn required<T: DeserializeOwned>(&self, place: &str, name: &str) -> Result<T, Refusal> {
        let value = self.get(place, name).cloned().unwrap_or_default();
        serde_json::from_value(value).map_err(|error| Refusal(format!("{place} `{name}`: {error}")))
    }

    /// Returns whether there is a body.
    pub fn has_body(&self) -> bool {
        self.body.is_some()
    }

    /// Returns the media type of the body.
    pub fn media_type(&self) -> Option<&str> {
        self.body
            .as_ref()
            .map(|(media_type, _)| media_type.as_str())
    }

    /// Returns the body as the type that a client takes.
    ///
    /// # Errors
    ///
    /// The body is not a `T`.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let value = self.body.as_ref().map(|(_, value)| value.clone());
        serde_json::from_value(value.unwrap_or_default())
            .map_err(|error| Refusal(format!("body: {error}")))
    }

    /// Returns the members of the body.
    pub fn members(&self) -> impl Iterator<Item = (&str, &Value)> {
        let members = self.body.iter().filter_map(|(_, value)| value.as_object());
        members
            .flatten()
            .map(|(name, value)| (name.as_str(), value))
    }
}

/// Wraps the call of a client as [`Sending`].
pub fn sending<T, E: Display>(
    call: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Sending {
    Sending {
        once: Box::pin(async { call.await.map(drop).map_err(|error| error.to_string()) }),
        all: None,
    }
}

/// Wraps the paged call of a client, and its records.
pub fn listing<T, E: Display>(
    call: impl Future<Output = Result<T, E>> + Send + 'static,
    records: impl Stream<Item = Result<Value, E>> + Unpin + Send + 'static,
) -> Sending {
    let mut records = records;
    let all = async move {
        let mut all = Vec::new();
        while let Some(record) = poll_fn(|context| Pin::new(&mut records).poll_next(context)).await
        {
            all.push(record.map_err(|error| error.to_string())?);
        }
        Ok(all)
    };
    Sending {
        all: Some(Box::pin(all)),
        ..sending(call)
    }
}

/// Decodes JSON as a type and serializes it again.
///
/// # Errors
///
/// The value is not a `T`, or cannot be serialized.
pub fn again<T: Serialize + DeserializeOwned>(value: &Value) -> Result<Value, String> {
    let read: T = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    serde_json::to_value(&read).map_err(|error| error.to_string())
}
