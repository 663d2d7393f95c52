//! The service may send a new word tomorrow, and the document list it the day after.

use company_intel::types::CompanyStatus;

fn is_listed(status: &CompanyStatus) -> bool {
    match status {
        CompanyStatus::Public => true,
        CompanyStatus::Private => false,
        CompanyStatus::Acquired => false,
        CompanyStatus::Delisted => false,
        CompanyStatus::Unknown => false,
        CompanyStatus::Unrecognized(_) => false,
    }
}

fn main() {}
