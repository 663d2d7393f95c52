//! How requests reach the service: the trait of a transport of your own.

pub(crate) mod base_url;
pub(crate) mod body_stream;
pub(crate) mod bounds;
pub(crate) mod clock;
pub(crate) mod encode;
pub(crate) mod network;
pub(crate) mod server_url;
pub(crate) mod timeouts;
#[expect(
    clippy::module_inception,
    reason = "the room has the name of its trait"
)]
pub(crate) mod transport;

pub use body_stream::BodyStream;
pub use server_url::server_url;
pub use transport::{BoxFuture, Transport};
