//! `init`: the file that lists the crates, for a document.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::{given, program};
use openapi_model::{Model, names};
use serde_json::Value;

use super::generate::prepared;
use super::status::line;
use clap::ValueEnum;

use crate::config::{self, Config, FILE, RuntimeName};
use crate::install;

/// What cargo writes beside a crate, and git need not keep.
const IGNORE: &str = "target/\n";

/// Writes the file, for a document below its folder, and `.gitignore` if there is none.
///
/// # Errors
///
/// The file exists already, the document cannot be read, or the crate could not be generated.
pub fn init(
    file: &Path,
    document: &str,
    output: &str,
    name: Option<&str>,
    runtime: RuntimeName,
    out: &mut dyn Write,
) -> Result<()> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let file_name = file.file_name().unwrap_or(FILE.as_ref()).to_string_lossy();
    if file.exists() {
        return Err(refusal(
            "config-exists",
            &file_name,
            "the file exists already".to_owned(),
            "add a crate to it as another table `[crates.NAME]`",
        ));
    }
    let Some(document) = &config::below(document) else {
        let message = format!("`{document}` is not a path below the folder of the file");
        let help = "copy the document into this folder first";
        return Err(refusal("config", &file_name, message, help));
    };
    let read = given::document(folder, document)?;
    let title = read.value.pointer("/info/title").and_then(Value::as_str);
    let name = name.map_or_else(|| names::package(title.unwrap_or_default()), str::to_owned);
    let is_plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let key = if is_plain && !name.is_empty() {
        name
    } else {
        quoted(&name)
    };
    let runtime = runtime.to_possible_value();
    let runtime = runtime.as_ref().map_or("", |one| one.get_name());
    let mut text = format!(
        "# `{check}` compares, `{generate}` writes.\n\
         [crates.{key}]\n\
         document = {document}\n\
         output = {output}\n\
         runtime = {runtime}\n\
         \n\
         [crates.{key}.package]\n\
         version = \"0.1.0\"\n\
         # What a registry asks for, in `Cargo.toml`; the text of the licence is written beside it.\n\
         # license = \"MIT OR Apache-2.0\"\n\
         # repository = \"https://example.com/repository\"\n\
         # Parts of a vendored crate that the document does not need: a scripted service for tests.\n\
         # parts = [\"test-util\"]\n\
         # Only these operations, with the types that they use.\n\
         # operations = [\"tag:NAME\", \"operationId\"]\n\
         # The types alone, without a client.\n\
         # types-only = true\n",
        check = program::command("check"),
        generate = program::generate(),
        document = quoted(document),
        output = quoted(output),
        runtime = quoted(runtime),
    );
    let config = Config::parse(folder, &file_name, &text)?;
    for layout in &config.crates {
        let document = prepared(layout)?.reconciled.source;
        text.push_str(&chosen(&client_generator::generate::read(&document)?.model));
    }
    let mut changes = vec![(file_name.clone().into_owned(), Some(text))];
    if !folder.join(".gitignore").exists() {
        changes.push((".gitignore".to_owned(), Some(IGNORE.to_owned())));
    }
    install::change(folder, &changes)?;
    for (path, _) in &changes {
        line(out, "Wrote", path)?;
    }
    Ok(())
}

/// Returns a string in quotes.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Returns what the size of the document has chosen, as lines of the file: a later document is to move no method.
fn chosen(model: &Model) -> String {
    let [handles, features] = [model.handles.is_empty(), model.groups.is_empty()]
        .map(|is_none| if is_none { "none" } else { "tags" });
    format!(
        "# Chosen by the size of the document, and kept when it grows: methods behind a handle per tag, a Cargo feature per tag.\n\
         handles = \"{handles}\"\n\
         features = \"{features}\"\n"
    )
}

fn refusal(rule: &'static str, file: &str, message: String, help: &str) -> anyhow::Error {
    DocumentError::Unreadable(vec![Finding::about(rule, file, message, help)]).into()
}
