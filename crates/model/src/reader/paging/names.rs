//! Names of the parameters and members that page, each with a document that has it. Names are compared without case and punctuation:
//! `page_token`, `pageToken` and `page[token]` are one.

use openapi_document::readable;

/// Parameters that take a cursor, with the members of a response that hold the next one: by the name, or by that of its object and its own.
pub(super) const CURSORS: [(&str, &[&str]); 13] = [
    ("cursor", &["nextcursor", "endcursor", "paginatenextpage"]), // ElevenLabs, Phoenix; Relay; Pachca
    ("marker", &["nextmarker"]),                                  // Box
    ("pagetoken", &["nextpagetoken", "nextpage"]),                // Google, Ory; Oxide
    ("nextpagetoken", &["nextpagetoken"]),                        // ElevenLabs
    ("nexttoken", &["nexttoken"]),                                // AWS
    ("nextcursor", &["nextcursor"]),                              // X
    ("startcursor", &["nextcursor"]),                             // Notion
    ("pagecursor", &["nextcursor"]),                              // JSON:API `page[cursor]`
    ("paginationtoken", &["nexttoken", "paginationnext"]),        // X; Pinecone
    ("continuationtoken", &["nextcontinuationtoken"]),            // S3
    (
        "after",
        &["endcursor", "nextoffset", "nextafter", "cursorsafter"],
    ), // Relay; lakeFS; HubSpot; Facebook
    ("offset", &["nextoffset"]),                                  // Chargebee: a string
    ("page", &["nextpage"]),                                      // OpenAI, Anthropic: a string
];

/// The parameter whose next value may also be the member `next`, which other documents use for an address.
pub(super) const AFTER: &str = "after"; // OpenAI

/// Parameters that take a cursor, if an object with the metadata of a page has a member of the same name: WorkOS, Asana.
pub(super) const SAME_NAMES: [&str; 7] = [
    "after",
    "afterid",
    "cursor",
    "marker",
    "offset",
    "pagetoken",
    "startingafter",
];

/// Parameters that take the identifier of the last record, if a flag marks more records.
pub(super) const LAST_IDS: [&str; 4] = ["startingafter", "startafter", "after", "afterid"]; // Stripe; OpenAI, Resend; Anthropic

/// Members with the identifier of the last record.
pub(super) const LAST_ID_MEMBERS: [&str; 1] = ["lastid"]; // OpenAI, Anthropic

/// Parameters that take the number of a page.
pub(super) const PAGES: [&str; 6] = [
    "page",       // GitHub, DigitalOcean, Polar
    "pagenumber", // Adyen; JSON:API `page[number]`
    "pageno",
    "pagenum",
    "pageindex",
    "currentpage",
];

/// Parameters that take the number of records to skip.
pub(super) const OFFSETS: [&str; 3] = ["offset", "skip", "pageoffset"]; // Spotify; OData `$skip`; JSON:API `page[offset]`

/// Parameters that bound the records of a page.
pub(super) const LIMITS: [&str; 14] = [
    "limit",    // Discord, Box
    "perpage",  // GitHub
    "pagesize", // Adyen, Twilio
    "pagelimit",
    "maxresults",
    "maxitems",
    "maxpagesize",
    "itemsperpage",
    "resultsperpage",
    "top", // OData
    "take",
    "size",
    "count",
    "amount", // lakeFS
];

/// Members with the number of all records.
pub(super) const TOTALS: [&str; 9] = [
    "total",        // DigitalOcean
    "totalcount",   // GitHub, Polar
    "totalitems",   // Langfuse, PayPal
    "totalresults", // Discord
    "totalrecords",
    "totalelements", // Spring
    "totalentries",
    "totalhits",
    "totalsize",
];

/// Members with the number of pages.
pub(super) const PAGE_COUNTS: [&str; 8] = [
    "totalpages", // Langfuse, PayPal
    "pagestotal", // Adyen
    "numpages",   // Dropbox Sign
    "maxpage",    // Polar
    "pagecount",
    "lastpage", // Laravel
    "pages",    // DigitalOcean
    "totalpagecount",
];

/// Flags for another page.
pub(super) const FLAGS: [&str; 7] = [
    "hasmore",     // Stripe, Discord
    "hasnextpage", // Relay
    "hasnext",     // Spring
    "hasmorepages",
    "hasmoreitems",
    "more",
    "nextpage", // Figma
];

/// Members with a link to the next page.
pub(super) const LINKS: [&str; 9] = [
    "next",        // JSON:API, HAL, Django REST framework, Spotify
    "nexturl",     // AssemblyAI
    "nextpageurl", // Twilio, Laravel
    "nexthref",
    "nextlink", // Azure, `@odata.nextLink` after the prefix
    "nextpagelink",
    "nexturi",
    "nextpageuri",
    "odatanextlink", // Microsoft Graph
];

/// Objects with the metadata of a page.
pub(super) const CONTAINERS: [&str; 16] = [
    "meta",
    "metadata",
    "pagination",
    "paging",
    "paginate",
    "pageinfo",
    "pagedetails",
    "page",
    "links",
    "cursors",
    "listinfo",
    "responsemetadata",
    "resultinfo",
    "pages",
    "next",
    "paginator",
];

/// Returns whether an object of this plain name may have the cursor of a page.
pub(super) fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name)
        || name.starts_with("next")
        || name.starts_with("page")
        || name.ends_with("metadata")
        || name == "cursor"
}

/// Arrays of records, if the response has other arrays too.
pub(super) const RECORDS: [&str; 8] = [
    "items", "data", "results", "records", "entries", "values", "rows", "hits",
];

/// Arrays beside the records.
pub(super) const SIDE_LISTS: [&str; 5] = [
    "warnings", // Dropbox Sign
    "errors", "links",   // PayPal
    "order",   // Box
    "schemas", // SCIM
];

/// The prefixes of parameters that request the records before another one. With one of them, "next" may lead either way.
pub(super) const BACKWARDS: &str = "before";

/// Descriptions that state the number of the first page.
pub(super) const FIRST_PAGES: [(&str, u64); 10] = [
    ("starts at 1", 1), // Langfuse
    ("starting at 1", 1),
    ("starting from 1", 1),
    ("starts from 1", 1),
    ("1-based", 1),
    ("1-indexed", 1),
    ("starts at 0", 0),
    ("starting at 0", 0),
    ("starting from 0", 0),
    ("0-based", 0),
];

/// Returns whether a name is valid in a path and in a code span. Any other pages by an override alone.
pub(super) fn is_ordinary(name: &str) -> bool {
    readable::is_plain(name) && !name.contains(['\'', '`'])
}

/// A name without case and punctuation.
pub(super) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
