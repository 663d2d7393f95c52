//! Replies that are the pages of a list. Input: the records. Output: the pages, each with a reference to the next one in the style of an
//! operation.

use serde::Serialize;
use serde_json::{Value, json};

use super::Reply;
use crate::paging::{Paged, Source, Style, Target};

impl Reply {
    /// Makes a reply for each page of a list, with its records at this JSON Pointer; empty if the body is the array. Each refers to the
    /// next page in the style of the operation `P`: by a cursor, a link, a flag, or numbers of pages and records. If only an empty page
    /// ends the list, it is added.
    ///
    /// [`with`](Self::with) adds other members of a body, such as a total.
    ///
    /// ```
    /// # use generated_client::paging::Paged;
    /// # use generated_client::testing::{Reply, Script};
    /// # fn example<ListThings: Paged>() -> Script {
    /// let mut replies = Reply::pages::<ListThings>("/data", [vec!["one", "two"], vec!["three"]]);
    /// // The second call fails once.
    /// replies.insert(1, Reply::new(503, ""));
    /// Script::new(replies)
    /// # }
    /// ```
    pub fn pages<P: Paged>(
        at: &str,
        pages: impl IntoIterator<Item = impl IntoIterator<Item = impl Serialize>>,
    ) -> Vec<Self> {
        let pages = pages.into_iter().map(|page| Vec::from_iter(page));
        let mut pages: Vec<Vec<Value>> = pages
            .map(|page| page.iter().map(|record| json!(record)).collect())
            .collect();
        if !ends_by_itself::<P>() {
            pages.push(Vec::new());
        }
        let count = pages.len();
        let total: usize = pages.iter().map(Vec::len).sum();
        let replies = pages.iter().zip(1..).map(|(records, number)| {
            let reply = match at {
                "" => Self::json(records),
                at => Self::page(at, records),
            };
            let has_more = number < count;
            let reply = match P::MORE {
                Some(more) => reply.says(more, &json!(has_more)),
                None => reply,
            };
            let reply = match P::TOTAL {
                Some(at) => reply.says(at, &json!(total)),
                None => reply,
            };
            let following = number.saturating_add(1);
            let link = format!("?page={following}");
            match P::STYLE {
                Style::Number {
                    pages: Some(at), ..
                } => reply.says(at, &json!(count)),
                Style::Cursor {
                    target: Target::Integer(_),
                    next,
                } if has_more => reply.says(next, &json!(following)),
                Style::Cursor { next, .. } if has_more => {
                    reply.says(next, &json!(format!("page-{following}")))
                }
                Style::Link { next } if has_more => reply.says(next, &json!(link)),
                Style::LinkHeader { relation } if has_more => {
                    reply.header("link", &format!("<{link}>; rel=\"{relation}\""))
                }
                _ => reply,
            }
        });
        replies.collect()
    }

    /// Sets this value in a page, unless the last record has it.
    fn says(self, at: Source, value: &Value) -> Self {
        match at {
            _ if at.is_of_record() => self,
            Source::Body(pointers) => match pointers.first() {
                Some(pointer) => self.with(pointer, value),
                None => self,
            },
            Source::Header(name) => match value {
                Value::String(text) => self.header(name, text),
                value => self.header(name, &value.to_string()),
            },
        }
    }
}

/// Returns whether the last page with records marks itself as the last.
fn ends_by_itself<P: Paged>() -> bool {
    let is_said = match P::STYLE {
        Style::Offset => false,
        Style::Number { pages, .. } => pages.is_some(),
        Style::Cursor { next, .. } => !next.is_of_record(),
        Style::Link { .. } | Style::LinkHeader { .. } => true,
    };
    is_said || P::MORE.is_some() || P::TOTAL.is_some()
}
