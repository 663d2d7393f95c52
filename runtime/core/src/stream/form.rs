//! What the items of a stream are, where the document says it.

/// What an item of a stream of events is made of. For generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventForm {
    /// The data of an event, which is JSON.
    Data,
    /// The event as an object of `event`, `data`, `id` and `retry`. Its data is JSON, except in events of these types.
    Event {
        /// The types of events whose data is text.
        texts: &'static [&'static str],
    },
    /// The event as an object whose data is text.
    Text,
}

impl EventForm {
    /// Whether data that is no JSON can be the mark at the end of a stream.
    pub(super) fn has_end_mark(self) -> bool {
        self != Self::Text
    }

    /// Whether the data of events of this type is text.
    pub(super) fn is_text(self, event: &str) -> bool {
        match self {
            Self::Data => false,
            Self::Event { texts } => texts.contains(&event),
            Self::Text => true,
        }
    }
}

/// The data of the event by which many services end a stream of JSON. It is no JSON itself.
pub(super) const END: &str = "[DONE]";
