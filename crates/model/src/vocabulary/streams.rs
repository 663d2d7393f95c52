//! The items of a response whose body is a stream.

use super::place::Place;

/// What a stream is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamItems {
    /// What an item is.
    pub schema: Place,
    /// What of an event it is, where the stream has events.
    pub form: EventForm,
}

/// What an item of a stream of events is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EventForm {
    /// The data, which is JSON. What is no event has none but it.
    #[default]
    Data,
    /// The event with its data, which is JSON except in events of these types.
    Event(Vec<String>),
    /// The event with its data, which is text.
    Text,
}
