//! Decoding a body, without a call.

use std::error::Error;
use std::hint::black_box;

use company_intel::document::Documented;
use company_intel::types::{EnrichmentResponse, JobPostsResponse, NewsResponse};
use company_intel::{Bytes, Response};

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::clock::in_turns;
use crate::table::Row;
use crate::{bodies, hand, peer};

pub fn rows() -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    rows.extend(of::<NewsResponse, hand::News, peer::types::NewsResponse>(
        "a page of 100 articles",
        &bodies::news()?,
        3,
    )?);
    rows.extend(of::<
        JobPostsResponse,
        hand::Jobs,
        peer::types::JobPostsResponse,
    >("a page of 100 job posts", &bodies::jobs(100)?, 12)?);
    rows.extend(of::<
        EnrichmentResponse,
        hand::Enrichment,
        peer::types::EnrichmentResponse,
    >(
        "an enrichment record, all sections",
        &bodies::enrichment()?,
        80,
    )?);
    Ok(rows)
}

fn of<Ours: Documented, Hand: DeserializeOwned, Peer: DeserializeOwned>(
    what: &str,
    body: &str,
    repeat: u32,
) -> Result<Vec<Row>, serde_json::Error> {
    fn read<T: DeserializeOwned>(body: &str) {
        drop(black_box(serde_json::from_str::<T>(black_box(body))));
    }
    // What fails would be fast.
    serde_json::from_str::<Ours>(body)?;
    serde_json::from_str::<Hand>(body)?;
    let peer_fails = serde_json::from_str::<Peer>(body).err();
    let bytes = Bytes::from(body.to_owned());
    let [ours, client, by_hand, peer, ignored, sonic] = in_turns(
        repeat,
        [
            &mut || read::<Ours>(body),
            &mut || drop(black_box(Response::<Ours>::from_bytes(bytes.clone()))),
            &mut || read::<Hand>(body),
            &mut || read::<Peer>(body),
            &mut || read::<IgnoredAny>(body),
            &mut || drop(black_box(sonic_rs::from_str::<Ours>(body))),
        ],
    );
    let what = format!("{what}, {} KB", body.len() / 1000);
    let hand_structs = "structs written by hand";
    let mut rows = vec![
        Row::ratio(format!("decode {what}"), ours, hand_structs, by_hand, 1.05),
        Row::ratio(
            format!("`Response::from_bytes` of it"),
            client,
            hand_structs,
            by_hand,
            None,
        ),
        Row::ratio("our types", ours, "progenitor's types", peer, 0.8),
        Row::ratio("our types", ours, "`IgnoredAny`", ignored, None),
    ];
    if let (Some(error), Some(row)) = (peer_fails, rows.get_mut(2)) {
        row.note = format!("progenitor's types fail: {error}");
    }
    let mut with_sonic = Row::ratio(
        "our types by sonic-rs",
        sonic,
        "our types by serde_json",
        ours,
        None,
    );
    if let Err(error) = sonic_rs::from_str::<Ours>(body) {
        let error = error.to_string();
        with_sonic.note = format!("fails: {}", error.lines().next().unwrap_or_default());
    }
    rows.push(with_sonic);
    Ok(rows)
}
