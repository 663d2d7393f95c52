//! What a person sees where a command stops, and the exit code.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use annotate_snippets::Renderer;

use crate::finding::Stop;

/// The exit code of a command, after what stopped it is on standard error.
pub fn exit(result: &anyhow::Result<bool>) -> ExitCode {
    let error = match result {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => return ExitCode::from(1),
        Err(error) => error,
    };
    let (code, message) = match error.downcast_ref::<Stop>() {
        Some(stop) => {
            let code = u8::from(matches!(stop, Stop::Unreadable(_))) + 1;
            (code, stop.render(&renderer()))
        }
        None => (2, format!("error: {error:#}")),
    };
    // Nothing is left to do when even this cannot be written.
    let _ = writeln!(std::io::stderr(), "{message}");
    ExitCode::from(code)
}

/// With colours where a person looks at them.
pub fn renderer() -> Renderer {
    if std::io::stderr().is_terminal() {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
}
