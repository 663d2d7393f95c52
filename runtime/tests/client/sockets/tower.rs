//! Layers of tower around the built-in transport, and services of tower in its place.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Cursor;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use metered_client::error::{TransportError, TransportErrorKind};
use metered_client::request::Body;
use metered_client::transport::{BodyStream, BoxFuture, RequestBody};
use metered_client::{Bytes, Client, ClientBuilder, Error, Method, Outcome, http};
use serde_json::Value;
use tower::limit::ConcurrencyLimitLayer;
use tower::{Layer, Service as _, layer::layer_fn, service_fn};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::trace::TraceLayer;
use tracing::Level;

use super::service::{PLAIN, PLAIN_LIST, Service, response};
use crate::support::api::{API, KEY};
use crate::support::scripted_client::{PAID, call};
use crate::support::span_recorder::Recorder;
use crate::support::sockets::deserted;
