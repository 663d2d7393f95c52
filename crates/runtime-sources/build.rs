//! Writes the tables of the files in `runtime/` and `checked/`, which are links to the sources of the runtime and of the service that checks requests.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and writes its output"
)]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder of each crate, and its manifest below another name: cargo leaves a folder with a manifest out of a package.
const CRATES: [&str; 2] = ["cli", "core"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-changed=checked");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = vec![
        ("Cargo.toml".to_owned(), root.join("runtime/workspace.toml")),
        ("LICENSE-APACHE".to_owned(), root.join("LICENSE-APACHE")),
        ("LICENSE-MIT".to_owned(), root.join("LICENSE-MIT")),
    ];
    for one in CRATES {
        let manifest = root.join(format!("runtime/{one}.toml"));
        files.push((format!("{one}/Cargo.toml"), manifest));
        folder(
            &root.join("runtime").join(one),
            &format!("{one}/src"),
            &mut files,
        )?;
    }
    write("table.rs", files)?;
    let mut checked = vec![("Cargo.toml".to_owned(), root.join("checked.toml"))];
    folder(&root.join("checked"), "src", &mut checked)?;
    write("checked.rs", checked)
}

/// Writes the table of these files.
fn write(table_file: &str, mut files: Vec<(String, PathBuf)>) -> io::Result<()> {
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        println!("cargo::rerun-if-changed={}", path.display());
        // Writing to a String cannot fail.
        let _ = writeln!(table, "    ({name:?}, include_str!({path:?})),");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join(table_file), table)
}

/// Lists the files of a folder and of those in it, but for tests.
fn folder(folder: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(last) = path.file_name().and_then(|last| last.to_str()) else {
            continue;
        };
        let name = format!("{name}/{last}");
        match (path.is_dir(), last) {
            (true, "tests") | (false, "tests.rs") => {}
            (true, _) => self::folder(&path, &name, files)?,
            (false, _) => files.push((name, path)),
        }
    }
    Ok(())
}
