//! The common parts of the memory tests.

use std::fs;

use generated_client::document::{Api, Auth};

pub(crate) static API: Api = Api {
    name: "example",
    version: "1.2.3",
    environment: "EXAMPLE",
    base_url: None,
    auth: Auth::None,
    interceptor: None,
    operations: &[],
};

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
