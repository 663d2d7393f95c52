//! The lines of a journal.

use std::collections::BTreeMap;

use generated_client::paging::Position;
use generated_client::values::Base64;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::money::Usage;
use crate::money::credits::Credits;

/// The version of the form of journals that this crate writes and reads.
pub(super) const VERSION: u8 = 3;

/// A fact. `input` is what a call was for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Line {
    Run(Run),
    Usage(Usage),
    /// A call that costs this much at most; all that is left, where no price is known.
    Began {
        input: String,
        at_most: Option<Credits>,
    },
    /// The call was not billed, or the usage has what it cost.
    Settled {
        input: String,
    },
    /// The call was or may have been billed, but returned no record. The usage has what it cost, or what is at risk.
    Unsure {
        input: String,
    },
    /// A paid response that nothing has kept yet. The usage has what it cost.
    Brought {
        input: String,
        body: Body,
    },
    /// A record is delivered, but not all of its page. The usage has what the page cost.
    Within {
        input: String,
        position: Position,
    },
    /// The last record of a page is delivered.
    At {
        input: String,
        position: Position,
    },
    /// All that was wanted of it is there: one page, or this many records.
    Enough {
        input: String,
        most: Option<u64>,
    },
    Done {
        input: String,
    },
    Refused {
        input: String,
        why: String,
    },
}

/// The body of a response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Body {
    Text(String),
    Base64(Base64),
}

impl From<&[u8]> for Body {
    fn from(bytes: &[u8]) -> Self {
        match str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64(Base64::from(bytes.to_vec())),
        }
    }
}

impl Body {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Base64(base64) => base64.bytes().unwrap_or_default().to_vec(),
        }
    }
}

/// Identity of a run: a name, and everything else that must be the same when a later run continues it.
///
/// ```
/// use metered_client::journal::Run;
///
/// let run = Run::new("enrich").part("sections", ["people"]);
/// # assert_ne!(run, "enrich".into());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    name: String,
    #[serde(default)]
    version: u8,
    parts: BTreeMap<String, Value>,
}

impl Run {
    /// Returns a run with a name and nothing else.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: VERSION,
            parts: BTreeMap::new(),
        }
    }

    /// Adds something that a later run must have too.
    #[must_use]
    pub fn part(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.parts.insert(name.into(), value.into());
        self
    }

    pub(super) fn has_this_version(&self) -> bool {
        self.version == VERSION
    }

    /// Returns the first difference of `other`, the run of a journal, as people read it. Parts that this run lacks do not matter.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let own = self.parts.iter();
        let parts = own.map(|(name, own)| (name.as_str(), Some(own), other.parts.get(name)));
        let (own, theirs) = (Value::from(&*self.name), Value::from(&*other.name));
        let name = ("name", Some(&own), Some(&theirs));
        let mut all = [name].into_iter().chain(parts);
        let (name, own, theirs) = all.find(|(_, own, theirs)| own != theirs)?;
        let shown = |value: Option<&Value>| match value {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => "nothing".to_owned(),
        };
        Some(format!(
            "its {name}: {}, and not {}",
            shown(theirs),
            shown(own)
        ))
    }

    /// Returns whether a first line that broke off may be of this run.
    pub(super) fn begins_with(&self, text: &str) -> bool {
        let line = serde_json::to_string(&Line::Run(self.clone())).unwrap_or_default();
        // Without the parts that do not matter to this run.
        line.starts_with(text) || text.starts_with(line.trim_end_matches('}'))
    }
}

impl From<&str> for Run {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for Run {
    fn from(name: String) -> Self {
        Self::new(name)
    }
}
