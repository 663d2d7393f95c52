//! Error responses as the document describes them.

use serde::de::DeserializeOwned;

use crate::error::error::Error;

/// A type of documented error bodies. For generated code; [`Error::documented`] reads them.
///
/// ```
/// use generated_client::Error;
/// use generated_client::error::DocumentedError;
///
/// fn shown<T: DocumentedError + std::fmt::Debug>(error: &Error) -> String {
///     match error.documented::<T>() {
///         Some(documented) => format!("{documented:?}"),
///         None => error.to_string(),
///     }
/// }
/// ```
pub trait DocumentedError: DeserializeOwned {
    /// Returns the status codes for which the document has this type in an operation: the first and the last one of each range.
    fn statuses(operation: &str) -> &'static [(u16, u16)];
}

impl Error {
    /// Decodes the body of an error response as a type that the document has for this operation and status code, with the tolerance of any
    /// other response, but without leaving out what does not match. [`status`](Self::status) and [`body`](Self::body) return the raw parts.
    ///
    /// `None` if there is no error response, the document has another type for it or none, or the body does not match.
    /// [`body_as`](Self::body_as) decodes it whatever the document says, and says why a body does not decode.
    ///
    /// ```
    /// use generated_client::Error;
    /// use generated_client::error::DocumentedError;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Problem {
    ///     title: String,
    /// }
    ///
    /// // Generated crates contain this.
    /// impl DocumentedError for Problem {
    ///     fn statuses(operation: &str) -> &'static [(u16, u16)] {
    ///         match operation {
    ///             "getThing" => &[(404, 404)],
    ///             _ => &[],
    ///         }
    ///     }
    /// }
    ///
    /// fn title(error: &Error) -> Option<String> {
    ///     Some(error.documented::<Problem>()?.title)
    /// }
    /// ```
    pub fn documented<T: DocumentedError>(&self) -> Option<T> {
        let Self::Status(error) = self.of_call() else {
            return None;
        };
        let status = error.status.as_u16();
        let mut documented = T::statuses(error.operation.id).iter();
        let is_documented = documented.any(|(first, last)| (*first..=*last).contains(&status));
        is_documented.then(|| error.body_as().ok()).flatten()
    }
}
