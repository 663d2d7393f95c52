//! The lines of a journal.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use crate::paging::Position;
use crate::values::Base64;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::money::budget::{CallLabel, Sent};
use crate::money::credits::Credits;

/// The version of the form of journals that this crate writes and reads.
pub(super) const VERSION: u8 = 6;

/// A fact. `input` is what a call was for: a website in one spelling. Attempts have numbers, from 1 on.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Line {
    Run(Run),
    /// The earlier run broke off: what it had in flight is at risk.
    Interrupted {},
    /// An attempt is sent.
    Attempt(Attempt),
    /// An attempt was charged this much.
    Charged {
        attempt: u64,
        credits: Credits,
    },
    /// An attempt was not charged.
    Refunded {
        attempt: u64,
    },
    /// An attempt may have been charged this much; `None`: any amount.
    AtRisk {
        attempt: u64,
        credits: Option<Credits>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
    },
    /// The amount at risk of these attempts, which are one piece of work.
    Repriced {
        attempts: Vec<u64>,
        credits: Credits,
    },
    /// A later attempt with their idempotency key accounts for these attempts.
    Replaced {
        attempts: Vec<u64>,
    },
    /// These attempts were charged this much together, as a person says.
    Settled {
        attempts: Vec<u64>,
        credits: Credits,
    },
    /// The calls of the input so far have done what they were made for.
    Passed {
        input: String,
    },
    /// A paid response that nothing has kept yet.
    Brought {
        input: String,
        body: Body,
    },
    /// A record is delivered, but not all of its page.
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

/// An attempt, before it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attempt {
    /// What the call is for, if the journal makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) input: Option<String>,
    pub(super) operation: String,
    /// Its number within the call, from 1 on.
    pub(super) number: u32,
    pub(super) at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) idempotency_key: Option<String>,
    /// The arguments that affect its price, if that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unpriced: Option<String>,
    /// The amount that is reserved for it, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reserved: Option<Credits>,
    /// The amount that it has at risk if nothing more is known of it; `None`: any amount.
    pub(super) at_risk: Option<Credits>,
}

impl Attempt {
    pub(super) fn new(sent: Sent<'_>) -> Self {
        let Sent {
            call,
            reserved,
            at_risk,
            ..
        } = sent;
        Self {
            input: call.input.as_deref().map(str::to_owned),
            operation: call.operation.clone().into_owned(),
            number: call.attempt,
            at: Timestamp::now(),
            idempotency_key: call.idempotency_key.clone(),
            unpriced: call.unpriced.clone(),
            reserved: Some(reserved).filter(|_| at_risk != Some(reserved)),
            at_risk,
        }
    }

    pub(super) fn reserved(&self) -> Option<Credits> {
        self.reserved.or(self.at_risk)
    }

    pub(super) fn label(&self, request_id: Option<String>) -> CallLabel {
        CallLabel {
            operation: self.operation.clone().into(),
            attempt: self.number,
            request_id,
            idempotency_key: self.idempotency_key.clone(),
            input: self.input.as_deref().map(Into::into),
            unpriced: self.unpriced.clone(),
        }
    }
}

/// Seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Timestamp(u64);

impl Timestamp {
    pub(super) fn now() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self(now.unwrap_or_default().as_secs())
    }

    /// Returns the time since then, at most a second too long; `None` if the clock was set back.
    pub(super) fn age(self) -> Option<Duration> {
        let seconds = Self::now().0.checked_sub(self.0)?;
        Some(Duration::from_secs(seconds.saturating_add(1)))
    }
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
    /// Returns the bytes; `None` if the line was changed.
    pub(super) fn into_bytes(self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.into_bytes()),
            Self::Base64(base64) => base64.bytes(),
        }
    }
}

/// Identity of a run: a name, and everything else that must be the same when a later run continues it.
///
/// ```
/// use generated_client::journal::Run;
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
