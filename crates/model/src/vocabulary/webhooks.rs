//! Requests that the service makes to its users.

use super::place::Place;

/// The group of the types that only webhooks have, in a crate that is split.
pub const GROUP: &str = "webhooks";

/// A request of the service to an address of the user. The crate has the type of its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Its name in the document.
    pub name: String,
    /// Its description in the document.
    pub text: Vec<String>,
    /// The schema of its JSON body.
    pub schema: Place,
}
