//! The lines of a journal.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use generated_client::internal::unused_key;
use generated_client::paging::Position;
use generated_client::values::Base64;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::reconciliation::Cost;

/// The version of the form of journals that this crate writes and reads.
pub(super) const VERSION: u8 = 4;

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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<KeptKey>,
    },
    /// An attempt that was or may have been charged. They have numbers, from 1 on.
    Attempt(Attempt),
    /// The amount at risk of an attempt.
    Repriced {
        attempt: u64,
        at_risk: Credits,
    },
    /// These attempts were charged this much together.
    Resolved {
        attempts: Vec<u64>,
        charged: Credits,
    },
    /// What the lost call of an input cost: by a statement of the provider, or nothing, because a later call with its key did the work.
    Found {
        input: String,
        charged: Credits,
    },
    /// A person has settled what earlier runs have at risk. Whose it was is unknown.
    EarlierSettled {},
    /// All attempts at risk were charged this much together.
    Reconciled {
        charged: Credits,
    },
    /// The call was not billed, or the usage has what it cost.
    Settled {
        input: String,
    },
    /// The call was or may have been billed, but returned no record. The usage has what it cost, or what is at risk.
    Unsure {
        input: String,
        #[serde(flatten)]
        call: LostCall,
    },
    /// An earlier run broke off in the call. The usage has what is at risk.
    Lost {
        input: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_risk: Option<Credits>,
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

/// Returns the lines of a journal that ends with a whole one.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_terminator('\n')
}

/// An attempt in the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attempt {
    pub(super) operation: String,
    pub(super) number: u32,
    /// When it ended.
    pub(super) at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) idempotency_key: Option<String>,
    /// The arguments that affect its price, if that was unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unpriced: Option<String>,
    pub(super) cost: Cost,
}

/// What is known of a call that may have been billed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LostCall {
    /// The part of the amount at risk that is of this call, if that is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at_risk: Option<Credits>,
    /// The request id of its only attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) idempotency_key: Option<String>,
}

/// The idempotency key of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptKey {
    pub(super) key: String,
    /// Before it was first sent.
    pub(super) at: Timestamp,
}

impl KeptKey {
    /// Returns a key that no call has used.
    pub(super) fn unused() -> Self {
        Self {
            key: unused_key(),
            at: Timestamp::now(),
        }
    }
}

/// Seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Timestamp(u64);

impl Timestamp {
    pub(super) fn now() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self(now.unwrap_or_default().as_secs())
    }

    pub(super) fn time(self) -> SystemTime {
        let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(self.0));
        time.unwrap_or(SystemTime::UNIX_EPOCH)
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

    /// Returns the run of a journal.
    pub(super) fn of(text: &str) -> Option<Self> {
        match serde_json::from_str(lines(text).next()?).ok()? {
            Line::Run(run) => Some(run),
            _ => None,
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
