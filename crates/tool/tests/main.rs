//! The program as others run it: by hand, and by the action in their CI.

mod action;
mod elsewhere;
