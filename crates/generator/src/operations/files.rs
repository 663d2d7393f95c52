//! The files of operations: a module of builders for each tag, and the client.

use openapi_document::finding::DocumentError;
use openapi_model::{Model, Operation};
use openapi_overrides::OverrideReport;
use proc_macro2::TokenStream;
use syn::visit::{self, Visit};

use super::builder::Builder;
use crate::types::unparsed;

/// The module of operations without a tag.
const UNTAGGED: &str = "untagged";

/// A generated source file, not yet formatted.
pub struct Module {
    /// Name of the module.
    pub name: String,
    /// The feature that has it; `None` when it is always there.
    pub feature: Option<String>,
    /// Its items.
    pub file: syn::File,
}

/// Emits the builder of each operation, in a module for each tag.
pub fn operations(model: &Model, report: &OverrideReport) -> Result<Vec<Module>, DocumentError> {
    let mut operations: Vec<&Operation> = model.operations.iter().collect();
    operations.sort_unstable_by_key(|one| (module(one), &one.rust_name));
    let mut modules: Vec<Module> = Vec::new();
    for operation in operations {
        let builder = Builder::new(model, report, operation).emit();
        let file = items(builder, &operation.id)?;
        match modules.last_mut() {
            Some(last) if last.name == module(operation) => last.file.items.extend(file.items),
            _ => modules.push(Module {
                name: module(operation).to_owned(),
                feature: model.feature(operation).map(str::to_owned),
                file,
            }),
        }
    }
    for module in &mut modules {
        import_types(&mut module.file);
    }
    Ok(modules)
}

fn module(operation: &Operation) -> &str {
    operation.module.as_deref().unwrap_or(UNTAGGED)
}

/// Emits the client: configuration, and one method per operation.
pub fn client(model: &Model, report: &OverrideReport) -> Result<syn::File, DocumentError> {
    parse(super::client::emit(model, report), "client")
}

/// Emits the handles of the client, a module each.
pub fn handles(model: &Model) -> Result<Vec<Module>, DocumentError> {
    let handles = model.handles.iter().map(|handle| {
        let mut operations = model.operations.iter();
        let behind = operations.find(|one| one.handle.as_ref() == Some(&handle.name));
        let feature = behind.and_then(|one| model.feature(one));
        Ok(Module {
            name: handle.name.clone(),
            feature: feature.map(str::to_owned),
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
    items(super::calls::emit(model), "calls")
}

/// Parses emitted code, and imports the module of types where a path begins with it.
fn parse(tokens: TokenStream, of: &str) -> Result<syn::File, DocumentError> {
    let mut file = items(tokens, of)?;
    import_types(&mut file);
    Ok(file)
}

fn items(tokens: TokenStream, of: &str) -> Result<syn::File, DocumentError> {
    syn::parse2(tokens).map_err(|error| unparsed(of, &error))
}

fn import_types(file: &mut syn::File) {
    let mut types = Types(false);
    types.visit_file(file);
    if types.0 {
        let imports = file.items.iter();
        let imports = imports.take_while(|item| matches!(item, syn::Item::Use(_)));
        let import = syn::parse_quote!(
            use crate::types;
        );
        file.items.insert(imports.count(), import);
    }
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
