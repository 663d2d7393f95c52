#![doc = include_str!("../README.md")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "for tests: a file that is missing fails the test"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The file with the lists.
pub const REFERENCE: &str = "reference.txt";

/// Returns the folder of these files, which is beside that of each package with tests.
pub fn folder() -> PathBuf {
    // Read at run time, because two checkouts may share one build.
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => Path::new(&package).join("../facts"),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")),
    }
}

/// Reads a fact.
///
/// # Panics
///
/// There is no such file.
pub fn read(name: &str) -> String {
    let file = folder().join(name);
    fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("the fact {} is missing: {error}", file.display()))
}

/// Lists the facts of a folder: the stem of each JSON file, sorted, with its content.
///
/// # Panics
///
/// The folder cannot be read.
pub fn all(of: &str) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder().join(of)).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let is_json = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    files
        .filter(is_json)
        .map(|path| (stem(&path), fs::read_to_string(&path).unwrap()))
        .collect()
}

/// Returns the payload of an operation, by its name in Rust.
///
/// # Panics
///
/// The operation has none.
pub fn payload(operation: &str) -> String {
    read(&format!("payloads/{operation}.json"))
}

/// Returns the path of an operation, by its name in Rust.
///
/// # Panics
///
/// The reference has no such operation.
pub fn path(operation: &str) -> String {
    let [_, path] = method_and_path(operation);
    path
}

/// Returns the request target of an operation: its path with `value` in place of its parameter, and the query.
///
/// # Panics
///
/// The reference has no such operation.
pub fn target(operation: &str, value: &str, query: &str) -> String {
    let path = path(operation);
    let target = match (path.find('{'), path.find('}')) {
        (Some(start), Some(end)) => {
            let (before, after) = (path.get(..start), path.get(end + 1..));
            format!("{}{value}{}", before.unwrap(), after.unwrap())
        }
        _ => path,
    };
    format!("{target}{query}")
}

fn method_and_path(operation: &str) -> [String; 2] {
    let reference = read(REFERENCE);
    let (_, operations) = reference.split_once("[operations]\n").unwrap();
    let mut entries = operations.lines().take_while(|line| !line.starts_with('['));
    let found = entries.find_map(|line| {
        let (_, entry) = line.split_once(' ')?;
        let (name, call) = entry.split_once(": ")?;
        let (method, path) = call.split_once(' ')?;
        (name == operation).then(|| [method, path].map(str::to_owned))
    });
    found.unwrap_or_else(|| {
        panic!("{REFERENCE} has no operation `{operation}`: the document lost it, or has another id for it")
    })
}

/// Compares a fact with the current document; `None` for a fact that the document no longer has. With `INSTA_UPDATE=always`, which writes
/// snapshots too, a different value replaces the fact.
///
/// # Panics
///
/// They differ.
pub fn assert_reviewed(name: &str, now: Option<&str>) {
    let file = folder().join(name);
    let before = fs::read_to_string(&file).ok();
    if before.as_deref() == now {
        return;
    }
    let is_written = env::var("INSTA_UPDATE").is_ok_and(|given| given == "always");
    let above = name.split("../").count();
    let shown = match (above, name.trim_start_matches("../")) {
        (1, name) => format!("tests/facts/{name}"),
        (2, name) => format!("tests/{name}"),
        (_, name) => name.to_owned(),
    };
    assert!(
        is_written,
        "{shown}: {}; `cargo xtask review --accept` writes it",
        difference(before.as_deref(), now)
    );
    match now {
        Some(now) => fs::write(&file, now).unwrap(),
        None => fs::remove_file(&file).unwrap(),
    }
}

/// Says why a fact is not what the document says.
fn difference(before: Option<&str>, now: Option<&str>) -> String {
    let (before, now) = match (before, now) {
        (Some(before), Some(now)) => (before, now),
        (None, _) => return "the document has what no fact is about".to_owned(),
        (_, None) => return "the document no longer has what it is about".to_owned(),
    };
    let gone = lines_without(before, now);
    let new = lines_without(now, before);
    let mut reasons = Vec::new();
    if let [first, ..] = gone.as_slice() {
        reasons.push(format!(
            "the document lacks {}, such as `{}`",
            lines(gone.len()),
            first.trim()
        ));
    }
    if let [first, ..] = new.as_slice() {
        reasons.push(format!(
            "it lacks {} of the document, such as `{}`",
            lines(new.len()),
            first.trim()
        ));
    }
    if reasons.is_empty() {
        "its lines are in another order".to_owned()
    } else {
        reasons.join("; ")
    }
}

fn lines(count: usize) -> String {
    let word = if count == 1 { "line" } else { "lines" };
    format!("{count} {word}")
}

fn lines_without<'t>(text: &'t str, other: &str) -> Vec<&'t str> {
    let known: Vec<&str> = other.lines().collect();
    text.lines().filter(|line| !known.contains(line)).collect()
}
