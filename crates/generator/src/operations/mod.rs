//! Turns operations into request builders on top of the runtime: one module per operation, and the client that makes them.
//! Everything generic over operations is in the runtime, which compiles once.

mod access;
mod bodies;
mod body_type;
mod builder;
mod calls;
mod charge;
mod checks;
mod client;
mod command_argument;
mod command_body;
mod commands;
mod docs;
mod examples;
mod fields;
mod files;
mod handles;
mod lists;
mod members;
mod output;
mod paging;
mod parts;
mod paths;
mod prices;
mod records;
mod request;
mod samples;
mod servers;
mod shown;
mod styles;
mod value;
mod waiting;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

pub(crate) use access::has_credentials;
pub use charge::own as own_charge;
pub use files::{Module, calls, client, commands, handles, operations};
pub use lists::with_statements;
pub(crate) use members::{has_checks, has_formats, has_patterns};
pub(crate) use samples::{paged_samples, sample};
pub(crate) use servers::server_types;
pub(crate) use shown::{DocumentedError, Shown, Stream, shown};

/// Returns an option as an expression.
fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}
