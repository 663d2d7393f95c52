//! Date and machine of a measurement.

use std::fs;
use std::io;
use std::process::Command;

/// Describes the date, the commit, the compiler, and the kind of machine in one sentence.
pub fn described() -> io::Result<String> {
    let said = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output()?;
        Ok::<_, io::Error>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let date = said("date", &["-u", "+%Y-%m-%d"])?;
    let commit = said("git", &["rev-parse", "--short", "HEAD"])?;
    let compiler = said("rustc", &["--version"])?;
    let processors = fs::read_to_string("/proc/cpuinfo")?;
    let models = processors
        .lines()
        .filter_map(|line| line.strip_prefix("model name"));
    let models: Vec<&str> = models
        .map(|model| model.trim_start_matches([' ', '\t', ':']))
        .collect();
    let (model, count) = (models.first().copied().unwrap_or("unknown"), models.len());
    Ok(format!(
        "{date}, commit {commit}, {compiler}, {count} processors ({model}), Linux."
    ))
}
