//! Responses in a file of SQLite, which several processes can open, and people too.

use std::future::ready;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use rusqlite::types::Type;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, ToSql, TransactionBehavior, params};
use tokio::runtime::Handle;

use super::entry::Entry;
use super::error::CacheError;
use super::store::{Lease, Leases, Step, Store};
use crate::lock::lock;

/// Tells a file with these tables from others, in `application_id`: a number that no other program is known to have.
const APPLICATION: u32 = 1_128_613_736;
/// How often opening is tried while another process makes the file.
const ATTEMPTS: u32 = 50;
/// How long a step waits for another process.
const BUSY: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE responses (
        request TEXT PRIMARY KEY,
        operation TEXT NOT NULL,
        stored_at INTEGER NOT NULL,
        status INTEGER NOT NULL,
        headers TEXT NOT NULL,
        record TEXT,
        body NOT NULL
    );
    CREATE TABLE leases (request TEXT PRIMARY KEY, owner INTEGER NOT NULL, renewals INTEGER NOT NULL);
    PRAGMA application_id = 1128613736;
";

const HAS_TABLES: &str = "SELECT count(*) > 0 FROM sqlite_schema";
const GET: &str =
    "SELECT stored_at, status, headers, record, body FROM responses WHERE request = ?1";
const PUT: &str = "INSERT OR REPLACE INTO responses VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const LOOK: &str = "SELECT owner, renewals FROM leases WHERE request = ?1";
const LEASE: &str = "INSERT OR REPLACE INTO leases VALUES (?1, ?2, ?3)";
const RELEASE: &str = "DELETE FROM leases WHERE request = ?1";

#[derive(Clone)]
pub(super) struct File {
    path: Arc<str>,
    connection: Arc<Mutex<Connection>>,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<Self, CacheError> {
        let name = path.display().to_string();
        create(path).map_err(|error| CacheError::new(&name, error))?;
        let mut attempts = 1;
        let connection = loop {
            match connect(path) {
                Ok(connection) => break connection,
                // SQLite does not wait for another process that changes the mode of the file.
                Err(error) if is_busy(&error) && attempts < ATTEMPTS => {
                    attempts = attempts.saturating_add(1);
                    std::thread::sleep(BUSY / 500);
                }
                Err(error) => return Err(CacheError::new(&name, error)),
            }
        };
        let Some(connection) = connection else {
            let problem = "it is a file of another program, or of another version of this crate";
            return Err(CacheError::new(&name, problem));
        };
        Ok(Self {
            path: name.into(),
            connection: Arc::new(Mutex::new(connection)),
        })
    }

    /// Runs a step on a thread that may block. It runs to its end even if the future is dropped.
    fn step<T: Send + 'static>(
        &self,
        step: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Step<'static, T> {
        let file = self.clone();
        let runtime = match Handle::try_current() {
            Ok(runtime) => runtime,
            Err(error) => return Box::pin(ready(Err(CacheError::no_runtime(error)))),
        };
        let running = runtime.spawn_blocking(move || step(&mut lock(&file.connection)));
        let path = Arc::clone(&self.path);
        Box::pin(async move {
            match running.await {
                Ok(done) => done.map_err(|error| CacheError::new(&path, error)),
                Err(error) => Err(CacheError::new(&path, error)),
            }
        })
    }
}

/// Creates a file that only its owner can read: responses may be personal.
fn create(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Opens the file, and makes the tables of a new one; `None` for a file of another program, which is left unchanged.
fn connect(path: &Path) -> rusqlite::Result<Option<Connection>> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // A process that makes a new file at the same time sets the number together with the tables.
    if has_tables(&connection)? && application(&connection)? != APPLICATION {
        return Ok(None);
    }
    // A crash of the process loses nothing; one of the machine may lose the last responses.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // Two processes may open a new file at once.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if !has_tables(&transaction)? {
        transaction.execute_batch(TABLES)?;
    }
    transaction.commit()?;
    Ok(Some(connection))
}

fn application(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "application_id", |row| row.get(0))
}

fn has_tables(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row(HAS_TABLES, [], |row| row.get(0))
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

impl Store for File {
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Option<Entry>> {
        let key = key.to_owned();
        self.step(move |connection| {
            let mut get = connection.prepare_cached(GET)?;
            get.query_row([key], entry).optional()
        })
    }

    fn put(&self, key: &str, operation: &'static str, entry: Entry) -> Step<'static, ()> {
        let key = key.to_owned();
        self.step(move |connection| {
            let headers = serde_json::to_string(&entry.headers).unwrap_or_default();
            // As text, a body can be read with any tool.
            let text = str::from_utf8(&entry.body).ok();
            let body: &dyn ToSql = match &text {
                Some(text) => text,
                None => &&*entry.body,
            };
            let (time, status) = (entry.stored_at.cast_signed(), entry.status);
            let mut put = connection.prepare_cached(PUT)?;
            put.execute(params![
                key,
                operation,
                time,
                status,
                headers,
                entry.record,
                body
            ])?;
            Ok(())
        })
    }
}

impl Leases for File {
    fn exchange(
        &self,
        key: &str,
        expected: Option<Lease>,
        next: Option<Lease>,
    ) -> Step<'static, Option<Lease>> {
        let key = key.to_owned();
        self.step(move |connection| {
            // Processes look and replace one after the other.
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let found = look(&transaction, &key)?;
            if found == expected {
                replace(&transaction, &key, next)?;
            }
            transaction.commit()?;
            Ok(found)
        })
    }
}

fn look(connection: &Connection, key: &str) -> rusqlite::Result<Option<Lease>> {
    let mut look = connection.prepare_cached(LOOK)?;
    let found = look.query_row([key], |row| {
        Ok(Lease {
            owner: row.get::<_, i64>(0)?.cast_unsigned(),
            renewals: row.get::<_, i64>(1)?.cast_unsigned(),
        })
    });
    found.optional()
}

fn replace(connection: &Connection, key: &str, next: Option<Lease>) -> rusqlite::Result<()> {
    match next {
        Some(Lease { owner, renewals }) => {
            let lease = params![key, owner.cast_signed(), renewals.cast_signed()];
            connection.prepare_cached(LEASE)?.execute(lease)?;
        }
        None => _ = connection.prepare_cached(RELEASE)?.execute([key])?,
    }
    Ok(())
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let headers: String = row.get(2)?;
    let body = row.get_ref(4)?.as_bytes_or_null()?.unwrap_or_default();
    Ok(Entry {
        stored_at: row.get::<_, i64>(0)?.cast_unsigned(),
        status: row.get(1)?,
        headers: serde_json::from_str(&headers).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(2, Type::Text, Box::new(error))
        })?,
        record: row.get(3)?,
        body: Bytes::copy_from_slice(body),
    })
}

#[cfg(test)]
mod tests {
    use super::super::lease::{Look, Waiting};
    use super::*;

    #[tokio::test]
    async fn one_process_holds_a_lease_and_those_that_waited_are_told_of_a_failure() {
        let folder = std::env::temp_dir().join(format!("cache-leases-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let store: Arc<dyn Leases> = Arc::new(File::open(&folder.join("responses")).unwrap());
        let process = || Waiting::new(&store, &"key".into(), false);
        let Look::Own(held) = process().look().await.unwrap() else {
            panic!("it is free");
        };
        let mut other = process();
        assert!(matches!(other.look().await.unwrap(), Look::Other));
        assert!(held.is_held().await.unwrap());
        held.end(true).await;
        assert!(!held.is_held().await.unwrap());
        assert!(matches!(other.look().await.unwrap(), Look::Failed));
        assert!(matches!(process().look().await.unwrap(), Look::Own(_)));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
