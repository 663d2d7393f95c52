//! Costs of calls, their reservations, and the remaining budget.

mod budget;
mod budget_for;
mod decoding;
mod documented;
mod free_calls;
mod idempotency;
mod interceptors;
mod learned_prices;
mod outcomes;
mod prices;
mod quotes;
mod unknown_prices;
