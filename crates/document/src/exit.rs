//! The message of a stopped command, and the exit code.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use annotate_snippets::Renderer;

use crate::finding::DocumentError;

/// Prints the error of a command to standard error and returns its exit code.
pub fn exit(result: &anyhow::Result<bool>) -> ExitCode {
    let error = match result {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => return ExitCode::from(1),
        Err(error) => error,
    };
    if is_broken_pipe(error) {
        return ExitCode::from(2);
    }
    let (code, message) = match error.downcast_ref::<DocumentError>() {
        Some(stop) => {
            let code = u8::from(matches!(stop, DocumentError::Unreadable(_))) + 1;
            (code, stop.render(&renderer()))
        }
        None => (2, format!("error: {error:#}")),
    };
    // Nothing is left to do if even this cannot be written.
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::from(code)
}

/// Returns whether the reader of standard output, such as `head`, has closed it.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let written = error.downcast_ref::<io::Error>();
    written.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// Returns a renderer, with colours on a terminal.
pub fn renderer() -> Renderer {
    if io::stderr().is_terminal() {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
}
