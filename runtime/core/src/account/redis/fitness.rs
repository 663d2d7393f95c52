//! What a server must be able to do.

use crate::account::error::StoreError;

const OLDEST: (u32, u32) = (6, 2);

/// Checks whether a server with these properties can store accounts.
pub(super) fn fitness(about: &str) -> Result<(), StoreError> {
    // Valkey says a version of Redis too, for programs that ask.
    let version = fact(about, "redis_version").unwrap_or_default();
    let mut parts = version.split('.').map_while(|part| part.parse().ok());
    let found = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if found < OLDEST {
        let (major, minor) = OLDEST;
        return Err(StoreError::new(format!(
            "the server is Redis {version}; accounts need {major}.{minor} or later, or Valkey"
        )));
    }
    if fact(about, "role").is_some_and(|role| role != "master") {
        return Err(StoreError::new(
            "the server is a replica: connect to its primary",
        ));
    }
    if fact(about, "cluster_enabled") == Some("1") {
        return Err(StoreError::new(
            "the server is a node of a cluster, which moves keys between its nodes, and no cluster makes one account faster, whose keys are in one slot: give accounts a server of their own, and an address that moves to a replica if one is to take over",
        ));
    }
    let evicts = fact(about, "maxmemory_policy").is_some_and(|policy| policy != "noeviction");
    if evicts && fact(about, "maxmemory").is_some_and(|bytes| bytes != "0") {
        return Err(StoreError::new(
            "the server evicts keys when its memory is full, and would forget what was spent: set `maxmemory-policy noeviction`",
        ));
    }
    Ok(())
}

fn fact<'a>(about: &'a str, name: &str) -> Option<&'a str> {
    about.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key == name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_it_cannot_work_with() {
        #[rustfmt::skip]
        let table = [
            ("redis_version:7.0.15\r\nrole:master\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n", None),
            ("redis_version:7.2.4\r\nvalkey_version:8.0.1\r\nrole:master\r\n", None),
            ("redis_version:6.2.0\r\nrole:master\r\nmaxmemory:9\r\nmaxmemory_policy:noeviction\r\n", None),
            ("redis_version:6.0.16\r\nrole:master\r\n", Some("6.2 or later")),
            ("", Some("6.2 or later")),
            ("redis_version:7.0.15\r\nrole:slave\r\n", Some("its primary")),
            ("redis_version:7.0.15\r\nrole:master\r\ncluster_enabled:1\r\n", Some("cluster")),
            ("redis_version:7.0.15\r\nrole:master\r\nmaxmemory:9\r\nmaxmemory_policy:volatile-ttl\r\n", Some("noeviction")),
        ];
        for (about, said) in table {
            let result = fitness(about);
            match said {
                None => result.unwrap(),
                Some(said) => assert!(result.unwrap_err().to_string().contains(said), "{about}"),
            }
        }
    }
}
