//! Error responses as the document describes them, by operation.

use crate::document::api::Operation;
use crate::error::StatusError;
use crate::error::error::Error;

/// A builder whose document describes the bodies of its error responses. For generated code; [`Error::documented`] reads them.
///
/// ```
/// use generated_client::Error;
/// use generated_client::error::DocumentedErrors;
///
/// fn shown<B: DocumentedErrors>(error: &Error) -> String
/// where
///     B::Error: std::fmt::Debug,
/// {
///     match error.documented::<B>() {
///         Some(documented) => format!("{documented:?}"),
///         None => error.to_string(),
///     }
/// }
/// ```
pub trait DocumentedErrors {
    /// The type of the bodies, or an enum of several.
    type Error;

    /// The operation of the builder.
    const OPERATION: &'static Operation;

    /// Decodes the body of an error response as the type that is documented for its status code.
    fn read(error: &StatusError) -> Option<Self::Error>;
}

impl Error {
    /// Decodes the body of an error response as the document describes it for this operation and status code, with the tolerance of any
    /// other response. [`status`](Self::status) and [`body`](Self::body) return the raw parts.
    ///
    /// `None` if there is no error response, its body is undocumented for this status or does not match, or the error is of another
    /// operation. [`body_as`](Self::body_as) says why a body does not decode.
    ///
    /// ```
    /// # use generated_client::Method;
    /// # use generated_client::document::{Operation, Shape};
    /// use generated_client::Error;
    /// use generated_client::error::{DocumentedErrors, StatusError};
    ///
    /// # static GET_THING: Operation = Operation {
    /// #     id: "getThing",
    /// #     method: Method::GET,
    /// #     path: "/v1/thing",
    /// #     extension: None,
    /// #     response: &Shape::Any,
    /// # };
    /// # struct GetThing;
    /// # #[derive(serde::Deserialize)]
    /// # struct Problem {
    /// #     title: String,
    /// # }
    /// // Generated crates contain this.
    /// impl DocumentedErrors for GetThing {
    ///     type Error = Problem;
    ///     const OPERATION: &'static Operation = &GET_THING;
    ///
    ///     fn read(error: &StatusError) -> Option<Problem> {
    ///         match error.status.as_u16() {
    ///             404 => error.body_as().ok(),
    ///             _ => None,
    ///         }
    ///     }
    /// }
    ///
    /// fn title(error: &Error) -> Option<String> {
    ///     Some(error.documented::<GetThing>()?.title)
    /// }
    /// ```
    pub fn documented<O: DocumentedErrors>(&self) -> Option<O::Error> {
        match self.of_call() {
            Self::Status(error) if error.operation == O::OPERATION => O::read(error),
            _ => None,
        }
    }
}
