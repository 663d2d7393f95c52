//! Single calls: what is sent, what comes back, and the task that a call runs on.

mod extras;
mod formats;
mod forms;
mod native;
mod parameters;
mod raw;
mod replies;
mod requests;
mod responses;
mod set_up;
mod stored;
mod tasks;
