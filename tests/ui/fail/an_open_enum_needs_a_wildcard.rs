//! The service may send a new enum value, and a later document may list it.

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
