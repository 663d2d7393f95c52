//! Programs around a service that knows a document alone: one makes the calls of a client against it, the other is the service.

use openapi_document::finding::DocumentError;
use serde_json::Value;

use super::calls::Calls;
use super::packaging::Sources;
use super::tree::FileTree;
use super::vendored;

/// The folder of a program's client.
pub const CLIENT: &str = "client";

/// The file of a program's document.
pub const SERVED: &str = "document.yaml";

/// The program that makes calls, formatted as rustfmt does.
const MAKES: &str = "\
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
const SERVES: &str = "\
//! Serves a document.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    checked_tests::serve().await
}
";

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
    let features = match calls.features {
        Some(all) => format!(", features = [\"{all}\"]"),
        None => String::new(),
    };
    let own = format!(
        "serde_json = \"1\"\n\
         {} = {{ path = \"{CLIENT}\", default-features = false{features} }}\n",
        calls.package
    );
    let mut tree = around("openapi-crate conform", "check", &own, checked, runtime)?;
    tree.insert("src/calls.rs", calls.text.clone());
    tree.insert("src/main.rs", MAKES.to_owned());
    Ok(tree)
}

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
    let mut tree = around("openapi-crate serve", "serve", "", checked, runtime)?;
    tree.insert(SERVED, document.to_string());
    tree.insert("src/main.rs", SERVES.to_owned());
    Ok(tree)
}

/// A package with the crate `checked-tests`, and these dependencies of its own.
fn around(
    command: &str,
    name: &str,
    own: &str,
    checked: Sources,
    runtime: Sources,
) -> Result<FileTree, DocumentError> {
    let mut tree = FileTree::new(command);
    let dependencies = format!(
        "checked-tests = {{ path = \"checked\" }}\n\
         {own}\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n"
    );
    let settings = "[workspace]\n\n[profile.dev]\ndebug = false\n\n";
    tree.insert("Cargo.toml", package(name, settings, &dependencies));
    for (path, content) in checked {
        let content = if *path == "Cargo.toml" {
            let dependencies = vendored::dependencies(content, runtime)?;
            package("checked-tests", "", &dependencies)
        } else {
            (*content).to_owned()
        };
        tree.insert(&format!("checked/{path}"), content);
    }
    Ok(tree)
}

/// The manifest of a package that nobody publishes.
fn package(name: &str, settings: &str, dependencies: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         {settings}[dependencies]\n{dependencies}"
    )
}
