//! The generator: fixtures, snapshots, freshness, architecture: see `tests/`.
