//! Where a lenient decode is in the body, and which values it has set aside.
//!
//! `Deserialize` has no parameter to pass either of them in; a decode is synchronous and stays on its thread, so a thread-local reaches them,
//! as in [`lenient`](crate::decode::lenient).

use std::cell::RefCell;
use std::fmt;
use std::mem;

use serde::de::Error;
use serde_json::value::RawValue;

use crate::decode::allowance::draw;
use crate::decode::pointer::{Located, Step, pointer};
use crate::secret::quotation::{MESSAGE, POINTER, escaped};

/// Decodes within decodes: each takes some of the stack, and reads its value once more.
const DEEPEST: usize = 64;

/// A value that a decode has left out because it is not what its document says: an optional field, or an element of a list or map.
///
/// The records of a page have [`rejects`](crate::Records::rejects) instead.
#[derive(Clone)]
#[non_exhaustive]
pub struct SetAside {
    /// JSON Pointer to the value in the body. Of one of more than 200 characters, the beginning and the end; control characters are escaped.
    pub pointer: String,
    /// Why the value does not decode, in one line of at most about 400 characters, without the API key.
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
    /// Where in `path` the innermost decode began, and how many are around it.
    base: usize,
    depth: usize,
    /// Pointer to what does not fit, from where the innermost decode began.
    failed: Option<String>,
    /// The name of the member whose value is next.
    member: Option<String>,
    /// `None` where nobody collects what is set aside.
    aside: Option<Vec<SetAside>>,
}

thread_local! {
    static POSITION: RefCell<Position> = const { RefCell::new(Position {
        path: Vec::new(), base: 0, depth: 0, failed: None, member: None, aside: None,
    }) };
}

/// Runs a decode, and returns the values that it has set aside.
pub(crate) fn collecting<R>(decode: impl FnOnce() -> R) -> (R, Vec<SetAside>) {
    struct Restore(Position);

    impl Drop for Restore {
        fn drop(&mut self) {
            POSITION.replace(mem::take(&mut self.0));
        }
    }

    let _restore = Restore(POSITION.replace(Position {
        aside: Some(Vec::new()),
        ..Position::default()
    }));
    let read = decode();
    let aside = POSITION.with_borrow_mut(|position| position.aside.take());
    (read, aside.unwrap_or_default())
}

/// Forgets what was set aside so far: the body is read once more.
pub(crate) fn begin_again() {
    POSITION.with_borrow_mut(|position| {
        if let Some(aside) = &mut position.aside {
            aside.clear();
        }
    });
}

/// A decode within another one, to its end. Of one that fails nothing stays set aside, and the error is located from where it began. What is
/// the same for all types is no part of the functions that each type has of its own.
pub(crate) struct Inner {
    base: usize,
    path: usize,
    failed: Option<String>,
    /// How many values were set aside before it.
    aside: usize,
}

impl Inner {
    pub(crate) fn begin() -> Result<Self, Located> {
        let (inner, is_too_deep) = POSITION.with_borrow_mut(|position| {
            position.depth = position.depth.saturating_add(1);
            let inner = Self {
                base: mem::replace(&mut position.base, position.path.len()),
                path: position.path.len(),
                failed: position.failed.take(),
                aside: position.aside.as_ref().map_or(0, Vec::len),
            };
            (inner, position.depth > DEEPEST)
        });
        match is_too_deep {
            true => Err(inner.failed("nested too deeply".to_owned())),
            false => Ok(inner),
        }
    }

    pub(crate) fn failed(&self, message: String) -> Located {
        POSITION.with_borrow_mut(|position| {
            if let Some(all) = &mut position.aside {
                all.truncate(self.aside);
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

/// Reads what is one step further in.
pub(crate) fn at<T, E>(step: Step, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    enter(step);
    let read = read();
    leave(read.is_ok());
    read
}

/// Begins to read what is one step further in.
pub(crate) fn enter(step: Step) {
    POSITION.with_borrow_mut(|position| position.path.push(step));
}

/// Ends what [`enter`] began.
pub(crate) fn leave(is_read: bool) {
    POSITION.with_borrow_mut(|position| {
        // A failure further in was mended.
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
pub(crate) fn is_called(name: &str) {
    POSITION.with_borrow_mut(|position| position.member = Some(name.to_owned()));
}

/// Begins to read the value of the member whose name was read last.
pub(crate) fn enter_member() {
    POSITION.with_borrow_mut(|position| {
        let name = position.member.take().unwrap_or_default();
        position.path.push(Step::Member(name));
    });
}

/// Sets aside the value at this place, which failed like this.
pub(crate) fn set_aside<E: Error>(raw: Box<RawValue>, why: &Located) -> Result<(), E> {
    let size = POSITION.with_borrow_mut(|position| {
        let pointer = pointer(&position.path);
        let aside = position.aside.as_mut()?;
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
        let size = one.pointer.len() + one.message.len() + one.raw.get().len();
        aside.push(one);
        Some(size + size_of::<SetAside>())
    });
    size.map_or(Ok(()), draw)
}
