//! The calls of clients as files: those of a program that makes them, and those of several clients for a test.

use openapi_document::finding::DocumentError;
use openapi_model::Model;
use serde_json::Value;

use super::features::ALL;
use super::packaging::{Packaging, Sources};
use super::sources;
use super::tree::FileTree;
use super::vendored;
use crate::operations;

/// The program, as a template formatted as rustfmt does.
const MAIN: &str = "\
//! Makes the calls of a client against a service that checks them.

use std::process::ExitCode;

#[rustfmt::skip]
#[allow(deprecated, unused_variables)]
mod calls;

#[tokio::main]
async fn main() -> ExitCode {
    checked_tests::main(calls::DOCUMENT, calls::client, &calls::CALLS, &calls::TYPES).await
}
";

/// The program that serves a document.
const SERVE: &str = "\
//! Serves a document.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    checked_tests::serve().await
}
";

/// The calls of a client, as a module.
#[derive(Clone, Debug)]
pub struct Calls {
    /// The package of the client.
    pub package: String,
    /// Its feature with all operations, if it has one.
    features: Option<&'static str>,
    text: String,
}

impl Calls {
    /// Writes the calls of a client.
    ///
    /// # Errors
    ///
    /// Code that does not parse, which is a defect of the generator.
    pub fn of(model: &Model) -> Result<Self, DocumentError> {
        let package = model.package.name.clone();
        let text = sources::rust(operations::calls(model)?);
        Ok(Self {
            text: format!("//! The calls of `{package}`, for `checked-tests`.\n\n{text}"),
            features: (!model.groups.is_empty()).then_some(ALL),
            package,
        })
    }
}

/// The modules of several clients, each under a name.
pub fn calls_of(all: &[(String, Calls)]) -> FileTree {
    let mut tree = FileTree::new(&Packaging::default().command);
    for (name, calls) in all {
        tree.insert(&format!("{name}.rs"), calls.text.clone());
    }
    tree
}

/// The folder of a program's client.
pub const CLIENT: &str = "client";

/// A program that makes the calls of the client in its folder [`CLIENT`], against a service that knows the document. `checked` are the files of the
/// crate `checked-tests`, and `runtime` those of the runtime, for their versions.
///
/// # Errors
///
/// Files of other crates.
pub fn program(
    calls: &Calls,
    checked: Sources,
    runtime: Sources,
) -> Result<FileTree, DocumentError> {
    let mut tree = FileTree::new("openapi-crate conform");
    let package = &calls.package;
    let features = calls
        .features
        .map(|all| format!(", features = [\"{all}\"]"));
    tree.insert(
        "Cargo.toml",
        format!(
            "[package]\nname = \"check\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [workspace]\n\n\
             [profile.dev]\ndebug = false\n\n\
             [dependencies]\n\
             checked-tests = {{ path = \"checked\" }}\n\
             serde_json = \"1\"\n\
             {package} = {{ path = \"{CLIENT}\", default-features = false{} }}\n\
             tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n",
            features.unwrap_or_default(),
        ),
    );
    tree.insert("src/calls.rs", calls.text.clone());
    tree.insert("src/main.rs", MAIN.to_owned());
    service(&mut tree, checked, runtime)?;
    Ok(tree)
}

/// The file of a program's document.
pub const SERVED: &str = "document.yaml";

/// A program that serves a document, which is its file [`SERVED`].
///
/// # Errors
///
/// Files of other crates.
pub fn server(
    document: &Value,
    checked: Sources,
    runtime: Sources,
) -> Result<FileTree, DocumentError> {
    let mut tree = FileTree::new("openapi-crate serve");
    tree.insert(
        "Cargo.toml",
        "[package]\nname = \"serve\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [workspace]\n\n\
         [profile.dev]\ndebug = false\n\n\
         [dependencies]\n\
         checked-tests = { path = \"checked\" }\n\
         tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n"
            .to_owned(),
    );
    tree.insert(SERVED, document.to_string());
    tree.insert("src/main.rs", SERVE.to_owned());
    service(&mut tree, checked, runtime)?;
    Ok(tree)
}

/// Inserts the crate `checked-tests`.
fn service(tree: &mut FileTree, checked: Sources, runtime: Sources) -> Result<(), DocumentError> {
    for (path, content) in checked {
        let content = if *path == "Cargo.toml" {
            format!(
                "[package]\nname = \"checked-tests\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n{}",
                vendored::dependencies(content, runtime)?
            )
        } else {
            (*content).to_owned()
        };
        tree.insert(&format!("checked/{path}"), content);
    }
    Ok(())
}
