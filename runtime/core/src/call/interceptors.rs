//! The interceptors of a client. Several of them act as one: each admits an attempt in order, and they end it in reverse order.

use std::any::Any;
use std::sync::Arc;

use tracing::Span;

use crate::future::BoxFuture;
use crate::interceptor::{
    Admission, AttemptEnd, AttemptSpan, Denial, Interceptor, NextAttempt, Noticed, Record, Records,
    Repetition, Settled, SharedPause,
};
use crate::request::request::Request;

/// The interceptors in their order, each of another type.
#[derive(Clone, Default)]
pub(crate) struct Interceptors(Vec<Arc<dyn Interceptor>>);

impl Interceptors {
    pub(crate) fn new(first: Option<Arc<dyn Interceptor>>) -> Self {
        Self(first.into_iter().collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get<I: Interceptor>(&self) -> Option<&I> {
        self.0.iter().find_map(|one| as_type(&**one))
    }

    /// Replaces the interceptor of this type, or adds it after the others.
    pub(crate) fn put<I: Interceptor>(&mut self, interceptor: I) {
        let interceptor: Arc<dyn Interceptor> = Arc::new(interceptor);
        let mut all = self.0.iter_mut();
        match all.find(|one| as_type::<I>(&***one).is_some()) {
            Some(present) => *present = interceptor,
            None => self.0.push(interceptor),
        }
    }

    /// Admits an attempt; `None` without interceptors.
    pub(crate) async fn admit(
        &self,
        next: NextAttempt<'_>,
    ) -> Result<Option<Box<dyn Admission>>, Denial> {
        let several = match self.0.as_slice() {
            [] => return Ok(None),
            [one] => return Ok(Some(one.admit(next).await?)),
            several => several,
        };
        let mut all = Vec::new();
        for one in several {
            all.push(one.admit(next).await?);
        }
        Ok(Some(Box::new(Admissions(all))))
    }

    /// Returns the longest pause that other processes asked for, and when a person last ended one.
    pub(crate) fn shared_pause(&self) -> Option<SharedPause> {
        let all = self.0.iter().filter_map(|one| one.shared_pause());
        all.reduce(|a, b| SharedPause {
            ended: a.ended.max(b.ended),
            left: a.left.max(b.left),
        })
    }

    pub(crate) fn end_shared_pause(&self) {
        for one in &self.0 {
            one.end_shared_pause();
        }
    }

    pub(crate) fn named_operations(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|one| one.named_operations())
    }
}

fn as_type<I: Interceptor>(interceptor: &dyn Interceptor) -> Option<&I> {
    let interceptor: &dyn Any = interceptor;
    interceptor.downcast_ref()
}

/// The admissions of one attempt, in the order of the interceptors.
struct Admissions(Vec<Box<dyn Admission>>);

impl Admission for Admissions {
    fn is_current(&self, request: &Request) -> bool {
        self.0.iter().all(|one| one.is_current(request))
    }

    fn span(&self, attempt: AttemptSpan<'_>) -> Option<Span> {
        self.0.iter().find_map(|one| one.span(attempt))
    }

    fn start(&mut self, before: Option<&Record>) -> Record {
        let all = self.0.iter_mut().enumerate();
        let records = all.map(|(index, one)| one.start(Records::at(before, index)));
        Arc::new(Records(records.collect()))
    }

    fn watches(&self) -> Option<&'static str> {
        self.0.iter().find_map(|one| one.watches())
    }

    fn end(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        let watched = self.watches();
        let mut records = Vec::new();
        let mut pending = Vec::new();
        let mut repetition = Repetition::Free;
        let mut is_rejected = true;
        for (index, one) in self.0.into_iter().enumerate().rev() {
            let noticed = if one.watches() == watched {
                end.noticed
            } else {
                Noticed::Unread
            };
            let settled = one.end(AttemptEnd {
                noticed,
                before: Records::at(end.before, index),
                ..end.clone()
            });
            records.push(settled.record);
            pending.extend(settled.pending);
            repetition = repetition.max(settled.repetition);
            is_rejected &= settled.is_rejected;
        }
        records.reverse();
        let mut settled = Settled::new(Arc::new(Records(records)), repetition, is_rejected);
        settled.pending = (!pending.is_empty()).then(|| Box::pin(all_of(pending)) as _);
        settled
    }
}

async fn all_of(pending: Vec<BoxFuture<'static, ()>>) {
    for one in pending {
        one.await;
    }
}
