//! The position of a lenient decode in the body, and the values that it has set aside.
//!
//! `Deserialize` has no parameter for either. A decode is synchronous and stays on its thread, so a thread-local reaches it, as in
//! [`lenient`](crate::decode::lenient).

use std::cell::RefCell;
use std::fmt;
use std::mem;

use serde::de::Error;
use serde_json::value::RawValue;

use crate::decode::allowance::{draw, draw_element};
use crate::decode::pointer::{Located, Step, pointer};
use crate::secret::quotation::{MESSAGE, POINTER, escaped};

/// The limit of nested decodes: each takes some of the stack and reads its value once more.
const DEEPEST: usize = 64;

/// A value that a decode has left out because it does not match the document: an optional field, or an element of a list or map.
///
/// The records of a page have [`rejects`](crate::Records::rejects) instead.
#[derive(Clone)]
#[non_exhaustive]
pub struct SetAside {
    /// JSON Pointer to the value in the body. If it is longer than 200 characters, its middle is cut. Control characters are escaped.
    pub pointer: String,
    /// The reason why the value does not decode, in one line of at most about 400 characters, without the API key.
    pub message: String,
    /// The value as the service sent it.
    pub raw: Box<RawValue>,
}

impl fmt::Debug for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetAside")
            .field("pointer", &self.pointer)
            .field("message", &self.message)
            .field("raw", &format_args!("{} bytes", self.raw.get().len()))
            .finish()
    }
}

#[derive(Default)]
struct Position {
    path: Vec<Step>,
    /// The length of `path` where the innermost decode began, and the number of decodes around it.
    base: usize,
    depth: usize,
    /// Pointer to the value that does not decode, relative to the start of the innermost decode.
    failed: Option<String>,
    /// The name of the member whose value is next.
    member: Option<String>,
    /// `None` if set-aside values are not collected.
    collected: Option<Vec<SetAside>>,
}

thread_local! {
    static POSITION: RefCell<Position> = const { RefCell::new(Position {
        path: Vec::new(), base: 0, depth: 0, failed: None, member: None, collected: None,
    }) };
}

/// Runs a decode and returns the values that it has set aside.
pub(crate) fn collecting<R>(decode: impl FnOnce() -> R) -> (R, Vec<SetAside>) {
    struct Restore(Position);

    impl Drop for Restore {
        fn drop(&mut self) {
            POSITION.replace(mem::take(&mut self.0));
        }
    }

    let _restore = Restore(POSITION.replace(Position {
        collected: Some(Vec::new()),
        ..Position::default()
    }));
    let read = decode();
    let collected = POSITION.with_borrow_mut(|position| position.collected.take());
    (read, collected.unwrap_or_default())
}

/// Forgets the values set aside so far, because the body is decoded again.
pub(crate) fn begin_again() {
    POSITION.with_borrow_mut(|position| {
        if let Some(collected) = &mut position.collected {
            collected.clear();
        }
    });
}

/// A decode within another one. If it fails, nothing stays set aside, and the error is located relative to its start. The type-independent
/// code is here, so that it is not compiled per type.
pub(crate) struct Inner {
    base: usize,
    path: usize,
    failed: Option<String>,
    /// The number of values set aside before it.
    collected: usize,
}

impl Inner {
    pub(crate) fn begin() -> Result<Self, Located> {
        let (inner, is_too_deep) = POSITION.with_borrow_mut(|position| {
            position.depth = position.depth.saturating_add(1);
            let inner = Self {
                base: mem::replace(&mut position.base, position.path.len()),
                path: position.path.len(),
                failed: position.failed.take(),
                collected: position.collected.as_ref().map_or(0, Vec::len),
            };
            (inner, position.depth > DEEPEST)
        });
        if is_too_deep {
            Err(inner.failed("nested too deeply".to_owned()))
        } else {
            Ok(inner)
        }
    }

    pub(crate) fn failed(&self, message: String) -> Located {
        POSITION.with_borrow_mut(|position| {
            if let Some(all) = &mut position.collected {
                all.truncate(self.collected);
            }
            let pointer = position.failed.take().unwrap_or_default();
            Located { pointer, message }
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        POSITION.with_borrow_mut(|position| {
            position.path.truncate(self.path);
            position.base = self.base;
            position.failed = self.failed.take();
            position.depth = position.depth.saturating_sub(1);
        });
    }
}

/// Reads a value one step deeper.
pub(crate) fn at<T, E>(step: Step, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    enter(step);
    let read = read();
    leave(read.is_ok());
    read
}

/// Begins to read a value one step deeper.
pub(crate) fn enter(step: Step) {
    POSITION.with_borrow_mut(|position| position.path.push(step));
}

/// Ends the step that [`enter`] began.
pub(crate) fn leave(is_read: bool) {
    POSITION.with_borrow_mut(|position| {
        // A failure further in was handled.
        if is_read {
            position.failed = None;
        } else if position.failed.is_none() {
            let path = position.path.get(position.base..).unwrap_or_default();
            position.failed = Some(pointer(path));
        }
        position.path.pop();
    });
}

/// Notes the name of a member, whose value is next.
pub(crate) fn note_member(name: &str) {
    POSITION.with_borrow_mut(|position| position.member = Some(name.to_owned()));
}

/// Begins to read the value of the member whose name was read last.
pub(crate) fn enter_member() {
    POSITION.with_borrow_mut(|position| {
        let name = position.member.take().unwrap_or_default();
        position.path.push(Step::Member(name));
    });
}

/// Sets aside the value at this place with the reason of its failure.
pub(crate) fn set_aside<E: Error>(raw: Box<RawValue>, why: &Located) -> Result<(), E> {
    let size = POSITION.with_borrow_mut(|position| {
        let pointer = pointer(&position.path);
        let collected = position.collected.as_mut()?;
        let message = match why.pointer.as_str() {
            "" => escaped(&why.message, MESSAGE),
            inside => format!(
                "at `{}`: {}",
                escaped(inside, POINTER),
                escaped(&why.message, MESSAGE)
            ),
        };
        let one = SetAside {
            pointer: escaped(&pointer, POINTER),
            message,
            raw,
        };
        let texts = one.pointer.len() + one.message.len() + one.raw.get().len();
        collected.push(one);
        Some((texts, collected.len() - 1))
    });
    let Some((texts, before)) = size else {
        return Ok(());
    };
    draw_element(size_of::<SetAside>(), before)?;
    draw(texts)
}
