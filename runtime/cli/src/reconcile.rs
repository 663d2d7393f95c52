//! `reconcile`: compares a statement of the provider with journals and with an account.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use generated_client::document::Api;
use metered_client::Credits;
use metered_client::journal::Journal;
use metered_client::money::reconciliation::{
    BookEntry, Cost, Match, Reconciliation, StatementLine,
};

#[cfg(feature = "redis")]
use crate::account::{store, with_account};
use crate::ended::Ended;
use crate::options::{flag, value};
use crate::statement::{self, statement};
use crate::table::Program;
use crate::visible::visible;

/// Returns the name of the command. An operation that has it keeps it.
pub(crate) fn name(program: &Program) -> &'static str {
    program.free_name(["reconcile", "reconcile-statement"])
}

pub(crate) fn command(program: &Program) -> Command {
    let command = Command::new(name(program))
        .about("Compares a statement of the provider with what journals and an account have booked")
        .long_about(
            "Compares a statement of the provider, as CSV or JSON, with what journals and an account have booked. A charge and a call belong \
             together if they have the same request id or idempotency key; nothing is matched by its amount or its time. Calls nothing.",
        )
        .arg(
            Arg::new("statement")
                .value_name("FILE")
                .required(true)
                .help("The statement: CSV with names in its first line, a JSON array of objects, or an object on each line; `-` for standard input"),
        )
        .arg(
            value("journal", "FILE", "A journal that a run with `--resume` or a server for agents has written")
                .action(ArgAction::Append),
        )
        .args(statement::options())
        .arg(flag("settle", "Settle the calls at risk whose charge the statement has"))
        .arg(
            flag("complete", "The statement has all charges of its time: with `--settle`, identified calls at risk that it lacks were free")
                .requires("settle"),
        );
    #[cfg(feature = "redis")]
    let command = command
        .arg(value(
            "account",
            "NAME",
            "An account, of which the calls at risk are compared",
        ))
        .arg(
            value(
                "store",
                "URL",
                "The server of the account, `redis://…`; else that of the environment",
            )
            .requires("account"),
        );
    let books = match cfg!(feature = "redis") {
        true => vec!["journal", "account"],
        false => vec!["journal"],
    };
    command.group(
        ArgGroup::new("books")
            .args(books)
            .multiple(true)
            .required(true),
    )
}

/// Compares, settles, and says what differs.
pub(crate) fn run(api: &Api, given: &ArgMatches) -> Result<(), Ended> {
    let path = given
        .get_one::<String>("statement")
        .map_or("-", String::as_str);
    let lines = statement(path, given)?;
    let charged = lines.iter().map(|line| line.credits);
    let mut report = format!(
        "{path}: {}, {} credits\n",
        counted(lines.len(), "charge"),
        sum(charged)
    );
    let settling = match (given.get_flag("settle"), given.get_flag("complete")) {
        (false, _) => Settling::Nothing,
        (true, false) => Settling::Charged,
        (true, true) => Settling::All,
    };
    let mut not_booked: Option<BTreeSet<u64>> = None;
    let mut is_open = false;
    let mut compared = |found: &dyn Compared, name: &str, settled: usize| {
        found.write(&mut report, name);
        if settled > 0 {
            _ = writeln!(report, "  settled: {}", counted(settled, "call"));
        }
        is_open |= found.is_open(settling);
        let own = found.not_booked();
        not_booked = Some(match not_booked.take() {
            None => own,
            Some(others) => others.intersection(&own).copied().collect(),
        });
    };
    for path in given.get_many::<String>("journal").into_iter().flatten() {
        let journal = Journal::reopen(path)?;
        let found = Reconciliation::of(lines.clone(), journal.entries()?);
        let mut settled = 0_usize;
        for (id, charged) in settlements(&found, settling) {
            settled = settled.saturating_add(journal.settle(&id, charged)?.into());
        }
        compared(&found, path, settled);
    }
    #[cfg(feature = "redis")]
    if let Some(name) = given.get_one::<String>("account") {
        let url = store(api, given)?;
        let (found, settled) = account(&url, name, &lines, settling)?;
        compared(&found, &format!("account {name}"), settled);
    }
    #[cfg(not(feature = "redis"))]
    let _ = api;
    let not_booked = not_booked.unwrap_or_default();
    let mut unknown = Vec::new();
    match given.contains_id("journal") {
        true => {
            let lines = lines.iter();
            let lines = lines.filter(|line| not_booked.contains(&line.number));
            unknown.extend(lines.map(shown_line));
        }
        false if not_booked.is_empty() => {}
        false => {
            let charges = counted(not_booked.len(), "charge");
            _ = writeln!(
                report,
                "not compared: {charges}; an account lists only calls at risk, and journals list all"
            );
        }
    }
    list(&mut report, "charged, and in no book", &unknown);
    let unidentified = lines.iter().filter(|line| !is_identified(line));
    let unidentified: Vec<String> = unidentified.map(shown_line).collect();
    list(
        &mut report,
        "charged, without an id to compare",
        &unidentified,
    );
    io::stdout().write_all(report.as_bytes())?;
    match is_open || !unknown.is_empty() || !unidentified.is_empty() {
        true => Err(Ended::Failed(
            "the statement and the books differ".to_owned(),
        )),
        false => Ok(()),
    }
}

#[cfg(feature = "redis")]
fn account(
    url: &str,
    name: &str,
    lines: &[StatementLine],
    settling: Settling,
) -> Result<
    (
        Reconciliation<metered_client::account::ReservationId>,
        usize,
    ),
    Ended,
> {
    let account = metered_client::account::Account::named(name);
    with_account(url, account, async |account| {
        let books = account.at_risk().await?.into_iter().map(BookEntry::from);
        let found = Reconciliation::of(lines.to_vec(), books);
        let mut settled = 0_usize;
        for (id, charged) in settlements(&found, settling) {
            let is_settled = account.settle(&id, charged).await?;
            settled = settled.saturating_add(is_settled.into());
        }
        Ok((found, settled))
    })
}

/// Returns the calls at risk to settle, each with what it cost.
fn settlements<Id: Clone>(found: &Reconciliation<Id>, settling: Settling) -> Vec<(Id, Credits)> {
    let known = found
        .settlements()
        .filter(|_| settling != Settling::Nothing);
    let absent = found.absent().filter(|_| settling == Settling::All);
    known.chain(absent.map(|id| (id, Credits::ZERO))).collect()
}

/// The calls at risk that are settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Settling {
    Nothing,
    /// Those whose charge the statement has.
    Charged,
    /// Those that a complete statement lacks too.
    All,
}

/// A comparison, of books of any kind.
trait Compared {
    fn write(&self, report: &mut String, name: &str);
    /// Returns whether something remains to be looked at.
    fn is_open(&self, settling: Settling) -> bool;
    fn not_booked(&self) -> BTreeSet<u64>;
}

impl<Id: Clone> Compared for Reconciliation<Id> {
    fn write(&self, report: &mut String, name: &str) {
        let all = [&self.matched, &self.resolved, &self.differing].into_iter();
        let all = all.flatten().flat_map(|found| &found.entries);
        let all = all
            .chain(&self.not_charged)
            .chain(&self.unidentified_entries);
        let costs: Vec<Cost> = all.map(|entry| entry.cost).collect();
        let charged = costs.iter().filter_map(|cost| match cost {
            Cost::Charged(credits) => Some(*credits),
            Cost::AtRisk(_) => None,
        });
        let at_risk = costs.iter().filter(|cost| matches!(cost, Cost::AtRisk(_)));
        _ = writeln!(
            report,
            "{name}: {}, {} credits charged, {} at risk",
            counted(costs.len(), "attempt"),
            sum(charged),
            at_risk.count(),
        );
        let groups = |groups: &[Match<Id>]| -> Vec<String> { groups.iter().map(shown).collect() };
        let entries = |entries: &[BookEntry<Id>]| -> Vec<String> {
            entries.iter().map(shown_entry).collect()
        };
        if !self.matched.is_empty() {
            _ = writeln!(report, "  charged as booked: {}", self.matched.len());
        }
        list(
            report,
            "  at risk, and on the statement",
            &groups(&self.resolved),
        );
        list(
            report,
            "  charged otherwise than booked",
            &groups(&self.differing),
        );
        list(
            report,
            "  booked, and not on the statement",
            &entries(&self.not_charged),
        );
        list(
            report,
            "  booked, without an id to compare",
            &entries(&self.unidentified_entries),
        );
    }

    fn is_open(&self, settling: Settling) -> bool {
        let settled = match settling {
            Settling::All => self.absent().count(),
            Settling::Nothing | Settling::Charged => 0,
        };
        !self.differing.is_empty()
            || !self.unidentified_entries.is_empty()
            || (!self.resolved.is_empty() && settling == Settling::Nothing)
            || self.not_charged.len() > settled
    }

    fn not_booked(&self) -> BTreeSet<u64> {
        self.not_booked.iter().map(|line| line.number).collect()
    }
}

fn list(report: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let indent = title.len().saturating_sub(title.trim_start().len());
    _ = writeln!(report, "{title}: {}", lines.len());
    for line in lines {
        _ = writeln!(report, "{:indent$}  {line}", "");
    }
}

fn is_identified(line: &StatementLine) -> bool {
    line.request_id.is_some() || line.idempotency_key.is_some()
}

/// The ids of a line or of an entry.
struct Ids<'a>(Option<&'a str>, Option<&'a str>);

impl fmt::Display for Ids<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, id) in [("request", self.0), ("key", self.1)] {
            if let Some(id) = id {
                write!(f, ", {name} {}", visible(id))?;
            }
        }
        Ok(())
    }
}

fn shown_line(line: &StatementLine) -> String {
    let operation = line.operation.as_deref().map(visible).unwrap_or_default();
    let space = if operation.is_empty() { "" } else { " of " };
    let ids = Ids(line.request_id.as_deref(), line.idempotency_key.as_deref());
    format!(
        "record {}: {} credits{space}{operation}{ids}",
        line.number, line.credits
    )
}

fn shown_entry<Id>(entry: &BookEntry<Id>) -> String {
    let ids = Ids(
        entry.request_id.as_deref(),
        entry.idempotency_key.as_deref(),
    );
    let operation = match entry.operation.as_str() {
        "" => "a call in which a run broke off",
        operation => operation,
    };
    let cost = match entry.cost {
        Cost::Charged(credits) => format!("{credits} credits charged"),
        Cost::AtRisk(Some(credits)) => format!("{credits} credits at risk"),
        Cost::AtRisk(None) => "at risk, of unknown price".to_owned(),
    };
    format!(
        "{}, attempt {}: {cost}{ids}",
        visible(operation),
        entry.attempt
    )
}

fn shown<Id>(found: &Match<Id>) -> String {
    let lines: Vec<String> = found.lines.iter().map(shown_line).collect();
    let entries: Vec<String> = found.entries.iter().map(shown_entry).collect();
    format!("{} | {}", lines.join("; "), entries.join("; "))
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

fn sum(amounts: impl Iterator<Item = Credits>) -> Credits {
    let micros = amounts.fold(0_u64, |sum, credits| sum.saturating_add(credits.micros()));
    Credits::from_micros(micros)
}
