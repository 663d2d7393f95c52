//! Accounts in Redis or Valkey: a script for each step.
//!
//! Amounts are whole millionths of a credit. The scripts count in the numbers of Lua, which are exact up to 2^53.

mod connect;
mod connection;
mod fitness;
mod lines;
mod link;
mod scripts;
mod steps;
mod turns;

pub use connection::RedisStore;
