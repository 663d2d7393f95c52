//! Decoding a body, without a call.

use std::error::Error;
use std::hint::black_box;

use company_intel::document::Documented;
use company_intel::types::{EnrichmentResponse, JobPostsResponse, NewsResponse};
use company_intel::{Bytes, Response};
use generated_client::wire::Read;

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::clock::in_turns;
use crate::openapi_to_rust::types as second;
use crate::table::Row;
use crate::{bodies, hand, peer};

pub fn rows() -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    rows.extend(of::<
        NewsResponse,
        hand::News,
        peer::types::NewsResponse,
        second::NewsResponse,
    >("a page of 100 articles", &bodies::news()?, 3)?);
    rows.push(other_form()?);
    rows.extend(of::<
        JobPostsResponse,
        hand::Jobs,
        peer::types::JobPostsResponse,
        second::JobPostsResponse,
    >("a page of 100 job posts", &bodies::jobs(100)?, 12)?);
    rows.extend(of::<
        EnrichmentResponse,
        hand::Enrichment,
        peer::types::EnrichmentResponse,
        second::EnrichmentResponse,
    >(
        "an enrichment record, all sections",
        &bodies::enrichment()?,
        80,
    )?);
    Ok(rows)
}

fn of<Ours, Hand, Peer, Second>(
    what: &str,
    body: &str,
    repeat: u32,
) -> Result<Vec<Row>, Box<dyn Error>>
where
    Ours: Documented + Read,
    Hand: DeserializeOwned,
    Peer: DeserializeOwned,
    Second: DeserializeOwned,
{
    // The bytes of a service are not known to be UTF-8.
    fn read<T: DeserializeOwned>(body: &[u8]) {
        drop(black_box(serde_json::from_slice::<T>(black_box(body))));
    }
    // What fails would be fast.
    serde_json::from_str::<Ours>(body)?;
    serde_json::from_str::<Hand>(body)?;
    serde_json::from_str::<Peer>(body)?;
    serde_json::from_str::<Second>(body)?;
    let bytes = Bytes::from(body.to_owned());
    let [ours, by_hand, peer, second, alone, ignored] = in_turns(
        repeat,
        [
            &mut || client::<Ours>(&bytes),
            &mut || read::<Hand>(&bytes),
            &mut || read::<Peer>(&bytes),
            &mut || read::<Second>(&bytes),
            &mut || read::<Ours>(&bytes),
            &mut || read::<IgnoredAny>(&bytes),
        ],
    );
    let what = format!("decode {what}, {:.0} KB", body.len() as f64 / 1e3);
    let mut rows = vec![
        Row::ratio(
            what.as_str(),
            ours,
            "structs written by hand",
            by_hand,
            1.05,
        ),
        Row::ratio(what.as_str(), ours, "progenitor's types", peer, 1.1),
        Row::ratio(what.as_str(), ours, "openapi-to-rust's types", second, None),
        Row::ratio(
            "its types alone, by `serde_json::from_slice`",
            alone,
            "structs written by hand",
            by_hand,
            None,
        ),
        Row::ratio("decode it", ours, "`serde::de::IgnoredAny`", ignored, None),
    ];
    if let (Err(error), Some(row)) = (sonic_rs::from_str::<Ours>(body), rows.get_mut(3)) {
        let error = error.to_string();
        let error = error.lines().next().unwrap_or_default();
        row.note = format!("sonic-rs cannot read them: {error}");
    }
    Ok(rows)
}

/// Values that have another form than the document says.
fn other_form() -> Result<Row, Box<dyn Error>> {
    let documented = bodies::news()?;
    let other = Bytes::from(bodies::in_other_form(&documented)?);
    let documented = Bytes::from(documented);
    let [other, documented] = in_turns(
        3,
        [&mut || client::<NewsResponse>(&other), &mut || {
            client::<NewsResponse>(&documented)
        }],
    );
    Ok(Row::ratio(
        "the same with 100 values of another form",
        other,
        "as documented",
        documented,
        None,
    ))
}

/// Decodes a body as a client does.
fn client<T: Documented + Read>(bytes: &Bytes) {
    drop(black_box(Response::<T>::from_bytes(bytes.clone())));
}
