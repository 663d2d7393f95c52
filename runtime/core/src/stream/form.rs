//! The documented form of stream items.

/// The form of an item in a stream of events. For generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventForm {
    /// The item is the JSON data of an event.
    Data,
    /// The item is an object of `event`, `data`, `id` and `retry`. Its data is JSON, except in events of these types.
    Event {
        /// The types of events whose data is text.
        texts: &'static [&'static str],
    },
    /// The item is the same object, with text data in all events.
    Text,
    /// The item is the data of an event, as a string.
    TextData,
}

impl EventForm {
    /// Returns whether the data of events of this type is text.
    pub(super) fn is_text(self, event: &str) -> bool {
        match self {
            Self::Data => false,
            Self::Event { texts } => texts.contains(&event),
            Self::Text | Self::TextData => true,
        }
    }
}

/// The data of the event by which many services end a stream of JSON. It is not JSON itself.
pub(super) const END: &str = "[DONE]";
