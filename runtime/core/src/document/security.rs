//! The credentials of an API, and the servers of single operations, in generated code.

/// One security scheme of an API's document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// Its name in the document.
    pub name: &'static str,
    /// The end of its environment variable, after the API's prefix: with `EXAMPLE` and `BOT_TOKEN`, the variable is `EXAMPLE_BOT_TOKEN`.
    /// [`Carrier::Basic`] has two, which end in `_USER` and `_PASSWORD`.
    pub variable: &'static str,
    /// How its credential is sent.
    pub carrier: Carrier,
}

/// How a credential is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Carrier {
    /// As the complete value of this header.
    Header(&'static str),
    /// As a query parameter of this name.
    Query(&'static str),
    /// As a cookie of this name.
    Cookie(&'static str),
    /// As `Authorization: Bearer <token>`. Only these credentials can come from a token provider.
    Bearer,
    /// As `Authorization: Basic <user name and password in Base64>`.
    Basic,
    /// As the complete value of `Authorization`, which the caller composes.
    Authorization,
}

/// The security of an operation: alternatives in order of preference. Each lists the names of schemes that are needed together; an empty
/// one allows calls without credentials. Without alternatives, no credentials are sent.
pub type Security = &'static [&'static [&'static str]];

/// A server that the document gives to single operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnServer {
    /// Its address, absolute and without variables.
    pub url: &'static str,
    /// The documented addresses of the API. A client of one of them calls the operation at `url` if it sends no credentials. Otherwise
    /// [`ClientBuilder::server`](crate::ClientBuilder::server) must name the address.
    pub beside: &'static [&'static str],
}
