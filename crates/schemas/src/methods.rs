//! The methods of operations.

/// The methods that a path item may have, in the order in which operations are listed.
pub const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];
