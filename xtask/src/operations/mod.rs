//! Operations to request builders on top of the runtime: one module per operation, and the client that makes them.
//! Everything generic over operations is in the runtime, which compiles once.

mod builder;
mod client;
mod docs;
mod paging;
mod prices;
mod request;
mod value;
mod waiting;

use crate::finding::{Finding, Stop};
use crate::openapi::{Model, Operation};
use crate::overrides::OverrideReport;

/// A generated source file, not yet formatted.
pub struct Module {
    /// Name of the module.
    pub name: String,
    /// Its items.
    pub file: syn::File,
}

/// Emits the builder of each operation.
pub fn operations(model: &Model, report: &OverrideReport) -> Result<Vec<Module>, Stop> {
    model
        .operations
        .iter()
        .map(|operation| {
            Ok(Module {
                name: operation.rust_name.clone(),
                file: parse(builder::emit(model, report, operation), &operation.id)?,
            })
        })
        .collect()
}

/// Emits the client: configuration, and one method per operation.
pub fn client(model: &Model, report: &OverrideReport) -> Result<syn::File, Stop> {
    parse(client::emit(model, report), "client")
}

fn parse(tokens: proc_macro2::TokenStream, of: &str) -> Result<syn::File, Stop> {
    syn::parse2(tokens).map_err(|error| {
        Stop::Findings(vec![Finding::about(
            "emitted-code",
            of,
            format!("the code emitted for `{of}` does not parse: {error}"),
            "this is a defect of the generator: reduce the document to this operation and report it",
        )])
    })
}

/// The type of a builder, for links in documentation.
fn builder_path(operation: &Operation) -> String {
    format!("crate::operations::{}", operation.type_name)
}

/// The type of a success response.
fn output(operation: &Operation) -> proc_macro2::TokenStream {
    match operation.success.as_ref() {
        None => quote::quote!(()),
        Some(schema) => match crate::openapi::reference(schema) {
            Some(name) => {
                let name = crate::names::ident(name);
                quote::quote!(types::#name)
            }
            None => quote::quote!(::serde_json::Value),
        },
    }
}
