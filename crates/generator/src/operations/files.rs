//! The files of operations: a module for each builder, the client, and the tables of responses.

use openapi_document::finding::{DocumentError, Finding};
use openapi_model::Model;
use openapi_overrides::OverrideReport;
use syn::visit::{self, Visit};

use super::builder::Builder;

/// A generated source file, not yet formatted.
pub struct Module {
    /// Name of the module.
    pub name: String,
    /// Its items.
    pub file: syn::File,
}

/// Emits the builder of each operation.
pub fn operations(model: &Model, report: &OverrideReport) -> Result<Vec<Module>, DocumentError> {
    model
        .operations
        .iter()
        .map(|operation| {
            Ok(Module {
                name: operation.rust_name.clone(),
                file: parse(Builder::new(model, report, operation).emit(), &operation.id)?,
            })
        })
        .collect()
}

/// Emits the client: configuration, and one method per operation.
pub fn client(model: &Model, report: &OverrideReport) -> Result<syn::File, DocumentError> {
    parse(super::client::emit(model, report), "client")
}

/// Emits the handles of the client, a module each.
pub fn handles(model: &Model) -> Result<Vec<Module>, DocumentError> {
    let handles = model.handles.iter().map(|handle| {
        Ok(Module {
            name: handle.name.clone(),
            file: parse(super::handles::emit(model, handle), &handle.name)?,
        })
    });
    handles.collect()
}

/// Emits the command line.
pub fn commands(model: &Model) -> Result<syn::File, DocumentError> {
    parse(super::commands::emit(model), "command line")
}

/// Emits the table of the calls of a client, for a program that makes them.
pub fn calls(model: &Model) -> Result<syn::File, DocumentError> {
    syn::parse2(super::calls::emit(model)).map_err(|error| unparsed("calls", &error))
}

/// Emits the tables of documented responses.
pub fn shapes(model: &Model) -> Result<syn::File, DocumentError> {
    parse(super::shapes::tables(model), "shapes")
}

/// Parses emitted code, and imports the module of types where a path begins with it.
fn parse(tokens: proc_macro2::TokenStream, of: &str) -> Result<syn::File, DocumentError> {
    let mut file: syn::File = syn::parse2(tokens).map_err(|error| unparsed(of, &error))?;
    let mut types = Types(false);
    types.visit_file(&file);
    if types.0 {
        let imports = file.items.iter();
        let imports = imports.take_while(|item| matches!(item, syn::Item::Use(_)));
        let import = syn::parse_quote!(
            use crate::types;
        );
        file.items.insert(imports.count(), import);
    }
    Ok(file)
}

fn unparsed(of: &str, error: &syn::Error) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "emitted-code",
        of,
        format!("the code emitted for `{of}` does not parse: {error}"),
        "this is a defect of the generator: reduce the document to this operation and report it",
    )])
}

/// Is true if a path begins with `types`.
struct Types(bool);

impl<'ast> Visit<'ast> for Types {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let first = path.segments.first().filter(|_| path.segments.len() > 1);
        self.0 |= path.leading_colon.is_none() && first.is_some_and(|one| one.ident == "types");
        visit::visit_path(self, path);
    }
}
