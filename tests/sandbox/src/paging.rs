//! Paging of an operation by limit and offset, as in `x-pagination`.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Limit of a paged operation without a documented one: the observed limit.
const SEEN_LIMIT: u64 = 10;

/// The `x-pagination` extension, in its notation: `$.data`, or a parameter.
pub(crate) struct Paging {
    pub(crate) limit: Option<String>,
    offset: String,
    /// Place of the records.
    pub(crate) items: String,
    /// Place of their total number, if the response has it.
    pub(crate) total: Option<String>,
}

/// The requested page.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) limit: u64,
    pub(crate) offset: u64,
}

impl Paging {
    /// Reads the `x-pagination` of an operation with parameters of these names; `None` if it pages otherwise, or not at all.
    pub(crate) fn read(
        operation: &Value,
        is_parameter: impl Fn(&str) -> bool,
    ) -> Result<Option<Self>> {
        let text = |key: &str| {
            let at = format!("/x-pagination/{key}");
            operation
                .pointer(&at)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        // A member of the body begins with a dollar.
        let parameter = |key: &str| text(key).filter(|name| !name.starts_with('$'));
        let Some(offset) = parameter("offset") else {
            return Ok(None);
        };
        let limit = parameter("limit");
        for name in limit.iter().chain([&offset]) {
            ensure!(
                is_parameter(name),
                "paging by {name}, which is not a parameter"
            );
        }
        Ok(Some(Self {
            limit,
            offset,
            items: text("items").context("there is no string at /items")?,
            total: text("total"),
        }))
    }

    /// Returns the requested page, by the arguments.
    pub(crate) fn page(&self, argument: impl Fn(&str) -> Option<u64>) -> Page {
        let limit = self.limit.as_deref().and_then(&argument);
        Page {
            limit: limit.unwrap_or(SEEN_LIMIT),
            offset: argument(&self.offset).unwrap_or_default(),
        }
    }

    /// Returns the parameters that a response repeats.
    pub(crate) fn echoed(&self) -> impl Iterator<Item = &String> {
        self.limit.iter().chain([&self.offset])
    }

    /// Returns the applied values of these.
    pub(crate) fn echo(&self, page: &Page) -> Vec<(String, Value)> {
        let limit = self.limit.clone().map(|name| (name, page.limit.into()));
        let offset = (self.offset.clone(), page.offset.into());
        limit.into_iter().chain([offset]).collect()
    }

    /// Reduces made-up records to the requested page. Records in several lists stay unchanged.
    pub(crate) fn cut(&self, page: &Page, body: &mut Value) {
        let Some(Value::Array(records)) = body.pointer_mut(&pointer(&self.items)) else {
            return;
        };
        let all = std::mem::take(records);
        let total = all.len();
        *records = page.of(all);
        let at = self.total.as_deref().map(pointer);
        if let Some(at) = at.and_then(|at| body.pointer_mut(&at)) {
            *at = total.into();
        }
    }
}

impl Page {
    pub(crate) fn of(&self, records: Vec<Value>) -> Vec<Value> {
        let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        let records = records.into_iter().skip(number(self.offset));
        records.take(number(self.limit)).collect()
    }
}

fn pointer(path: &str) -> String {
    path.trim_start_matches('$').replace('.', "/")
}
