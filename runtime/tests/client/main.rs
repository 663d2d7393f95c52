//! A client from the outside: through its public interface, against a transport in memory or a socket of this machine.

mod answers;
mod network;
mod requests;
mod secrets;
mod support;
