//! Runs of the generator.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::child::{cargo, time, time_and_memory};
use crate::large_documents::document;
use crate::table::Row;

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

pub fn rows(root: &Path, scratch: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
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
        let update = run(&["update", "--dry-run", &next])?;
        rows.push(Row::alone(what, update, "aim: 0.2 s, release"));
    }
    let xtask = first.join("release/xtask");
    for megabytes in [1, 3, 10] {
        let old = large.join(format!("{megabytes}.json"));
        let new = large.join(format!("{megabytes}-next.json"));
        fs::write(&old, document(megabytes, false)?)?;
        fs::write(&new, document(megabytes, true)?)?;
        let bytes = fs::metadata(&old)?.len() as f64;
        let size = format!("{:.1} MB", bytes / 1e6);
        let mut command = Command::new(&xtask);
        command
            .current_dir(&large)
            .arg("generate")
            .arg(&old)
            .args(["--name", "large", "--output"])
            .arg(large.join(format!("crate-{megabytes}")))
            .arg("--runtime-path")
            .arg(root.join("runtime"));
        let (generate, memory) = time_and_memory(&mut command)?;
        let note = format!(
            "{:.0} ns and {:.0} bytes of memory a byte; aim: 40",
            generate.as_secs_f64() * 1e9 / bytes,
            memory as f64 / bytes
        );
        let what = format!("`generate`, a document of {size}, release");
        rows.push(Row::alone(what, generate, note));
        let run = |arguments: &[&str]| {
            let mut command = Command::new(&xtask);
            time(
                command
                    .current_dir(&large)
                    .args(arguments)
                    .arg(&old)
                    .arg(&new),
            )
        };
        let what = format!("`diff --wire-only` of two, {size}, release");
        rows.push(Row::alone(what, run(&["diff", "--wire-only"])?, ""));
        let what = format!("`diff` of two, {size}, release");
        let beside = "`generate` of one";
        rows.push(Row::ratio(what, run(&["diff"])?, beside, generate, 2.0));
    }
    Ok(rows)
}
