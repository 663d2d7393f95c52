//! A subscriber that writes down every span and event of every crate, in full.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default};
use tracing::{Dispatch, Event, Metadata, Subscriber};

#[derive(Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<String>>);

impl Trace {
    /// Listens on this thread, until the returned guard is dropped.
    pub(crate) fn listen(&self) -> (DefaultGuard, Dispatch) {
        // A second subscriber is needed: with only one, a span that another thread enters first is off for this thread.
        (set_default(self.clone()), Dispatch::new(self.clone()))
    }

    pub(crate) fn said(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    fn write(&self, metadata: Option<&Metadata<'_>>, record: impl FnOnce(&mut Line)) {
        let mut line = Line(String::new());
        if let Some(metadata) = metadata {
            line.0 = format!("{} {}", metadata.target(), metadata.name());
        }
        record(&mut line);
        *self.0.lock().unwrap() += &(line.0 + "\n");
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Subscriber for Trace {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        self.write(Some(attributes.metadata()), |line| attributes.record(line));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        self.write(None, |line| values.record(line));
    }

    fn event(&self, event: &Event<'_>) {
        self.write(Some(event.metadata()), |line| event.record(line));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}
}
