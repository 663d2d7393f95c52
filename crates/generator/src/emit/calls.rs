//! The calls of clients as files: those of a program that makes them, and those of several clients for a test.

use openapi_document::finding::DocumentError;
use openapi_model::Model;

use super::cargo_toml::toml_string;
use super::features::ALL;
use super::packaging::Packaging;
use super::sources;
use super::tree::FileTree;
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

/// A program that makes the calls of the client in its folder `client`, against a service that knows the document. `runtime` and `checked` are
/// the folders of the runtime crates and of `checked-tests`.
pub fn program(calls: &Calls, runtime: &str, checked: &str) -> FileTree {
    let mut tree = FileTree::new("cargo xtask conform");
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
             checked-tests = {{ path = {} }}\n\
             generated-client = {{ path = {}, default-features = false }}\n\
             serde_json = \"1\"\n\
             {package} = {{ path = \"client\", default-features = false{} }}\n\
             tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n",
            toml_string(checked),
            toml_string(&format!("{runtime}/core")),
            features.unwrap_or_default(),
        ),
    );
    tree.insert("src/calls.rs", calls.text.clone());
    tree.insert("src/main.rs", MAIN.to_owned());
    tree
}
