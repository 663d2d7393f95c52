//! What pages for users promise is played by tests, and has the numbers of the code.

use super::purity::rust_files;
use crate::support::repository;

/// What begins each row of the limits of the guarantee, and the test that plays it.
const LIMITS: [(&str, &str); 18] = [
    (
        "a call has an unknown price",
        "no_level_is_exceeded_but_by_the_one_call_that_shows_its_price",
    ),
    (
        "a call has an estimated price",
        "less_than_the_estimate_is_reserved_where_less_is_left",
    ),
    (
        "a call costs more than its estimate",
        "a_level_is_exceeded_by_the_calls_in_flight_that_cost_more_than_their_estimates",
    ),
    (
        "the price rises",
        "a_price_that_rises_is_a_surprise_once_and_known_from_then_on",
    ),
    (
        "`.price()` or `assume_price` is below",
        "a_price_that_the_caller_gives_is_reserved_and_its_excess_is_a_surprise",
    ),
    (
        "a service bills a status code",
        "a_status_that_is_assumed_to_be_unbilled_is_not_booked_and_two_clients_have_two_budgets",
    ),
    (
        "the service bills an amount that differs",
        "every_ending_of_a_paid_and_of_a_free_call",
    ),
    ("`RetryPolicy::Always`", "each_attempt_reserves_anew"),
    (
        "a response is read by `send_stream`",
        "the_charge_in_a_body_is_not_looked_for_and_is_settled_by_the_caller",
    ),
    (
        "an operation named in `budget_of`",
        "the_calls_of_an_operation_need_room_in_its_budget_too",
    ),
    (
        "the store of an account with `Outage::Allow`",
        "calls_can_go_on_without_the_store_which_counts_them_when_it_is_back",
    ),
    (
        "several processes share a key",
        "a_status_that_is_assumed_to_be_unbilled_is_not_booked_and_two_clients_have_two_budgets",
    ),
    (
        "the process ends",
        "a_run_that_is_killed_forgets_no_call_in_flight",
    ),
    (
        "Redis loses data",
        "a_primary_that_dies_costs_at_most_what_it_granted_alone",
    ),
    (
        "`settle`, `reconcile` or `raise`",
        "a_ledger_that_goes_on_can_be_reconciled_and_may_be_overdrawn",
    ),
    (
        "your transport reports `Connect`",
        "every_ending_of_a_paid_and_of_a_free_call",
    ),
    (
        "more than 10,000 calls are at risk",
        "what_is_not_listed_any_more_is_still_at_risk",
    ),
    (
        "the service ignores `offset`",
        "a_server_that_ignores_the_offset_and_changes_its_page_size_repeats_records",
    ),
];

#[test]
fn each_limit_of_the_guarantee_is_played_by_a_test() {
    let root = repository();
    let page = std::fs::read_to_string(root.join("docs/budgets.md")).unwrap();
    let (_, table) = page.split_once("| cause | effect | remedy |\n").unwrap();
    let rows = table.lines().skip(1);
    let rows: Vec<&str> = rows.map_while(|line| line.strip_prefix("| ")).collect();
    let tests: String = ["runtime", "tests/account", "tests/sandbox"]
        .iter()
        .flat_map(|folder| rust_files(&root.join(folder)))
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect();
    for row in &rows {
        let known = LIMITS.iter().any(|(begin, _)| row.starts_with(begin));
        assert!(known, "give LIMITS a test of: {row}");
    }
    assert_eq!(
        rows.len(),
        LIMITS.len(),
        "LIMITS has rows that the page lacks"
    );
    for (begin, test) in LIMITS {
        let is_there = tests.contains(&format!("fn {test}("));
        assert!(is_there, "{begin}: there is no test {test}");
    }
}

/// Words of a page, and the constant that they are about: its file, and its declaration.
const NUMBERS: [(&str, &str, &str, &str); 10] = [
    (
        "README.md",
        "The crate needs Rust 1.88",
        "Cargo.toml",
        "rust-version = \"1.88\"",
    ),
    (
        "docs/budgets.md",
        "more than 10,000 calls are at risk",
        "runtime/metering/src/money/ledger/risks.rs",
        "LISTED: usize = 10_000",
    ),
    (
        "docs/accounts.md",
        "is repeated for ten minutes",
        "runtime/metering/src/account/background.rs",
        "REPEATED: Duration = Duration::from_secs(10 * 60)",
    ),
    (
        "runtime/README.md",
        "A call waits two seconds for its own",
        "runtime/metering/src/account/background.rs",
        "AWAITED: Duration = Duration::from_secs(2)",
    ),
    (
        "docs/accounts.md",
        "one small key for 15 minutes",
        "runtime/metering/src/account/memory/book.rs",
        "KNOWN: Duration = Duration::from_secs(15 * 60)",
    ),
    (
        "docs/accounts.md",
        "15 minutes, which identifies a repeated settlement. Calls at risk stay until they are settled; the sums of a period stay for 90 days",
        "runtime/metering/src/account/redis/common.lua",
        "local KNOWN, KEPT = '900000', 7776000000",
    ),
    (
        "docs/accounts.md",
        "Redis 6.2 or later",
        "runtime/metering/src/account/redis/fitness.rs",
        "OLDEST: (u32, u32) = (6, 2)",
    ),
    (
        "docs/accounts.md",
        "which takes about three seconds",
        "runtime/metering/src/account/asking.rs",
        "PATIENCE: Duration = Duration::from_secs(3)",
    ),
    (
        "docs/agents.md",
        "Arguments have at most 256 KiB",
        "runtime/cli/src/mcp/given.rs",
        "MOST: usize = 256 * 1024",
    ),
    (
        "tests/sandbox/README.md",
        "the body takes longer than 30 seconds",
        "tests/sandbox/src/sandbox.rs",
        "patience: Duration::from_secs(30)",
    ),
];

#[test]
fn pages_have_the_numbers_of_the_code() {
    let root = repository();
    let read = |file: &str| {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (page, words, file, declared) in NUMBERS {
        let message = format!(
            "`{words}` of {page} is about `{declared}` of {file}: change both, and this table"
        );
        let is_said = read(page).contains(words);
        assert!(is_said && read(file).contains(declared), "{message}");
    }
}
