//! Waits for long-running operations by polling.
//!
//! ```
//! use std::time::Duration;
//!
//! use generated_client::document::Operation;
//! use generated_client::request::Request;
//! use generated_client::testing::{Reply, Script};
//! use generated_client::waiting::{Polls, Wait, Waiter};
//! use generated_client::{Client, ClientBuilder};
//! use serde_json::Value;
//! # use generated_client::document::Api;
//! # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//!
//! static GET_JOB: Operation = Operation::get("getJob", "/v1/job");
//! static WAITER: Waiter = Waiter { done: &["/result"], failed: &["/error"] };
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), generated_client::Error> {
//! # let replies = [r#"{"result": null}"#, r#"{"result": 7}"#, r#"{"result": 8}"#].map(|body| Reply::new(200, body));
//! # let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(Script::new(replies)).build()?;
//! let wait: Wait<Value> = Wait::new(client.clone(), Request::new(&GET_JOB), &WAITER);
//! let done = wait.deadline(Duration::from_secs(60)).await?;
//! assert_eq!(done.body["result"], 7);
//!
//! // With all responses, to display the progress.
//! let mut polls: Polls<Value> = Wait::new(client, Request::new(&GET_JOB), &WAITER).polls();
//! while let Some(response) = polls.next().await {
//!     println!("{}", response?.body);
//! }
//! # Ok(())
//! # }
//! ```
#![cfg_attr(feature = "metered", doc = "\nNext: [money](super::money).")]

mod wait;

pub use wait::{Polls, Wait, Waiter};
