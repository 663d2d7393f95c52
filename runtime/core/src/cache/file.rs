//! Responses in a file of SQLite, which several processes can open, and people too.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use tokio::task::spawn_blocking;

use super::entry::{Entry, millis, now};
use super::error::CacheError;
use super::store::{Leases, Step, Store};
use crate::lock::lock;

/// The version of the tables, in `user_version`.
const VERSION: u32 = 1;
/// How long a step waits for another process.
const BUSY: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE responses (
        request TEXT PRIMARY KEY,
        operation TEXT NOT NULL,
        stored_at INTEGER NOT NULL,
        status INTEGER NOT NULL,
        headers TEXT NOT NULL,
        charge TEXT,
        body NOT NULL
    );
    CREATE TABLE leases (request TEXT PRIMARY KEY, owner INTEGER NOT NULL, until INTEGER NOT NULL);
    PRAGMA user_version = 1;
";

const GET: &str =
    "SELECT stored_at, status, headers, charge, body FROM responses WHERE request = ?1";
const PUT: &str = "INSERT OR REPLACE INTO responses VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
const CLAIM: &str = "
    INSERT INTO leases VALUES (?1, ?2, ?3) ON CONFLICT (request) DO UPDATE SET owner = ?2, until = ?3
    WHERE leases.owner = ?2 OR leases.until < ?4";
const RELEASE: &str = "DELETE FROM leases WHERE request = ?1 AND owner = ?2";

#[derive(Clone)]
pub(super) struct File {
    path: Arc<str>,
    connection: Arc<Mutex<Connection>>,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<Self, CacheError> {
        let name = path.display().to_string();
        let opened = Connection::open(path).and_then(|connection| {
            connection.busy_timeout(BUSY)?;
            // A crash of the process loses nothing; one of the machine may lose the last responses.
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            let version = prepare(&connection)?;
            Ok((connection, version))
        });
        let (connection, version) = opened.map_err(|error| CacheError::new(&name, error))?;
        if version != VERSION {
            let problem = format!(
                "it has version {version} of the tables, and this crate reads version {VERSION}"
            );
            return Err(CacheError::new(&name, problem));
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
        let running = spawn_blocking(move || step(&lock(&file.connection)));
        let path = Arc::clone(&self.path);
        Box::pin(async move {
            match running.await {
                Ok(done) => done.map_err(|error| CacheError::new(&path, error)),
                Err(error) => Err(CacheError::new(&path, error)),
            }
        })
    }
}

/// Makes the tables of a new file, and returns their version.
fn prepare(connection: &Connection) -> rusqlite::Result<u32> {
    // Two processes may open a new file at once.
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_new = version == 0 && tables == 0;
    if is_new {
        connection.execute_batch(TABLES)?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(if is_new { VERSION } else { version })
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
    fn claim(&self, key: &str, owner: u64, time: Duration) -> Step<'static, bool> {
        let key = key.to_owned();
        self.step(move |connection| {
            let (owner, now) = (owner.cast_signed(), now());
            let until = now.saturating_add(millis(time)).cast_signed();
            let mut claim = connection.prepare_cached(CLAIM)?;
            Ok(claim.execute(params![key, owner, until, now.cast_signed()])? > 0)
        })
    }

    fn release(&self, key: &str, owner: u64) -> Step<'static, ()> {
        let key = key.to_owned();
        self.step(move |connection| {
            let mut release = connection.prepare_cached(RELEASE)?;
            release.execute(params![key, owner.cast_signed()])?;
            Ok(())
        })
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
