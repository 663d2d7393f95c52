//! The files of the sample data: those of this package, or those of a folder instead.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

macro_rules! files {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../data/", $name)))),*]
    };
}

const FILES: [(&str, &str); 9] = files![
    "companies.json",
    "employee_reviews.json",
    "enrichment.json",
    "headcount.json",
    "industries.json",
    "jobs.json",
    "news.json",
    "posts.json",
    "product_reviews.json"
];

/// File contents by file name.
#[derive(Debug)]
pub(crate) struct Fixtures {
    texts: BTreeMap<&'static str, Text>,
}

/// Content of a file.
#[derive(Debug)]
struct Text {
    json: Cow<'static, str>,
    /// Path, for messages.
    place: String,
}

impl Fixtures {
    /// Returns the files of this package.
    pub(crate) fn own() -> Self {
        let own = |(name, json): (&'static str, &'static str)| {
            let json = Cow::Borrowed(json);
            (
                name,
                Text {
                    json,
                    place: name.to_owned(),
                },
            )
        };
        Self {
            texts: FILES.map(own).into(),
        }
    }

    /// Reads the files of a folder, and those of this package that the folder lacks.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let reading = || format!("reading the sample data in {}", folder.display());
        let mut fixtures = Self::own();
        for entry in fs::read_dir(folder).with_context(reading)? {
            let path = entry.with_context(reading)?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let place = path.display().to_string();
            let name = path.file_name().and_then(|name| name.to_str());
            let known = fixtures
                .texts
                .iter_mut()
                .find(|(known, _)| name == Some(**known));
            let Some((_, text)) = known else {
                let names: Vec<_> = FILES.iter().map(|(name, _)| *name).collect();
                bail!(
                    "{place} is not a file of sample data: expected {}",
                    names.join(", ")
                );
            };
            let json = fs::read_to_string(&path).with_context(|| format!("reading {place}"))?;
            *text = Text {
                json: json.into(),
                place,
            };
        }
        Ok(fixtures)
    }

    /// Replaces the companies with those of this package.
    pub(crate) fn with_own_companies(mut self) -> Self {
        let own = Self::own().texts.into_iter();
        self.texts
            .extend(own.filter(|(name, _)| *name == "companies.json"));
        self
    }

    /// Returns the path of a file, by its name.
    pub(crate) fn place(&self, name: &str) -> String {
        self.texts
            .get(name)
            .map_or_else(|| name.to_owned(), |text| text.place.clone())
    }

    /// Decodes a file.
    pub(crate) fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let text = self.texts.get(name).context("no such file")?;
        serde_json::from_str(&text.json)
            .with_context(|| format!("{} has another form than that of the sandbox", text.place))
    }
}
