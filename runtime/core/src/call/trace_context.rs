//! Trace context: headers by which a service continues the trace of a program.

use std::sync::Arc;

use http::HeaderMap;

use crate::call::state::CallState;

/// Writes the headers for the current span.
pub(crate) type TraceContext = Arc<dyn Fn(&mut HeaderMap) + Send + Sync>;

/// The headers of W3C Trace Context and Baggage.
const NAMES: [&str; 3] = ["traceparent", "tracestate", "baggage"];

impl CallState<'_> {
    /// Adds the headers of the trace to the next request, within the span of its attempt. Those of the caller stay.
    pub(super) fn add_trace_context(&mut self) {
        let Some(write) = &self.engine.trace_context else {
            return;
        };
        // Not the headers of the request: they have credentials.
        let mut context = HeaderMap::new();
        write(&mut context);
        let headers = self.message.headers_mut();
        for name in NAMES {
            if let Some(value) = context.remove(name)
                && !headers.contains_key(name)
            {
                headers.insert(name, value);
            }
        }
    }
}
