//! The common parts of the memory tests.

use std::fs;

use generated_client::document::Api;

pub(crate) static API: Api = Api::new("example", "1.2.3", "EXAMPLE");

/// Returns the peak memory of this process so far, in KiB.
pub(crate) fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap()
}
