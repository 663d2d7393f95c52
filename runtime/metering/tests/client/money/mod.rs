//! What calls cost, what they reserve, and what they leave on the caller's budget.

mod budget;
mod budget_of;
mod decoding;
mod free_calls;
mod idempotency;
mod learned_prices;
mod outcomes;
mod prices;
mod quotes;
mod unknown_prices;
