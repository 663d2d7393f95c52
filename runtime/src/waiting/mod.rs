//! Waiting for what a service does after its response: polling until it is done.
//!
//! ```
//! use std::time::Duration;
//!
//! use metered_client::document::{Operation, Shape};
//! use metered_client::request::Request;
//! use metered_client::testing::{Reply, Script};
//! use metered_client::waiting::{Polls, Wait, Waiter};
//! use metered_client::{Client, ClientBuilder, Method};
//! use serde_json::Value;
//! # use metered_client::document::{Api, Auth};
//! # static API: Api = Api {
//! #     name: "example",
//! #     version: "1.2.3",
//! #     environment: "EXAMPLE",
//! #     base_url: None,
//! #     auth: Auth::None,
//! #     is_metered: true,
//! #     charge: Some("cost"),
//! # };
//!
//! static GET_JOB: Operation = Operation {
//!     id: "getJob",
//!     method: Method::GET,
//!     path: "/v1/job",
//!     prices: &[],
//!     priced_by: &[],
//!     charge: None,
//!     response: &Shape::Any,
//! };
//! static WAITER: Waiter = Waiter { done: &["/result"], failed: &["/error"] };
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), metered_client::Error> {
//! # let replies = [r#"{"result": null}"#, r#"{"result": 7}"#, r#"{"result": 8}"#].map(|body| Reply::new(200, body));
//! # let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(Script::new(replies)).build()?;
//! let wait: Wait<Value> = Wait::new(client.clone(), Request::new(&GET_JOB), &WAITER);
//! let done = wait.deadline(Duration::from_secs(60)).await?;
//! assert_eq!(done.body["result"], 7);
//!
//! // With the responses before the last one, for a display of how far it is.
//! let mut polls: Polls<Value> = Wait::new(client, Request::new(&GET_JOB), &WAITER).polls();
//! while let Some(response) = polls.next().await {
//!     println!("{}", response?.body);
//! }
//! # Ok(())
//! # }
//! ```

mod wait;

pub use wait::{Polls, Wait, Waiter};
