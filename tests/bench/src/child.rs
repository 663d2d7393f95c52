//! Other processes: the CPU time that they take, and their memory.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::clock::of_children;

/// The CPU time of a command that starts no other, and the most memory that it had, in bytes.
pub fn time_and_memory(command: &mut Command) -> Result<(Duration, u64), Box<dyn Error>> {
    let before = of_children();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        // The kernel keeps the peak: only growth in the last milliseconds would be missed.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kibibytes.unwrap_or_default() * 1024);
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        sleep(Duration::from_millis(5));
    };
    if !ended.success() {
        return Err(format!("{command:?} fails").into());
    }
    Ok((of_children() - before, peak))
}

/// The CPU time of a command and of all that it starts.
pub fn time(command: &mut Command) -> Result<Duration, Box<dyn Error>> {
    let before = of_children();
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} fails: {said}").into());
    }
    Ok(of_children() - before)
}

pub fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(folder)
        .args(arguments)
        .arg("--target-dir")
        .arg(target);
    command
}
