//! `cargo xtask bench` runs this: the client beside code written by hand and beside the clients of other generators, in one run.
//!
//! Each part measures CPU times in alternation and reports ratios, because seconds of different machines and runs are not comparable.

mod bodies;
mod builds;
mod call;
mod child;
mod clock;
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
    let place = arguments.iter().position(|one| one == "--write");
    let file = place.and_then(|place| arguments.drain(place..).nth(1));
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
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()?;
        let scratch = root.join("target/bench");
        rows.extend(builds::rows(&root, &scratch)?);
        rows.extend(generator::rows(&root, &scratch)?);
    }
    let measured = format!("{}\n\n{}", machine::described()?, table::markdown(&rows));
    println!("{measured}");
    if let Some(file) = file {
        let text = fs::read_to_string(&file)?;
        fs::write(&file, table::put_into(&text, &measured).ok_or("no place")?)?;
    }
    if let Some(file) = env::var_os("BENCH_JSON") {
        fs::write(file, serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(())
}
