//! The parts of an upload, read by multer.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{HeaderMap, header};
use serde_json::Value;

use super::refusal::Refusal;

/// An uploaded file before it is stored.
pub(super) struct Upload {
    pub(super) name: String,
    pub(super) tags: Vec<String>,
    pub(super) content: Bytes,
}

impl Upload {
    /// Reads three kinds of part, each with exactly the documented head.
    pub(super) async fn read(headers: &HeaderMap, body: &Bytes) -> Result<Self, Refusal> {
        let content_type = headers.get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or_default().to_owned();
        let Some(boundary) = content_type.strip_prefix("multipart/form-data; boundary=") else {
            return Err(Refusal::bad(&format!("the content type is {content_type}")));
        };
        let (first, last) = (
            format!("--{boundary}\r\n"),
            format!("\r\n--{boundary}--\r\n"),
        );
        if !body.starts_with(first.as_bytes()) || !body.ends_with(last.as_bytes()) {
            return Err(Refusal::bad(
                "the boundary of the header is not that of the body",
            ));
        }
        let request = Request::builder().header(header::CONTENT_TYPE, &content_type);
        let request = request.body(Body::from(body.clone())).unwrap();
        let mut parts = Multipart::from_request(request, &()).await.unwrap();
        let (mut about, mut tags, mut content) = (None, Vec::new(), None);
        let mut count = 0;
        while let Some(part) = parts.next_field().await.map_err(Refusal::broken)? {
            count += 1;
            let head = (
                part.name().unwrap_or_default().to_owned(),
                part.content_type().map(str::to_owned),
                part.file_name().map(str::to_owned),
            );
            let bytes = part.bytes().await.map_err(Refusal::broken)?;
            match (head.0.as_str(), head.1.as_deref(), head.2) {
                ("about", Some("application/json"), None) => {
                    about = serde_json::from_slice::<Value>(&bytes).ok();
                }
                ("tags", None, None) => tags.push(String::from_utf8_lossy(&bytes).into_owned()),
                ("content", Some("application/octet-stream"), Some(file_name)) => {
                    content = Some((file_name, bytes));
                }
                (name, media_type, file_name) => {
                    let part = format!("{name}, {media_type:?}, {file_name:?}");
                    return Err(Refusal::bad(&format!("no part is like {part}")));
                }
            }
        }
        let boundaries = body.windows(boundary.len());
        let boundaries = boundaries.filter(|bytes| *bytes == boundary.as_bytes());
        if boundaries.count() != count + 1 {
            return Err(Refusal::bad("the boundary occurs in a part"));
        }
        let (Some(about), Some((file_name, content))) = (about, content) else {
            return Err(Refusal::bad("`about` or `content` is missing"));
        };
        let Some(name) = about["name"].as_str().filter(|name| *name == file_name) else {
            return Err(Refusal::bad(&format!(
                "{about} has not the name {file_name}"
            )));
        };
        Ok(Self {
            name: name.to_owned(),
            tags,
            content,
        })
    }
}
