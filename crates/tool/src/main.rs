//! `openapi-crate`: arguments in, exit codes out. Everything else is in the library.

use std::process::ExitCode;

use clap::Parser;
use openapi_crate::arguments::Arguments;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let Arguments { chosen, command } = Arguments::parse();
    let mut out = std::io::stdout().lock();
    openapi_document::exit(&openapi_crate::run(&chosen, command, &mut out))
}
