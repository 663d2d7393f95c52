//! A subscriber that keeps all spans and events with their fields.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use tokio::time::Instant;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};

#[derive(Clone, Default)]
pub(crate) struct Recorder(Arc<Mutex<Recorded>>);

#[derive(Default)]
pub(crate) struct Recorded {
    pub(crate) spans: Vec<Span>,
    pub(crate) events: Vec<(Level, Fields)>,
    /// The declared metadata of each span and event: its name or message, its level and target, and all its fields.
    pub(crate) declared: Vec<(String, &'static Metadata<'static>)>,
    entered: Vec<Id>,
}

pub(crate) struct Span {
    pub(crate) name: &'static str,
    /// Index of the span that this one was made in.
    pub(crate) parent: Option<usize>,
    pub(crate) fields: Fields,
    pub(crate) began: Instant,
    /// When its last handle was dropped.
    pub(crate) ended: Option<Instant>,
    handles: usize,
}

pub(crate) type Fields = BTreeMap<&'static str, String>;

struct Collect<'f>(&'f mut Fields);

impl Visit for Collect<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Recorder {
    /// Records spans and events of this thread until the returned guard is dropped.
    pub(crate) fn listen(&self) -> (DefaultGuard, Dispatch) {
        // Beside a second one: while there is only one, a span that another thread meets first is off for this one, too.
        (set_default(self.clone()), Dispatch::new(self.clone()))
    }

    pub(crate) fn take(&self) -> Recorded {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// Returns the name of the span that was entered last.
    pub(crate) fn current(&self) -> &'static str {
        let recorded = self.0.lock().unwrap();
        let id = recorded.entered.last();
        id.map_or("none", |id| recorded.spans[index(id)].name)
    }

    fn with<T>(&self, id: &Id, change: impl FnOnce(&mut Span) -> T) -> T {
        change(&mut self.0.lock().unwrap().spans[index(id)])
    }
}

fn index(id: &Id) -> usize {
    id.into_u64() as usize - 1
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        attributes.record(&mut Collect(&mut fields));
        let mut recorded = self.0.lock().unwrap();
        let parent = recorded.entered.last().map(index);
        let metadata = attributes.metadata();
        recorded
            .declared
            .push((metadata.name().to_owned(), metadata));
        recorded.spans.push(Span {
            name: attributes.metadata().name(),
            parent,
            fields,
            began: Instant::now(),
            ended: None,
            handles: 1,
        });
        Id::from_u64(recorded.spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        self.with(id, |span| values.record(&mut Collect(&mut span.fields)));
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Collect(&mut fields));
        let metadata = event.metadata();
        let mut recorded = self.0.lock().unwrap();
        let message = fields.get("message").cloned().unwrap_or_default();
        recorded.declared.push((message, metadata));
        recorded.events.push((*metadata.level(), fields));
    }

    fn enter(&self, id: &Id) {
        self.0.lock().unwrap().entered.push(id.clone());
    }

    fn exit(&self, _: &Id) {
        self.0.lock().unwrap().entered.pop();
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.with(id, |span| span.handles += 1);
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        self.with(&id, |span| {
            span.handles -= 1;
            if span.handles == 0 {
                span.ended = Some(Instant::now());
            }
            span.handles == 0
        })
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
}
