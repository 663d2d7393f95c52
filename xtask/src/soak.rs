//! `cargo xtask soak`: what takes too long for every change. Tests that draw at random go around many more times, and what we publish
//! is checked with its features: alone, in twos, and together.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use openapi_crate::commands::status::line;
use openapi_crate::layout::Layout;
use openapi_document::source::Source;

/// Tests that read from the environment how far they go: arguments of `cargo test`, and the variable with its value.
/// Another long test is another line.
const TESTS: &[(&[&str], (&str, &str))] = &[
    // With calls of unknown price, 20,000 rounds.
    (
        &["-p", "generated-client", "--test", "client", "storm"],
        ("STORM_SEEDS", "200"),
    ),
    // Runs of a batch that are killed between any two bytes of their journals.
    (
        &[
            "--release",
            "-p",
            "generated-client",
            "--test",
            "client",
            "histories",
        ],
        ("HISTORIES", "100000"),
    ),
    (
        &["-p", "conformance-tests", "--test", "conformance", "storm"],
        ("STORM_SEEDS", "40"),
    ),
    // Needs a `redis-server`. Four storms for each seed.
    (
        &["-p", "account-tests", "--test", "storm", "rounds"],
        ("STORM_SEEDS", "1..26"),
    ),
    (
        &[
            "-p",
            "conformance-tests",
            "--test",
            "conformance",
            "round_trip",
        ],
        ("ROUND_TRIPS", "5000"),
    ),
    (
        &[
            "-p",
            "conformance-tests",
            "--test",
            "conformance",
            "charges",
        ],
        ("CHARGE_ROUNDS", "20000"),
    ),
    (
        &["-p", "generated-client", "--lib", "budget::tests::model"],
        ("SHUTTLE_TIMES", "50"),
    ),
    (
        &[
            "-p",
            "generated-client",
            "--lib",
            "--features",
            "chrono,jiff,uuid",
        ],
        ("PROPTEST_CASES", "10000"),
    ),
    (
        &["--release", "-p", "fuzz-tests", "--test", "bounded"],
        ("FUZZ_ROUNDS", "1000000"),
    ),
    (
        &["-p", "openapi-overlay", "--test", "cases"],
        ("PROPTEST_CASES", "10000"),
    ),
    // Builds crates that contain the runtime, with all of their features.
    (
        &[
            "-p",
            "generator-tests",
            "--test",
            "suite",
            "vendored",
            "--",
            "--include-ignored",
        ],
        ("CARGO_PROFILE_DEV_DEBUG", "0"),
    ),
    (
        &["-p", "generator-tests", "--test", "suite", "diff::"],
        ("PROPTEST_CASES", "2000"),
    ),
    (
        &[
            "--release",
            "-p",
            "generator-tests",
            "--test",
            "suite",
            "guarded",
        ],
        ("PROPTEST_CASES", "100000"),
    ),
    (
        &[
            "-p",
            "generator-tests",
            "--test",
            "suite",
            "anything",
            "--",
            "--include-ignored",
        ],
        ("PROPTEST_CASES", "2000"),
    ),
];

/// Tests of all documents in the folder that the variable `DOCUMENTS` names. They are skipped without it, and so is `conform` of each.
const OF_DOCUMENTS: &[(&[&str], (&str, &str))] = &[(
    &[
        "-p",
        "generator-tests",
        "--test",
        "suite",
        "diff::reachable",
        "--",
        "--include-ignored",
    ],
    ("MUTATIONS", "200"),
)];

/// Crates whose features are checked alone, in twos, and all together.
const PUBLISHED: &[&str] = &["runtime/cli", "runtime/core", "generated"];

/// Crates with a feature per tag, which are checked with none of them and with each alone.
const SPLIT: &[&str] = &["tests/documents/groups/client"];

/// Runs everything to its end; whether all of it passed.
pub fn soak(layout: &Layout, out: &mut dyn Write) -> Result<bool> {
    let folder = std::env::var_os("DOCUMENTS");
    soak_with(layout, folder.as_deref().map(Path::new), out)
}

fn soak_with(layout: &Layout, folder: Option<&Path>, out: &mut dyn Write) -> Result<bool> {
    // The steps run in other folders, and take hours: a wrong path is said at once.
    let folder = folder.map(std::path::absolute).transpose()?;
    let documents = folder.as_deref().map(documents).transpose()?;
    let mut failed = Vec::new();
    let mut step = |what: String, arguments: &[&str], variable: Option<(&str, &str)>| {
        line(out, "Running", &what)?;
        let mut cargo = Command::new("cargo");
        cargo
            .args(arguments)
            .envs(variable)
            .envs(folder.iter().map(|folder| ("DOCUMENTS", folder)))
            .current_dir(&layout.root);
        let status = cargo.status().context("starting cargo")?;
        if !status.success() {
            line(out, "Failed", &what)?;
            failed.push(what);
        }
        anyhow::Ok(())
    };
    let of_documents = OF_DOCUMENTS.iter().filter(|_| documents.is_some());
    for (arguments, (name, value)) in TESTS.iter().chain(of_documents) {
        let what = format!("{name}={value} cargo test {}", arguments.join(" "));
        let arguments = [&["test", "--quiet"], *arguments].concat();
        step(what, &arguments, Some((name, value)))?;
    }
    let published = PUBLISHED.iter().map(|folder| (folder, twos as Sets));
    let split = SPLIT.iter().map(|folder| (folder, single as Sets));
    for (folder, sets) in published.chain(split) {
        let manifest = format!("{folder}/Cargo.toml");
        let text = std::fs::read_to_string(layout.root.join(&manifest))
            .with_context(|| format!("reading {manifest}"))?;
        for features in sets(&features(&text)) {
            let what = format!("cargo clippy, {folder} with features [{features}]");
            let arguments = ["clippy", "--quiet", "--no-default-features"];
            let of = ["--manifest-path", &manifest, "--features", &features];
            let strict = ["--", "-D", "warnings"];
            step(what, &[&arguments[..], &of, &strict].concat(), None)?;
        }
    }
    match &documents {
        Some(documents) => {
            for document in documents {
                let what = format!("cargo xtask conform {document}");
                step(what, &["xtask", "conform", document], None)?;
            }
        }
        None => line(
            out,
            "Skipped",
            "the tests of documents: DOCUMENTS names no folder",
        )?,
    }
    match failed.as_slice() {
        [] if documents.is_none() => line(out, "Passed", "everything else")?,
        [] => line(out, "Passed", "everything")?,
        failed => line(
            out,
            "Failed",
            &format!("{} steps:\n{}", failed.len(), failed.join("\n")),
        )?,
    }
    Ok(failed.is_empty())
}

/// Returns the OpenAPI documents in a folder.
fn documents(folder: &Path) -> Result<Vec<String>> {
    let mut documents = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let extension = path.extension().and_then(|one| one.to_str());
        if !extension.is_some_and(|one| ["json", "yaml", "yml"].contains(&one)) {
            continue;
        }
        let path = path.to_string_lossy().into_owned();
        let source = Source::read(Path::new("."), &path)?;
        if source.value.get("openapi").is_some() {
            documents.push(path);
        }
    }
    documents.sort();
    Ok(documents)
}

/// The features that a manifest has, the default set aside.
fn features(manifest: &str) -> Vec<&str> {
    let lines = manifest.lines().skip_while(|line| *line != "[features]");
    let lines = lines.skip(1).take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with('#') && *name != "default")
        .collect()
}

/// Sets of features, as cargo takes them.
type Sets = fn(&[&str]) -> Vec<String>;

/// No feature, and each alone.
fn single(features: &[&str]) -> Vec<String> {
    let features = features.iter().map(|feature| (*feature).to_owned());
    std::iter::once(String::new()).chain(features).collect()
}

/// No feature, each alone, every two, and all.
fn twos(features: &[&str]) -> Vec<String> {
    let mut sets = single(features);
    for (index, one) in features.iter().enumerate() {
        let others = features.iter().skip(index.saturating_add(1));
        sets.extend(others.map(|other| format!("{one},{other}")));
    }
    if features.len() > 2 {
        sets.push(features.join(","));
    }
    sets
}

#[cfg(test)]
mod tests {
    use openapi_crate::config::Config;

    use super::*;

    #[test]
    fn a_folder_that_is_missing_is_said_before_the_first_step() {
        let config = Config::around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut layout = config.one(&[]).unwrap();
        // No step can start there.
        layout.root = "no/such/root".into();
        let mut out = Vec::new();
        let error = soak_with(&layout, Some(Path::new("no/documents")), &mut out).unwrap_err();
        let absolute = std::path::absolute("no/documents").unwrap();
        assert_eq!(error.to_string(), format!("reading {}", absolute.display()));
        assert!(out.is_empty());
    }

    #[test]
    fn the_features_of_a_manifest_are_there_alone_in_twos_and_together() {
        let manifest = "[package]\nname = \"a\"\n[features]\ndefault = [\"a\"]\n# Why = it is.\na = []\nb-c = [\"x/y\"]\n\n[dependencies]\nd = \"1\"\n";
        assert_eq!(features(manifest), ["a", "b-c"]);
        assert_eq!(single(&features(manifest)), ["", "a", "b-c"]);
        assert_eq!(twos(&features(manifest)), ["", "a", "b-c", "a,b-c"]);
        assert_eq!(
            twos(&["a", "b", "c"]),
            ["", "a", "b", "c", "a,b", "a,c", "b,c", "a,b,c"]
        );
    }
}
