//! A YAML or JSON file as text and as a JSON value.
//! Refuses what the YAML library accepts silently: duplicate keys, and keys that are not text.

mod locate;
mod parse;

use std::path::Path;

use serde_json::Value;

use crate::finding::{Finding, Stop};

/// One input file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path relative to the workspace, with forward slashes: what messages show.
    pub path: String,
    /// The text as it stands in the file.
    pub text: String,
    /// What the text says.
    pub value: Value,
}

impl Source {
    /// Reads `root/path`.
    pub fn read(root: &Path, path: &str) -> Result<Self, Stop> {
        let text = std::fs::read_to_string(root.join(path)).map_err(|error| {
            Stop::Unreadable(vec![Finding {
                rule: "unreadable-file",
                file: path.to_owned(),
                pointer: String::new(),
                position: None,
                message: format!("cannot read the file: {error}"),
                help: "check that it exists, may be read and is UTF-8 text".to_owned(),
            }])
        })?;
        Self::parse(path, text)
    }

    /// Parses text that is already here; `path` is for messages.
    pub fn parse(path: &str, text: String) -> Result<Self, Stop> {
        match parse::parse(&text) {
            Ok(value) => Ok(Self {
                path: path.to_owned(),
                text,
                value,
            }),
            Err(problem) => Err(Stop::Unreadable(vec![Finding {
                rule: problem.rule,
                file: path.to_owned(),
                pointer: String::new(),
                position: problem.position,
                message: problem.message,
                help: problem.help.to_owned(),
            }])),
        }
    }

    /// Line and column of a pointer or, failing that, of the nearest place above it that the text has.
    pub fn position(&self, pointer: &str) -> Option<(usize, usize)> {
        locate::nearest(&self.text, pointer)
    }

    /// A finding at a place in this file.
    pub fn finding(
        &self,
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Finding {
        let pointer = pointer.into();
        Finding {
            rule,
            file: self.path.clone(),
            position: self.position(&pointer),
            pointer,
            message: message.into(),
            help: help.into(),
        }
    }
}
