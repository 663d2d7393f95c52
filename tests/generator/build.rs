//! Writes a test for each file in `overrides/`, so that a new override has its test without a line of Rust.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("../../overrides");
    let mut ids = Vec::new();
    // The first of each family is tried at every change.
    let mut first = Vec::new();
    for family in ["upstream", "assumed", "generator"] {
        let family = folder.join(family);
        println!("cargo::rerun-if-changed={}", family.display());
        let mut own = Vec::new();
        for entry in fs::read_dir(family)? {
            let path = entry?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "yaml")
            {
                let stem = path.file_stem().and_then(|stem| stem.to_str());
                own.push(stem.ok_or("a name that is not UTF-8")?.to_owned());
            }
        }
        own.sort();
        first.extend(own.first().cloned());
        ids.append(&mut own);
    }
    ids.sort();
    let tests = ids.iter().map(|id| {
        let name = id.replace('-', "_");
        let ignored = if first.contains(id) {
            ""
        } else {
            "#[ignore = \"the gate runs it: it makes the crate again\"]\n"
        };
        format!("#[test]\n{ignored}fn {name}() {{\n    check::check({id:?});\n}}\n")
    });
    let text = format!(
        "const IDS: &[&str] = &{ids:?};\n{}",
        tests.collect::<String>()
    );
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    fs::write(Path::new(&out).join("overrides.rs"), text)?;
    Ok(())
}
