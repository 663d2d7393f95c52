//! Faults between a client and a service that bills, over local sockets. The folder `cases` is the specification: each of its files is
//! played and compared, for single calls, pages and waiting. `moments` has the faults that fit no file.

mod calls;
pub(crate) mod every_error;
mod files;
mod moments;
mod page;
mod paging;
mod secrets;
mod waiting;

use company_intel::Error;

/// Runs all futures at the same time, and returns their results in order.
async fn join_all<F>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let running: Vec<_> = futures.into_iter().map(tokio::spawn).collect();
    let mut results = Vec::new();
    for running in running {
        results.push(running.await.unwrap());
    }
    results
}

/// Returns the kind of a call's error, in the words of the cases.
fn kind_of(error: &Error) -> String {
    match error {
        Error::Status(_) => "status".to_owned(),
        Error::Decode(_) => "decode".to_owned(),
        Error::Transport(error) => format!("{:?}", error.kind()).to_lowercase(),
        other => format!("{other:?}"),
    }
}
