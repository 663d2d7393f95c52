//! A field that the service adds is no breaking change: callers neither build a response nor match all of its fields.

use company_intel::types::CodeName;

fn builds() -> CodeName {
    CodeName {
        code: String::new(),
        name: String::new(),
    }
}

fn takes_apart(entry: CodeName) {
    let CodeName { code, name } = entry;
}

fn main() {}
