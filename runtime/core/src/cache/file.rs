//! Responses in a file of SQLite, which several processes can open, and people too.

use std::future::ready;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use rusqlite::types::Type;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, ToSql, params};
use tokio::runtime::Handle;

use super::entry::Entry;
use super::error::CacheError;
use super::store::{Claim, Leases, Seen, Step, Store};
use crate::lock::lock;

/// The version of the tables, in `user_version`.
const VERSION: u32 = 1;
/// Tells a file of this crate from others, in `application_id`: a number that no other program is known to have.
const APPLICATION: u32 = 1_128_613_736;
/// How often opening is tried while another process makes the file.
const ATTEMPTS: u32 = 50;
/// How long the mark of a failed call stays: no other process waits for it longer.
const MARKED: Duration = Duration::from_secs(60 * 60);
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
    PRAGMA user_version = 1;
";

const COUNT: &str = "SELECT count(*) FROM sqlite_schema";
const GET: &str =
    "SELECT stored_at, status, headers, record, body FROM responses WHERE request = ?1";
const PUT: &str = "INSERT OR REPLACE INTO responses VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const LOOK: &str = "SELECT owner, renewals FROM leases WHERE request = ?1";
const TAKE: &str = "INSERT OR REPLACE INTO leases VALUES (?1, ?2, 0)";
const RENEW: &str = "UPDATE leases SET renewals = renewals + 1 WHERE request = ?1 AND owner = ?2";
/// Leaves a mark, with its time, for those that wait.
const FAIL: &str = "UPDATE leases SET owner = 0, renewals = ?3 WHERE request = ?1 AND owner = ?2";
const FORGET_MARKS: &str =
    "DELETE FROM leases WHERE owner = 0 AND renewals NOT BETWEEN ?1 - ?2 AND ?1 + ?2";
const RELEASE: &str = "DELETE FROM leases WHERE request = ?1 AND owner = ?2";

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
        let version = prepare(&connection).map_err(|error| CacheError::new(&name, error))?;
        match version {
            Some(VERSION) => {}
            Some(version) => {
                let problem = format!("its version is {version}, and this crate reads {VERSION}");
                return Err(CacheError::new(&name, problem));
            }
            None => {
                return Err(CacheError::new(&name, "it is a file of another program"));
            }
        }
        Ok(Self {
            path: name.into(),
            connection: Arc::new(Mutex::new(connection)),
        })
    }

    /// Runs a step on a thread that may block. It runs to its end even if the future is dropped.
    fn step<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Step<'static, T> {
        let file = self.clone();
        let runtime = match Handle::try_current() {
            Ok(runtime) => runtime,
            Err(error) => return Box::pin(ready(Err(CacheError::no_runtime(error)))),
        };
        let running = runtime.spawn_blocking(move || step(&lock(&file.connection)));
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

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    let application: u32 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: u32 = connection.query_row(COUNT, [], |row| row.get(0))?;
    // A file of another program is left unchanged.
    if application == APPLICATION || tables == 0 {
        // A crash of the process loses nothing; one of the machine may lose the last responses.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
    }
    Ok(connection)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Makes the tables of a new file, and returns the version of the file; `None` for that of another program.
fn prepare(connection: &Connection) -> rusqlite::Result<Option<u32>> {
    // Two processes may open a new file at once.
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let tables: u32 = connection.query_row(COUNT, [], |row| row.get(0))?;
    if tables == 0 {
        connection.execute_batch(TABLES)?;
    }
    connection.execute_batch("COMMIT")?;
    let read = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
    let is_own = read("application_id")? == APPLICATION;
    is_own.then(|| read("user_version")).transpose()
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

    fn leases(&self) -> Option<&dyn Leases> {
        Some(self)
    }
}

impl Leases for File {
    fn claim(&self, key: &str, owner: u64, dead: Option<Seen>) -> Step<'static, Claim> {
        let key = key.to_owned();
        self.step(move |connection| {
            // Processes look and take one after the other.
            connection.execute_batch("BEGIN IMMEDIATE")?;
            let claimed = claim(connection, &key, owner, dead);
            connection.execute_batch("COMMIT")?;
            claimed
        })
    }

    fn renew(&self, key: &str, owner: u64) -> Step<'static, bool> {
        let key = key.to_owned();
        self.step(move |connection| {
            let mut renew = connection.prepare_cached(RENEW)?;
            Ok(renew.execute(params![key, owner.cast_signed()])? > 0)
        })
    }

    fn end(&self, key: &str, owner: u64, has_failed: bool) -> Step<'static, ()> {
        let key = key.to_owned();
        self.step(move |connection| {
            let owner = owner.cast_signed();
            if has_failed {
                let mut fail = connection.prepare_cached(FAIL)?;
                fail.execute(params![key, owner, micros_since_1970()])?;
                forget_marks(connection)
            } else {
                let mut release = connection.prepare_cached(RELEASE)?;
                release.execute(params![key, owner]).map(drop)
            }
        })
    }
}

/// Removes the marks of failed calls that are too old for any process to wait for, and those without a time, of earlier versions.
fn forget_marks(connection: &Connection) -> rusqlite::Result<()> {
    let age = i64::try_from(MARKED.as_micros()).unwrap_or(i64::MAX);
    let mut forget = connection.prepare_cached(FORGET_MARKS)?;
    forget.execute(params![micros_since_1970(), age]).map(drop)
}

/// Two calls that fail one after the other have different times.
fn micros_since_1970() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_micros()).unwrap_or(i64::MAX)
}

fn claim(
    connection: &Connection,
    key: &str,
    owner: u64,
    dead: Option<Seen>,
) -> rusqlite::Result<Claim> {
    let mut look = connection.prepare_cached(LOOK)?;
    let seen = look.query_row([key], |row| {
        Ok(Seen {
            owner: row.get::<_, i64>(0)?.cast_unsigned(),
            renewals: row.get::<_, i64>(1)?.cast_unsigned(),
        })
    });
    match seen.optional()? {
        Some(seen) if seen.owner != owner && dead != Some(seen) => Ok(Claim::Other(seen)),
        _ => {
            let mut take = connection.prepare_cached(TAKE)?;
            take.execute(params![key, owner.cast_signed()])?;
            Ok(Claim::Own)
        }
    }
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
    use super::*;

    #[tokio::test]
    async fn the_mark_of_a_failed_call_is_removed_when_it_is_old() {
        let name = format!("cache-marks-{}.sqlite", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = File::open(&path).unwrap();
        let old = micros_since_1970() - 3_700_000_000;
        for (key, owner, renewals) in [("old", 0, old), ("earlier", 0, -7), ("in flight", 5, 0)] {
            let connection = lock(&file.connection);
            let lease = params![key, owner, renewals];
            let insert = "INSERT INTO leases VALUES (?1, ?2, ?3)";
            connection.execute(insert, lease).unwrap();
        }
        assert_eq!(file.claim("new", 9, None).await.unwrap(), Claim::Own);
        assert!(file.renew("new", 9).await.unwrap());
        assert!(!file.renew("new", 8).await.unwrap());
        file.end("new", 9, true).await.unwrap();
        assert!(!file.renew("new", 9).await.unwrap());
        let connection = lock(&file.connection);
        let mut keys = connection
            .prepare("SELECT request FROM leases ORDER BY request")
            .unwrap();
        let keys = keys.query_map([], |row| row.get(0)).unwrap();
        let keys: Vec<String> = keys.map(Result::unwrap).collect();
        assert_eq!(keys, ["in flight", "new"]);
        std::fs::remove_file(path).unwrap();
    }
}
