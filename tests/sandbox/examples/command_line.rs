//! The command line of the crate, inside another program. It reads the address and the key from the environment, as
//! `company-intel-sandbox` prints them: `cargo run -p company-intel-sandbox --example command_line -- job-posts example.com --all`.

use std::process::ExitCode;

fn main() -> ExitCode {
    company_intel::cli::run(std::env::args_os())
}
