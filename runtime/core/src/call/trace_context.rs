//! Trace context: headers by which a service continues the trace of a program.

use std::sync::Arc;

use http::HeaderMap;

/// Writes the headers for the current span.
pub(crate) type TraceContext = Arc<dyn Fn(&mut HeaderMap) + Send + Sync>;

/// The headers of W3C Trace Context and Baggage.
const NAMES: [&str; 3] = ["traceparent", "tracestate", "baggage"];

/// Adds the headers of the current span to those of a request. Those of the caller stay.
pub(super) fn add_trace_context(write: &TraceContext, headers: &mut HeaderMap) {
    // Not the headers of the request: they have credentials.
    let mut context = HeaderMap::new();
    write(&mut context);
    for name in NAMES {
        if let Some(value) = context.remove(name)
            && !headers.contains_key(name)
        {
            headers.insert(name, value);
        }
    }
}
