//! Builds of the generated crate and of programs that use it.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::child::{cargo, time};
use crate::table::Row;

/// The names of progenitor's client.
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

/// A program that makes all calls, of our client and of progenitor's.
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

/// Measures three builds of each crate, alternating, with all dependencies built.
pub fn rows(root: &Path, scratch: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
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

/// How much there is to build: lines, and crates of a build without features.
fn size(folder: &Path, package: &str, sources: &Path) -> Result<String, Box<dyn Error>> {
    fn lines(folder: &Path) -> std::io::Result<usize> {
        fs::read_dir(folder)?.try_fold(0, |sum, entry| {
            let path = entry?.path();
            let more = if path.is_dir() {
                lines(&path)?
            } else {
                fs::read_to_string(&path)?.lines().count()
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
