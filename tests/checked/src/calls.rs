//! What emitted code says of a client: how each of its operations is called with what is given as JSON.

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
    /// Its id.
    pub id: &'static str,
    /// Its method, in upper case.
    pub method: &'static str,
    /// The template of its path.
    pub path: &'static str,
    /// The media types in which the client sends a body.
    pub media_types: &'static [&'static str],
    /// Makes the call of what is given.
    pub send: fn(&C, &Given) -> Result<Sending, Refusal>,
    /// How it pages, as JSON, if it does.
    pub list: Option<&'static str>,
    /// What reads its responses and writes them again, by status code; `2XX` is each success.
    pub reads: &'static [(&'static str, Read)],
}

/// A call that can be made.
pub struct Sending {
    /// Makes it once.
    pub once: Made<()>,
    /// Makes a call for each page, and has all records.
    pub all: Option<Made<Vec<Value>>>,
}

/// What a call brings, once it is waited for.
pub type Made<T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send>>;

/// What reads JSON as a type of a client, and writes it again; an error says why it is not that type.
pub type Read = fn(&Value) -> Result<Value, String>;

/// Why what is given is not what a client takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

/// A request as it is meant: parameters by place and name, and a body with its media type.
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

    /// Whether a value is there. A null in a form is none.
    pub fn has(&self, place: &str, name: &str) -> bool {
        self.get(place, name).is_some_and(|value| !value.is_null())
    }

    /// Whether null is there.
    pub fn is_null(&self, place: &str, name: &str) -> bool {
        self.get(place, name).is_some_and(Value::is_null)
    }

    /// A value that is there, as the type that a client takes.
    ///
    /// # Errors
    ///
    /// It is not there, or is no `T`.
    pub fn required<T: DeserializeOwned>(&self, place: &str, name: &str) -> Result<T, Refusal> {
        let value = self.get(place, name).cloned().unwrap_or_default();
        serde_json::from_value(value).map_err(|error| Refusal(format!("{place} `{name}`: {error}")))
    }

    /// Whether there is a body.
    pub fn has_body(&self) -> bool {
        self.body.is_some()
    }

    /// The media type of the body.
    pub fn media_type(&self) -> Option<&str> {
        self.body
            .as_ref()
            .map(|(media_type, _)| media_type.as_str())
    }

    /// The body, as the type that a client takes.
    ///
    /// # Errors
    ///
    /// It is no `T`.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let value = self.body.as_ref().map(|(_, value)| value.clone());
        serde_json::from_value(value.unwrap_or_default())
            .map_err(|error| Refusal(format!("body: {error}")))
    }

    /// The members of the body.
    pub fn members(&self) -> impl Iterator<Item = (&str, &Value)> {
        let members = self.body.iter().filter_map(|(_, value)| value.as_object());
        members
            .flatten()
            .map(|(name, value)| (name.as_str(), value))
    }
}

/// The call of a client as [`Sending`].
pub fn sending<T, E: Display>(
    call: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Sending {
    Sending {
        once: Box::pin(async { call.await.map(drop).map_err(|error| error.to_string()) }),
        all: None,
    }
}

/// The call of a client that pages, and its records.
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

/// Reads JSON as a type, and writes it again.
///
/// # Errors
///
/// It is no `T`, or cannot be written.
pub fn again<T: Serialize + DeserializeOwned>(value: &Value) -> Result<Value, String> {
    let read: T = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    serde_json::to_value(&read).map_err(|error| error.to_string())
}
