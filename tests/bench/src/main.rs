//! `cargo xtask bench` runs this: the client beside code written by hand and beside the clients of other generators, in one run.
//!
//! `contract` plays the cases of faults with these clients, and `adapter` makes one call of it.
//!
//! Each part measures CPU times in alternation and reports ratios, because seconds of different machines and runs are not comparable.

mod adapters;
mod bodies;
mod builds;
mod call;
mod child;
mod clock;
mod contract;
mod decode;
mod generator;
mod hand;
mod large;
mod large_documents;
mod machine;
mod openapi_to_rust;
mod peer;
mod service;
mod table;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let count = arguments.len();
    arguments.retain(|one| one != "--write");
    let writes = arguments.len() < count;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()?;
    match arguments.split_first() {
        Some((part, program)) if part == "contract" => {
            return contract::run(&root, program, writes);
        }
        Some((part, [client])) if part == "adapter" => return Ok(contract::adapt(client)?),
        _ => {}
    }
    measure(&root, &arguments, writes)
}

/// Measures these parts, or all of them.
fn measure(root: &Path, arguments: &[String], writes: bool) -> Result<(), Box<dyn Error>> {
    let is_wanted = |part: &str| arguments.is_empty() || arguments.iter().any(|one| one == part);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut rows = clock::pinned(|| {
        let mut rows = Vec::new();
        if is_wanted("decode") {
            rows.extend(decode::rows()?);
        }
        if is_wanted("call") {
            rows.extend(call::rows(&runtime)?);
        }
        if is_wanted("large") {
            rows.extend(large::rows(&runtime)?);
        }
        Ok::<_, Box<dyn Error>>(rows)
    })??;
    if is_wanted("process") {
        let scratch = root.join("target/bench");
        rows.extend(builds::rows(root, &scratch)?);
        rows.extend(generator::rows(root, &scratch)?);
    }
    let machine = machine::described()?;
    println!("{machine}\n\n{}", table::markdown(&rows));
    if writes {
        let pages = [
            ("docs/performance.md", table::for_callers(&rows)),
            ("tests/bench/README.md", table::missing_their_aim(&rows)),
        ];
        for (page, rows) in pages {
            let table = table::markdown(rows);
            let file = root.join(page);
            let text = table::put_into(
                &fs::read_to_string(&file)?,
                &format!("{machine}\n\n{table}"),
            );
            fs::write(&file, text.ok_or("no place")?)?;
        }
    }
    if let Some(file) = env::var_os("BENCH_JSON") {
        fs::write(file, serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(())
}
