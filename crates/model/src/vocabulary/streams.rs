//! The items of a response whose body is a stream.

use super::place::Place;

/// The items of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamItems {
    /// The schema of an item.
    pub schema: Place,
    /// The source of an item within an event, if the stream has events.
    pub form: EventForm,
}

/// The source of an item in a stream of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EventForm {
    /// The data, which is JSON. Other streams have nothing else.
    #[default]
    Data,
    /// The event with its data, which is JSON except in events of these types.
    Event(Vec<String>),
    /// The event with its data, which is text.
    Text,
    /// The data, which is text.
    TextData,
}
