//! Where the API key goes, and where it never shows.

mod key;
mod spellings;
