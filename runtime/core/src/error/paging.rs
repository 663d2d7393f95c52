//! Messages of paging errors.

use std::fmt;

use crate::error::error::{Error, PagingCause, PagingError};
use crate::response::response::Response;

impl PagingError {
    pub(crate) fn call(&self) -> Option<&Error> {
        match &self.cause {
            PagingCause::Call(error) => Some(error),
            PagingCause::Stalled { .. }
            | PagingCause::Unknown { .. }
            | PagingCause::Short { .. } => None,
        }
    }

    pub(crate) fn response(&self) -> Option<&Response<()>> {
        match &self.cause {
            PagingCause::Call(_) => None,
            PagingCause::Stalled { page, .. }
            | PagingCause::Unknown { page, .. }
            | PagingCause::Short { page, .. } => Some(page),
        }
    }

    fn write_way_on(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position.offset() {
            Some(offset) => write!(f, "; start a new run at {offset}"),
            None => f.write_str("; a new run continues at `position`"),
        }
    }
}

impl fmt::Display for PagingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            operation, offset, ..
        } = self;
        match &self.cause {
            PagingCause::Call(error) if self.position.offset().is_some() => {
                write!(f, "no page from offset {offset} on: {error}")
            }
            PagingCause::Call(error) => write!(f, "no page after {offset} records: {error}"),
            PagingCause::Stalled { repeats, .. } if self.position.offset().is_none() => {
                let earlier = repeats.unwrap_or_default();
                write!(
                    f,
                    "{operation} was asked for the page after {offset} records and sent the one after {earlier}"
                )?;
                self.write_way_on(f)
            }
            PagingCause::Stalled {
                echoed,
                repeats,
                after,
                ..
            } => {
                write!(
                    f,
                    "{operation} was asked for the page at offset {offset} and sent "
                )?;
                match (echoed, repeats) {
                    (Some(echoed), _) => write!(f, "the one at {echoed}")?,
                    (None, Some(earlier)) => write!(f, "the records of the one at {earlier}")?,
                    (None, None) => write!(f, "another one")?,
                }
                self.write_way_on(f)?;
                write!(
                    f,
                    ", or at {after} after using the records of `take_refused`"
                )
            }
            PagingCause::Unknown { problem, .. } => {
                write!(
                    f,
                    "{operation} sent {offset} records, but the next page cannot be requested: the last page {problem}"
                )
            }
            PagingCause::Short {
                promised, received, ..
            } => {
                write!(
                    f,
                    "{operation} promised {promised} records and sent {received}"
                )?;
                self.write_way_on(f)?;
                write!(f, ", and stop when a run delivers nothing")
            }
        }?;
        match self.missing.filter(|missing| missing < offset) {
            Some(missing) => write!(
                f,
                " (records of a list are missing from offset {missing} on)"
            ),
            None => Ok(()),
        }
    }
}

/// The message includes that of the call, so the chain continues behind it.
impl std::error::Error for PagingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.call()?.source()
    }
}
