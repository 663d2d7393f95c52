//! What every check of this tool reports: which rule, where, what is wrong, what to do next.
//! A finding never edits anything, and findings come in lists: a run shows all of them at once.

use std::fmt;

/// One thing that a person has to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule, as a stable id such as `overlay-target`.
    pub rule: &'static str,
    /// The file, relative to the workspace.
    pub file: String,
    /// JSON Pointer into the file; empty for the whole of it.
    pub pointer: String,
    /// Line and column, from one, where they are known.
    pub position: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub help: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error[{}]: {}", self.rule, self.message)?;
        write!(f, "  --> {}", self.file)?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        if !self.pointer.is_empty() {
            write!(f, " (#{})", self.pointer)?;
        }
        write!(f, "\n  help: {}", self.help)
    }
}

/// Why a command stops. The difference is the exit code: 2 when an input could not be read, 1 when it could and is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An input could not be read at all.
    Unreadable(Vec<Finding>),
    /// The inputs were read, and these things are wrong with them.
    Findings(Vec<Finding>),
}

impl Stop {
    /// Everything that was found.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Unreadable(findings) | Self::Findings(findings) => findings,
        }
    }

    /// `Ok` when there is nothing to report.
    pub fn unless_empty(findings: Vec<Finding>) -> Result<(), Self> {
        if findings.is_empty() {
            Ok(())
        } else {
            Err(Self::Findings(findings))
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.findings().iter().enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            finding.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Stop {}
