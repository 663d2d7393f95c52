//! `init`: the file that lists the crates, for a document.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::{given, program};
use openapi_model::names;
use serde_json::Value;

use super::status::line;
use clap::ValueEnum;

use crate::config::{self, Config, FILE, RuntimeName};
use crate::install;

/// Writes the file into `folder`, for a document below it.
///
/// # Errors
///
/// The file exists already, or the document cannot be read.
pub fn init(
    folder: &Path,
    document: &str,
    output: &str,
    name: Option<&str>,
    runtime: RuntimeName,
    out: &mut dyn Write,
) -> Result<()> {
    if folder.join(FILE).exists() {
        return Err(DocumentError::Unreadable(vec![Finding::about(
            "config-exists",
            FILE,
            "the file exists already",
            "add a crate to it as another table `[crates.NAME]`",
        )])
        .into());
    }
    let Some(document) = &config::below(document) else {
        let message = format!("`{document}` is not a path below this folder");
        return Err(DocumentError::Unreadable(vec![Finding::about(
            "config",
            FILE,
            message,
            "copy the document into this folder first",
        )])
        .into());
    };
    let read = given::document(folder, document)?;
    let title = read.value.pointer("/info/title").and_then(Value::as_str);
    let name = name.map_or_else(|| names::package(title.unwrap_or_default()), str::to_owned);
    let quoted = |text: &str| Value::from(text).to_string();
    let text = format!(
        "# `{check}` compares, `{generate}` writes. docs: what else this file may say.\n\
         [crates.{name}]\n\
         document = {document}\n\
         output = {output}\n\
         runtime = {runtime}\n\
         \n\
         [crates.{name}.package]\n\
         version = \"0.1.0\"\n",
        check = program::command("check"),
        generate = program::generate(),
        document = quoted(document),
        output = quoted(output),
        runtime = quoted(
            &runtime
                .to_possible_value()
                .map_or(String::new(), |one| one.get_name().to_owned())
        ),
    );
    Config::parse(folder, FILE, &text)?;
    install::change(folder, &vec![(FILE.to_owned(), Some(text))])?;
    line(out, "Wrote", FILE)?;
    line(out, "Next", &format!("`{}`", program::generate()))?;
    Ok(())
}
