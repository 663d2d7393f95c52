//! Records as rows of an SQLite table. A record replaces the row with its key.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde_json::value::RawValue;

use crate::columns::compact;

/// How long a row waits for another process that uses the file.
const BUSY: Duration = Duration::from_secs(10);

/// A table, and how a row is put into it.
pub(crate) struct Rows {
    connection: Connection,
    put: String,
}

impl Rows {
    /// Opens a table with these columns, or makes it. Columns that it lacks are added, and others stay as they are.
    pub(crate) fn open(
        path: &str,
        table: &str,
        columns: &[String],
        key: &[String],
    ) -> rusqlite::Result<Self> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(BUSY)?;
        let table = quoted(table);
        let transaction = connection.transaction()?;
        let defined = columns.iter().map(|column| {
            let rule = if key.contains(column) {
                " NOT NULL"
            } else {
                ""
            };
            quoted(column) + rule
        });
        let defined: Vec<String> = defined.collect();
        transaction.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS {table} ({}, PRIMARY KEY ({}))",
            defined.join(", "),
            list(key)
        ))?;
        let present: BTreeSet<String> = {
            let mut names = transaction.prepare(&format!("PRAGMA table_info({table})"))?;
            let names = names.query_map([], |row| row.get::<_, String>(1))?;
            names.collect::<rusqlite::Result<_>>()?
        };
        for column in columns.iter().filter(|column| !present.contains(*column)) {
            let column = quoted(column);
            transaction.execute_batch(&format!("ALTER TABLE {table} ADD COLUMN {column}"))?;
        }
        transaction.commit()?;
        let put = put(&table, columns, key);
        // Fails where a table that was there has another key.
        connection.prepare(&put)?;
        Ok(Self { connection, put })
    }

    /// Puts a row. It is in the file when this returns.
    pub(crate) fn put(&self, row: Vec<Value>) -> io::Result<()> {
        let put = self.connection.prepare_cached(&self.put);
        let put = put.and_then(|mut put| put.execute(params_from_iter(row)));
        put.map(drop).map_err(io::Error::other)
    }
}

/// Returns the statement that puts a row. Columns of the table that the row does not have stay as they are.
fn put(table: &str, columns: &[String], key: &[String]) -> String {
    let places: Vec<&str> = columns.iter().map(|_| "?").collect();
    let others = columns.iter().filter(|column| !key.contains(column));
    let set: Vec<String> = others
        .map(|column| {
            let column = quoted(column);
            format!("{column} = excluded.{column}")
        })
        .collect();
    let update = if set.is_empty() {
        "NOTHING".to_owned()
    } else {
        format!("UPDATE SET {}", set.join(", "))
    };
    format!(
        "INSERT INTO {table} ({}) VALUES ({}) ON CONFLICT ({}) DO {update}",
        list(columns),
        places.join(", "),
        list(key)
    )
}

fn list(columns: &[String]) -> String {
    let quoted: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    quoted.join(", ")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns a cell as SQLite stores it: null for what is absent, 0 and 1 for booleans, JSON for lists and objects. A whole number that is too large
/// is text.
pub(crate) fn value(cell: Option<&RawValue>) -> Value {
    match cell.map(RawValue::get) {
        None | Some("null") => Value::Null,
        Some("true") => Value::Integer(1),
        Some("false") => Value::Integer(0),
        Some(json) if json.starts_with('"') => {
            Value::Text(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()))
        }
        Some(json) if json.starts_with(['[', '{']) => Value::Text(compact(json)),
        Some(number) => {
            let is_whole = !number.contains(['.', 'e', 'E']);
            let real = number.parse().ok().filter(|_| !is_whole);
            match (number.parse(), real) {
                (Ok(whole), _) => Value::Integer(whole),
                (Err(_), Some(real)) => Value::Real(real),
                (Err(_), None) => Value::Text(number.to_owned()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_row_replaces_the_one_with_its_key_and_other_columns_stay() {
        let path = format!("generated-cli-rows-{}.sqlite", std::process::id());
        let path = std::env::temp_dir().join(path);
        let path = path.to_str().unwrap();
        let key = names(&["id"]);
        let rows = Rows::open(path, "a \"b\"", &names(&["id", "place.city"]), &key).unwrap();
        let row = |id: &str, city: &str| vec![id.to_owned().into(), city.to_owned().into()];
        for (id, city) in [("1", "Rome"), ("2", "Oslo"), ("1", "Bern")] {
            rows.put(row(id, city)).unwrap();
        }
        assert!(rows.put(vec![Value::Null, Value::Null]).is_err());
        // A later version of the document has another column.
        let rows = Rows::open(path, "a \"b\"", &names(&["id", "new"]), &key).unwrap();
        rows.put(row("1", "x")).unwrap();
        let all =
            "SELECT id || \"place.city\" || coalesce(new, '') FROM \"a \"\"b\"\"\" ORDER BY id";
        let mut all = rows.connection.prepare(all).unwrap();
        let all = all.query_map([], |row| row.get(0)).unwrap();
        let all: Vec<String> = all.map(Result::unwrap).collect();
        assert_eq!(all, ["1Bernx", "2Oslo"]);
        assert!(Rows::open(path, "a \"b\"", &names(&["id", "new"]), &names(&["new"])).is_err());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn values_have_the_types_of_json() {
        for (json, expected) in [
            ("null", Value::Null),
            ("true", Value::Integer(1)),
            ("-7", Value::Integer(-7)),
            ("0.5", Value::Real(0.5)),
            ("1e2", Value::Real(100.0)),
            (
                "18446744073709551617",
                Value::Text("18446744073709551617".to_owned()),
            ),
            (r#""007""#, Value::Text("007".to_owned())),
            ("[1, 2]", Value::Text("[1,2]".to_owned())),
        ] {
            let cell: &RawValue = serde_json::from_str(json).unwrap();
            assert_eq!(value(Some(cell)), expected, "{json}");
        }
    }
}
