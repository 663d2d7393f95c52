//! Trace context: headers by which a service continues the trace of a program.

use std::sync::Arc;

use http::HeaderMap;

/// Writes the headers for the current span.
pub(crate) type TraceContext = Arc<dyn Fn(&mut HeaderMap) + Send + Sync>;

/// The headers of W3C Trace Context.
const TRACE: [&str; 2] = ["traceparent", "tracestate"];
const BAGGAGE: [&str; 1] = ["baggage"];

/// Adds the headers of the current span to those of a request. Those of the caller stay.
pub(super) fn add_trace_context(write: &TraceContext, headers: &mut HeaderMap) {
    // Not the headers of the request: they have credentials.
    let mut context = HeaderMap::new();
    write(&mut context);
    // The state of one trace says nothing of the parent in another.
    if !TRACE.iter().any(|name| headers.contains_key(*name)) {
        add(&TRACE, &context, headers);
    }
    if !headers.contains_key("baggage") {
        add(&BAGGAGE, &context, headers);
    }
}

/// Adds all lines of these headers.
fn add(names: &[&'static str], context: &HeaderMap, headers: &mut HeaderMap) {
    for name in names {
        for value in context.get_all(*name) {
            headers.append(*name, value.clone());
        }
    }
}
