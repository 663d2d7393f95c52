//! The interceptors of a client. Several of them act as one: each guards an attempt in order, and they end it in reverse order.

use std::any::Any;
use std::sync::Arc;

use tracing::Span;

use crate::future::BoxFuture;
use crate::interceptor::{
    AttemptEnd, AttemptSpan, Denial, Guard, Interceptor, NextAttempt, Record, Records, Settled,
};
use crate::request::request::Request;

/// The interceptors, each of another type.
#[derive(Clone, Default)]
pub(crate) struct Interceptors {
    /// Those of the program in the order in which it added them, then that of the API.
    all: Vec<Arc<dyn Interceptor>>,
    /// The number of those of the program.
    added: usize,
}

impl Interceptors {
    pub(crate) fn new(of_api: Option<Arc<dyn Interceptor>>) -> Self {
        Self {
            all: of_api.into_iter().collect(),
            added: 0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn get<I: Interceptor>(&self) -> Option<&I> {
        self.all.iter().find_map(|one| as_type(&**one))
    }

    /// Replaces the interceptor of this type, or adds it to those of the program.
    pub(crate) fn put<I: Interceptor>(&mut self, interceptor: I) {
        let interceptor: Arc<dyn Interceptor> = Arc::new(interceptor);
        let mut all = self.all.iter_mut();
        match all.find(|one| as_type::<I>(&***one).is_some()) {
            Some(present) => *present = interceptor,
            None => {
                self.all.insert(self.added, interceptor);
                self.added += 1;
            }
        }
    }

    /// Returns the record of a call that a stored response ended, by the interceptor of the API.
    #[cfg(feature = "cache")]
    pub(crate) fn stored(&self, request: &Request, record: Option<&str>) -> Option<Record> {
        self.all.last()?.stored(request, record)
    }

    /// Returns the guard of an attempt; `None` without interceptors.
    pub(crate) async fn before(
        &self,
        attempt: NextAttempt<'_>,
    ) -> Result<Option<Box<dyn Guard>>, Denial> {
        if let [one] = self.all.as_slice() {
            return Ok(Some(one.before(attempt).await?));
        }
        let mut guards = Vec::new();
        for one in &self.all {
            guards.insert(0, one.before(attempt).await?);
        }
        Ok((!guards.is_empty()).then(|| Box::new(Guards(guards)) as _))
    }

    pub(crate) fn problem(&self) -> Option<String> {
        self.all.iter().find_map(|one| one.problem())
    }

    pub(crate) fn named_operations(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flat_map(|one| one.named_operations())
    }
}

fn as_type<I: Interceptor>(interceptor: &dyn Interceptor) -> Option<&I> {
    let interceptor: &dyn Any = interceptor;
    interceptor.downcast_ref()
}

/// The guards of one attempt, in the order in which they end and are dropped: that of the last interceptor first.
struct Guards(Vec<Box<dyn Guard>>);

impl Guard for Guards {
    fn is_current(&self, request: &Request) -> bool {
        self.0.iter().all(|one| one.is_current(request))
    }

    fn span(&self, attempt: AttemptSpan<'_>) -> Option<Span> {
        self.0.iter().find_map(|one| one.span(attempt))
    }

    fn sent(&mut self, before: Option<&Record>) -> Option<Record> {
        let mut records = Vec::new();
        for (place, one) in self.0.iter_mut().enumerate() {
            let own = Records::at(before, place);
            records.push(one.sent(own).or_else(|| own.cloned()));
        }
        Records::join(records)
    }

    fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        let mut records = Vec::new();
        let mut pending = Vec::new();
        let mut together = Settled::default();
        for (place, one) in self.0.into_iter().enumerate() {
            let own = Records::at(end.before, place);
            let settled = one.ended(AttemptEnd {
                before: own,
                ..end.clone()
            });
            records.push(settled.record.or_else(|| own.cloned()));
            pending.extend(settled.pending);
            together.repetition = together.repetition.max(settled.repetition);
            together.may_be_processed |= settled.may_be_processed;
        }
        together.record = Records::join(records);
        together.pending = (!pending.is_empty()).then(|| Box::pin(all_of(pending)) as _);
        together
    }
}

async fn all_of(pending: Vec<BoxFuture<'static, ()>>) {
    for one in pending {
        one.await;
    }
}
