//! Builds of the generated crate, and runs of the generator.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::clock::of_children;
use crate::large_documents::document;
use crate::table::Row;

/// Manifest of progenitor's client.
const PEER: &str = r#"[package]
name = "peer"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
bytes = "1"
chrono = { version = "0.4", default-features = false, features = ["serde"] }
futures-core = "0.3"
progenitor-client = "0.15"
regress = "0.12"
reqwest = { version = "0.13", default-features = false, features = ["json", "stream"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
serde_urlencoded = "0.7"
uuid = { version = "1", features = ["serde"] }
"#;

/// Programs that make all calls, with our client and with progenitor's.
const PROGRAMS: [(&str, &str); 2] = [
    (
        "company-intel = { path = \"../../../generated\", default-features = false }",
        r#"use company_intel::types::{AddCompanyRequest, EnrichmentSection, IndustryLevel};
use company_intel::{Client, Error};

async fn all(client: Client) -> Result<(), Error> {
    client.news("a").limit(1).offset(1).unique_article(true).send().await?;
    client.enrichment("a").sections([EnrichmentSection::Technology]).send().await?;
    client.company_search("a").send().await?;
    client.industry_search("a").level([IndustryLevel::L1]).send().await?;
    client.request_status("a").send().await?;
    client.headcount_trends("a").send().await?;
    client.employee_reviews("a").limit(1).offset(1).send().await?;
    client.product_reviews("a").limit(1).offset(1).products(["a"]).send().await?;
    client.job_posts("a").limit(1).offset(1).send().await?;
    client.social_posts("a").limit(1).offset(1).send().await?;
    client.add_company(AddCompanyRequest::new("a", "a")).send().await?;
    Ok(())
}

fn main() {
    let client = Client::builder("https://a.example").api_key("a").build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(all(client)).unwrap();
}
"#,
    ),
    (
        "peer = { path = \"../peer\" }",
        r#"use peer::{Client, Error, types};

async fn all(client: Client) -> Result<(), Error> {
    let company: types::CompanyRef = "a".parse().unwrap();
    client.news(&company, Some(1), Some(1), Some(true)).await?;
    client.enrichment(&company, None).await?;
    client.company_search(&"a".parse().unwrap()).await?;
    client.industry_search(None, &"a".parse().unwrap()).await?;
    client.request_status(&"a".parse().unwrap()).await?;
    client.headcount_trends(&company).await?;
    client.employee_reviews(&company, Some(1), Some(1)).await?;
    client.product_reviews(&company, Some(1), Some(1), None).await?;
    client.job_posts(&company, Some(1), Some(1)).await?;
    client.social_posts(&company, Some(1), Some(1)).await?;
    let body = serde_json::from_str("{}").unwrap();
    client.add_company(&body).await?;
    Ok(())
}

fn main() {
    let client = Client::new("https://a.example");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(all(client)).unwrap();
}
"#,
    ),
];

pub fn rows() -> Result<Vec<Row>, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()?;
    let scratch = root.join("target/bench");
    let mut rows = builds(&root, &scratch)?;
    rows.extend(generator(&root, &scratch)?);
    Ok(rows)
}

/// Returns the CPU time of a command and of its child processes.
fn time(command: &mut Command) -> Result<Duration, Box<dyn Error>> {
    let before = of_children();
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} fails: {said}").into());
    }
    Ok(of_children() - before)
}

fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(folder)
        .args(arguments)
        .arg("--target-dir")
        .arg(target);
    command
}

/// Measures three builds of each crate, alternating, with all dependencies built.
fn builds(root: &Path, scratch: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let (peer, target) = (scratch.join("peer"), scratch.join("build"));
    fs::create_dir_all(peer.join("src"))?;
    fs::write(peer.join("Cargo.toml"), PEER)?;
    fs::copy(
        Path::new(env!("OUT_DIR")).join("peer.rs"),
        peer.join("src/lib.rs"),
    )?;
    let programs = [scratch.join("all"), scratch.join("all-of-peer")];
    for (folder, (dependency, code)) in programs.iter().zip(PROGRAMS) {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(
            folder.join("Cargo.toml"),
            format!(
                "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependency}\n\
                 serde_json = \"1\"\ntokio = {{ version = \"1\", features = [\"rt\"] }}\n"
            ),
        )?;
        fs::write(folder.join("src/main.rs"), code)?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    }
    let mut rows = Vec::new();
    for (profile, flags) in [("debug", vec![]), ("release", vec!["--release"])] {
        let build = |folder: &Path, package: &str| {
            let arguments = |verb| [&[verb, "-p", package, "-q"], flags.as_slice()].concat();
            time(cargo(folder, &target, &arguments("build")).arg("--no-default-features"))?;
            let mut times = Vec::new();
            for _ in 0..3 {
                time(&mut cargo(folder, &target, &arguments("clean")))?;
                let mut command = cargo(folder, &target, &arguments("build"));
                times.push(time(command.arg("--no-default-features"))?);
            }
            times.sort_unstable();
            times
                .get(1)
                .copied()
                .ok_or_else(|| Box::<dyn Error>::from("no time"))
        };
        let ours = build(root, "company-intel")?;
        let theirs = build(&peer, "peer")?;
        let mut row = Row::ratio(
            format!("build of the generated crate, {profile}"),
            ours,
            "progenitor's crate",
            theirs,
            1.0,
        );
        row.note = format!(
            "{}; progenitor's: {}",
            size(root, "company-intel", &root.join("generated/src"))?,
            size(&peer, "peer", &peer.join("src"))?
        );
        rows.push(row);
        let [ours, theirs] = &programs;
        rows.push(Row::ratio(
            format!("build of a program with all calls, {profile}, without the crate"),
            build(ours, "program")?,
            "the same of progenitor's crate",
            build(theirs, "program")?,
            1.1,
        ));
    }
    let from_scratch = scratch.join("scratch");
    _ = fs::remove_dir_all(&from_scratch);
    let mut command = cargo(root, &from_scratch, &["build", "-q", "-p", "company-intel"]);
    let taken = time(command.arg("--no-default-features"))?;
    rows.push(Row::alone(
        "build of the generated crate with all dependencies, without TLS, debug",
        taken,
        "aim: 80 s",
    ));
    _ = fs::remove_dir_all(&from_scratch);
    Ok(rows)
}

/// Returns the size of a build: lines, and crates without features.
fn size(folder: &Path, package: &str, sources: &Path) -> Result<String, Box<dyn Error>> {
    fn lines(folder: &Path) -> std::io::Result<usize> {
        fs::read_dir(folder)?.try_fold(0, |sum, entry| {
            let path = entry?.path();
            let more = match path.is_dir() {
                true => lines(&path)?,
                false => fs::read_to_string(&path)?.lines().count(),
            };
            Ok(sum + more)
        })
    }
    let output = Command::new("cargo")
        .current_dir(folder)
        .args(["tree", "-p", package, "--no-default-features"])
        .args(["--edges", "normal", "--prefix", "none", "--no-dedupe"])
        .output()?;
    let crates = String::from_utf8(output.stdout)?;
    let crates: BTreeSet<&str> = crates.lines().collect();
    let lines = lines(sources)?;
    Ok(format!("{lines} lines, {} crates", crates.len()))
}

/// Returns the published document with one more property, in its first schema that has any.
fn next_published(root: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(root.join("spec/openapi.yaml"))?;
    let mut lines: Vec<&str> = text.lines().collect();
    let components = lines.iter().position(|line| *line == "components:");
    let below = components.ok_or("the document has no components")?;
    let properties = |line: &&str| line.trim_start() == "properties:";
    let first = lines.iter().skip(below).position(properties);
    let first = below + first.ok_or("no component has properties")?;
    let indent = lines
        .get(first)
        .map_or(0, |line| line.len() - line.trim_start().len());
    let added = format!("{:indent$}  added_later: {{type: string}}", "");
    lines.insert(first + 1, &added);
    Ok(lines.join("\n") + "\n")
}

fn generator(root: &Path, scratch: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let first = scratch.join("first");
    _ = fs::remove_dir_all(&first);
    let build = time(&mut cargo(root, &first, &["build", "-q", "-p", "xtask"]))?;
    let mut rows = vec![Row::alone(
        "first build of xtask, as for `cargo xtask regen`",
        build,
        "aim: 45 s",
    )];
    time(&mut cargo(
        root,
        &first,
        &["build", "-q", "-p", "xtask", "--release"],
    ))?;
    let large = scratch.join("large");
    fs::create_dir_all(&large)?;
    let next = large.join("next.yaml");
    fs::write(&next, next_published(root)?)?;
    for (profile, aim) in [("release", "aim: 0.3 s"), ("debug", "aim: 0.6 s")] {
        let xtask = first.join(profile).join("xtask");
        let run = |arguments: &[&str]| time(Command::new(&xtask).current_dir(root).args(arguments));
        rows.push(Row::alone(
            format!("`regen --check`, {profile}"),
            run(&["regen", "--check"])?,
            aim,
        ));
        let spec = "spec/openapi.yaml";
        rows.push(Row::alone(
            format!("`diff --wire-only`, {profile}"),
            run(&["diff", "--wire-only", spec, spec])?,
            "",
        ));
        rows.push(Row::alone(
            format!("`diff`, {profile}"),
            run(&["diff", spec, spec])?,
            "",
        ));
        let what = format!("`update --dry-run`, one property more, {profile}");
        let next = next.to_string_lossy();
        rows.push(Row::alone(what, run(&["update", "--dry-run", &next])?, ""));
    }
    let xtask = first.join("release/xtask");
    for megabytes in [1, 3, 10] {
        let old = large.join(format!("{megabytes}.json"));
        let new = large.join(format!("{megabytes}-next.json"));
        fs::write(&old, document(megabytes, false)?)?;
        fs::write(&new, document(megabytes, true)?)?;
        let size = fs::metadata(&old)?.len() as f64 / 1e6;
        let run = |command: &mut Command| time(command.current_dir(&large));
        let generate = run(Command::new(&xtask)
            .arg("generate")
            .arg(&old)
            .args(["--name", "large", "--output"])
            .arg(large.join(format!("crate-{megabytes}")))
            .arg("--runtime-path")
            .arg(root.join("runtime")))?;
        let what = format!("`generate`, a document of {size:.1} MB, release");
        rows.push(Row::alone(what, generate, ""));
        let diff = run(Command::new(&xtask)
            .args(["diff", "--wire-only"])
            .arg(&old)
            .arg(&new))?;
        let what = format!("`diff --wire-only` of two, {size:.1} MB, release");
        rows.push(Row::alone(what, diff, ""));
        let diff = run(Command::new(&xtask).arg("diff").arg(&old).arg(&new))?;
        let what = format!("`diff` of two, {size:.1} MB, release");
        rows.push(Row::alone(what, diff, ""));
    }
    Ok(rows)
}
