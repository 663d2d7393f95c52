//! A field that the service adds is no breaking change: nobody outside builds or exhausts a response.

use company_intel::types::CodeName;

fn builds() -> CodeName {
    CodeName {
        code: None,
        name: None,
    }
}

fn takes_apart(entry: CodeName) {
    let CodeName { code, name } = entry;
}

fn main() {}
