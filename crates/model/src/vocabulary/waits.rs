//! Operations that report the progress of a job, and the operations that start it.

/// An operation that reports the progress of a job.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Its id.
    pub operation: String,
    /// JSON Pointers into the body: it is done once a value is at one of them.
    pub done: Vec<String>,
    /// It has failed once a value is at one of these.
    pub failed: Vec<String>,
    /// The operations whose response identifies it by its only required parameter, a string.
    pub submissions: Vec<Submission>,
}

/// An operation that starts what can be waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Its id.
    pub operation: String,
    /// The schema of its response.
    pub response: String,
    /// The member of the response that the other operation takes.
    pub property: String,
}
