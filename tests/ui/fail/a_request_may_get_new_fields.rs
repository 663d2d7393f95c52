//! A property that the document adds to a body is no breaking change: callers make the body with `new` and setters.

use company_intel::types::AddCompanyRequest;

fn builds() -> AddCompanyRequest {
    AddCompanyRequest {
        company_name: String::new(),
        website: String::new(),
    }
}

fn main() {}
