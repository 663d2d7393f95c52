//! The cases of calls, played by three clients of the same document: the table of docs/faults.md.

use std::env;
use std::error::Error;
use std::fs;
use std::io::Result as IoResult;
use std::path::Path;

use conformance_tests::{adapter, matrix};

use crate::adapters;
use crate::table::put_into;

/// Names of the adapters of this program, in the order of the columns.
const CLIENTS: [&str; 3] = ["company-intel", "progenitor", "openapi-to-rust"];

/// Plays all cases with each client, or with the program of an adapter. Prints a table, and writes it into the page.
pub fn run(root: &Path, program: &[String], writes: bool) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    if !program.is_empty() {
        let played = runtime.block_on(matrix::play(program));
        println!("{}", matrix::rows(&[played]).join("\n"));
        return Ok(());
    }
    let this = env::current_exe()?.display().to_string();
    let mut clients = Vec::new();
    for client in CLIENTS {
        let program = [this.clone(), "adapter".to_owned(), client.to_owned()];
        clients.push(runtime.block_on(matrix::play(&program)));
    }
    let head = format!("| calls | {} |\n|---|---|---|---|\n", CLIENTS.join(" | "));
    let table = head + &matrix::rows(&clients).join("\n");
    println!("{table}");
    if writes {
        let page = root.join("docs/faults.md");
        let text = put_into(&fs::read_to_string(&page)?, &table);
        fs::write(&page, text.ok_or("no place")?)?;
    }
    Ok(())
}

/// Makes the call that standard input asks for with a client.
pub fn adapt(client: &str) -> IoResult<()> {
    match client {
        "progenitor" => adapter::run(adapters::progenitor),
        "openapi-to-rust" => adapter::run(adapters::openapi_to_rust),
        _ => adapter::run(adapter::ours),
    }
}
