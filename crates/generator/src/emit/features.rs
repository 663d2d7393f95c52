//! The features by which callers choose operations, for the manifest and the README.

use openapi_model::{Group, Model};

use super::cargo_toml::toml_list;
use super::left_out::cell;
use super::parts::Parts;

/// The feature that has all operations.
pub(crate) const ALL: &str = "all-operations";

/// Returns the default features. Clients of paid calls use no compression and no HTTP/2 unless their callers opt in.
pub(super) fn default(model: &Model) -> String {
    if model.package.types_only {
        return toml_list([""; 0]);
    }
    let http: &[&str] = if model.is_metered {
        &[]
    } else {
        &["compression", "http2"]
    };
    let all = (!model.groups.is_empty()).then_some(ALL);
    toml_list(["rustls"].iter().chain(http).copied().chain(all))
}

/// The features of the groups; empty for a crate that is not split.
pub(super) fn manifest(model: &Model) -> String {
    let groups = &model.groups;
    if groups.is_empty() {
        return String::new();
    }
    let (mut all, mut each) = (String::new(), String::new());
    for Group { feature, .. } in groups {
        all.push_str(&format!("    \"{feature}\",\n"));
        each.push_str(&format!("{feature} = []\n"));
    }
    format!(
        "# All operations. Each feature below has the operations of one group, and the types that only they need.\n\
         {ALL} = [\n{all}]\n{each}"
    )
}

/// The features of every crate.
const COMMON: &str = "\
| feature | effect |
|---|---|
| `rustls` (default), `rustls-no-provider` | TLS, with the default provider of rustls or the program's |
| `compression`{http}, `http2`{http} | `ClientBuilder::compression` and `http2` |
";

/// The features that turn on a part of the runtime, and what each is for.
const PARTS: [(&[&str], &str); 4] = [
    (
        &["cache", "cache-file"],
        "stored responses: in memory, and in an SQLite file",
    ),
    (
        &["chrono", "jiff", "uuid"],
        "conversions of dates and UUIDs",
    ),
    (
        &["unstable-reqwest"],
        "`ClientBuilder::http`: proxies, root certificates, DNS, connections",
    ),
    (
        &["test-util"],
        "`testing::Script`, a scripted service, and tokio's pausable clock",
    ),
];

/// The rows of the parts that a crate has.
fn part_rows(parts: &Parts) -> String {
    let mut rows = String::new();
    for (names, effect) in PARTS {
        let names: Vec<String> = names
            .iter()
            .filter(|name| parts.has(name))
            .map(|name| format!("`{name}`"))
            .collect();
        if !names.is_empty() {
            rows.push_str(&format!("| {} | {effect} |\n", names.join(", ")));
        }
    }
    rows
}

/// The features of a crate with a command line.
const CLI: &str = "\
| `cli`, `mcp` | a command line, `cargo run --features cli -- --help`, and a server for agents in it |
";

/// The features of a crate whose calls cost credits.
const METERED: &str = "\
| `redis`, `redis-tls`, `periods` | one budget for many processes in Redis or Valkey, also per day or month |
| `journal` | batches that survive `kill -9` and pay for nothing twice |
";

/// The section that lists the features, and for a crate that is split the groups and how to choose.
pub(super) fn readme(model: &Model, parts: &Parts) -> String {
    if model.package.types_only {
        return String::new();
    }
    let (metered, http) = if model.is_metered {
        (METERED, "")
    } else {
        ("", " (default)")
    };
    let common = COMMON.replace("{http}", http);
    let cli = if model.package.cli { CLI } else { "" };
    let common = format!(
        "\n## Features\n\n{common}{}{cli}{metered}",
        part_rows(parts)
    );
    if model.groups.is_empty() {
        return common;
    }
    let rows: String = model.groups.iter().map(|group| row(group, model)).collect();
    let package = &model.package;
    let first = model.groups.first();
    let first = first.map_or(ALL, |group| group.feature.as_str());
    let always = model.operations.iter().filter(|one| one.group.is_none());
    let always = match always.count() {
        0 => String::new(),
        1 => " One operation is in no group, and needs no feature.".to_owned(),
        several => format!(" {several} operations are in no group, and need no feature."),
    };
    format!(
        "{common}\n\
         The operations of each tag are a feature of this crate. The feature `{ALL}` has all of them, and is on by default.\n\
         Without it only the chosen groups are compiled, and the types that several groups share.{always}\n\n\
         ```text\ncargo add {name} --path PATH --no-default-features --features rustls,{first}\n```\n\n\
         | feature | operations | tag |\n|---|---|---|\n{rows}",
        name = package.name,
    )
}

fn row(group: &Group, model: &Model) -> String {
    let operations = model.operations.iter();
    let count = operations.filter(|one| one.group.as_ref() == Some(&group.name));
    let tags: Vec<String> = group.tags.iter().map(|tag| cell(tag)).collect();
    format!(
        "| `{}` | {} | {} |\n",
        group.feature,
        count.count(),
        tags.join(", ")
    )
}
