//! What pages for users promise is played by tests, and has the numbers of the code.

use super::purity::sources;
use crate::support::{repository, rows};

/// The limits of the guarantee: what begins each row of the table, and the test that plays it.
const LIMITS: &str = "\
a lost call of unknown price | a_level_is_exceeded_by_no_more_than_what_lost_and_surprising_calls_cost_above_the_expected
a call costs more than it takes in flight | a_price_that_rises_is_a_surprise_once_and_known_from_then_on
a call takes less in flight | less_than_the_estimate_is_reserved_where_less_is_left_but_not_less_than_is_expected
your price is too low | a_price_that_the_caller_gives_is_reserved_and_its_excess_is_a_surprise
an error that is assumed unbilled | a_status_that_is_assumed_to_be_unbilled_is_not_booked_and_two_clients_have_two_budgets
the service bills another amount | a_report_is_found_wherever_there_is_one
`RetryPolicy::Always` | each_attempt_reserves_anew
`send_stream` | the_charge_in_a_body_is_not_looked_for_and_is_settled_by_the_caller
`Outage::Allow` while Redis is unavailable | calls_can_go_on_without_the_store_which_counts_them_when_it_is_back
processes share a key | a_status_that_is_assumed_to_be_unbilled_is_not_booked_and_two_clients_have_two_budgets
the process ends | a_run_that_is_killed_forgets_no_call_in_flight
Redis loses data | a_primary_that_dies_costs_at_most_what_it_granted_alone
`settle` or `raise` | a_budget_trusts_the_number_of_a_settlement_and_may_be_overdrawn
your transport sends a request twice | what_the_transport_did_not_send_is_not_at_risk
more than 10,000 calls are at risk | what_is_not_listed_any_more_is_still_at_risk
the service ignores `offset` | a_server_that_ignores_the_offset_and_changes_its_page_size_repeats_records
";

/// The next run of a batch that was killed.
const KILLED: &str = "\
before the request | a_batch_that_is_killed_at_any_instant_pays_for_nothing_twice
while the call is in flight | what_may_have_been_billed_is_called_again_only_on_demand
after the response | a_response_that_could_not_be_kept_is_kept_later_and_paid_for_once
after `keep` returned | a_response_that_could_not_be_kept_is_kept_later_and_paid_for_once
";

/// The errors of the sandbox, by their status codes.
const ERRORS: &str = "\
400 | what_cannot_be_read_is_refused_like_everything_else
401 | missing_and_wrong_keys_are_refused_on_free_operations_too
402 | each_key_has_a_balance_of_its_own_and_none_goes_below_zero
404 | what_does_not_exist_is_not_found
405 | other_methods_are_told_which_one_the_path_takes
408 | a_body_that_does_not_come_is_not_waited_for
413 | what_cannot_be_read_is_refused_like_everything_else
421 | a_name_that_is_not_the_sandboxs_gets_nothing
422 | arguments_are_refused_by_the_rule_that_they_break
501 | an_operation_without_samples_and_without_a_schema_says_so
";

/// Page, header of the table, and its rows.
const TABLES: [(&str, &str, &str); 3] = [
    ("docs/budgets.md", "| cause | effect | remedy |", LIMITS),
    ("docs/batches.md", "| killed | next run |", KILLED),
    ("tests/sandbox/README.md", "| status | when |", ERRORS),
];

/// Returns the source of the test with this name.
fn test_named<'t>(tests: &'t str, name: &str) -> Option<&'t str> {
    let (_, test) = tests.split_once(&format!("fn {name}("))?;
    test.split("\n}\n").next()
}

#[test]
fn each_row_of_a_promise_is_played_by_a_test() {
    let root = repository();
    let files = sources(&["runtime", "tests/account", "tests/sandbox"]);
    let tests: String = files.map(|(_, text)| text).collect();
    for (page, header, played) in TABLES {
        let played = rows(played);
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let (_, table) = text.split_once(&format!("{header}\n")).unwrap();
        let lines = table.lines().skip(1);
        let lines: Vec<&str> = lines.map_while(|line| line.strip_prefix("| ")).collect();
        let is_same = lines.len() == played.len()
            && (lines.iter().zip(&played)).all(|(line, [begin, _])| line.starts_with(begin));
        assert!(
            is_same,
            "{page}, `{header}`: name a test of each row here, in their order: {lines:#?}"
        );
        for [begin, name] in played {
            let test = test_named(&tests, name);
            let test = test.unwrap_or_else(|| panic!("{page}, {begin}: there is no test {name}"));
            let is_code = begin.parse::<u16>().is_ok();
            assert!(
                !is_code || test.contains(begin),
                "{page}: {name} does not name {begin}"
            );
        }
    }
}

/// Words of a page, and the constant that they are about: its file, and its declaration.
const NUMBERS: &str = r#"
README.md | The crate needs Rust 1.88 | Cargo.toml | rust-version = "1.88"
docs/budgets.md | more than 10,000 calls are at risk | runtime/core/src/money/budget/risks.rs | LISTED: usize = 10_000
docs/budgets.md | four times a price that was seen or borrowed | runtime/core/src/money/unknown_prices.rs | FACTOR: u64 = 4
runtime/core/src/account/settings.rs | It is retried for ten minutes | runtime/core/src/account/background.rs | REPEATED: Duration = Duration::from_secs(10 * 60)
runtime/README.md | A call waits two seconds for its own | runtime/core/src/account/background.rs | AWAITED: Duration = Duration::from_secs(2)
runtime/core/src/account/redis/connection.rs | one small key for 15 minutes. Calls at risk stay until they are settled, the sums of a period for 90 days | runtime/core/src/account/redis/common.lua | local KNOWN, KEPT = '900000', 7776000000
runtime/core/src/account/redis/connection.rs | Redis 6.2 or later | runtime/core/src/account/redis/fitness.rs | OLDEST: (u32, u32) = (6, 2)
docs/agents.md | Arguments have at most 256 KiB | runtime/cli/src/mcp/given.rs | MOST: usize = 256 * 1024
tests/sandbox/README.md | the body takes longer than 30 seconds | tests/sandbox/src/sandbox.rs | patience: Duration::from_secs(30)
"#;

#[test]
fn pages_have_the_numbers_of_the_code() {
    let root = repository();
    let read = |file: &str| {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for [page, words, file, declared] in rows(NUMBERS) {
        let message = format!(
            "`{words}` of {page} is about `{declared}` of {file}: change both, and this table"
        );
        let is_said = read(page).contains(words);
        assert!(is_said && read(file).contains(declared), "{message}");
    }
}
