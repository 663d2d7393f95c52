//! Bodies of `multipart/form-data`: strings, JSON and files, each a named part.

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use bytes::Bytes;
use serde::Serialize;

use crate::request::body::Content;
use crate::request::payload::Payload;
use crate::request::tree::Tree;
use crate::transport::upload::{Source, Upload};

/// The content of one part, with its file name and media type.
///
/// ```
/// use generated_client::request::Part;
///
/// let photo = Part::new(vec![0xff, 0xd8]).file_name("cat.jpg").content_type("image/jpeg");
/// let plain: Part = vec![1, 2, 3].into();
/// # let _ = (photo, plain);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    payload: Payload,
    file_name: Option<String>,
    content_type: Option<String>,
}

impl Part {
    /// Makes a part of these bytes. A [`Payload`] may be read from a file or a reader while it is sent; if the length of one is unknown,
    /// the complete body is chunked.
    pub fn new(bytes: impl Into<Payload>) -> Self {
        Self {
            payload: bytes.into(),
            ..Self::default()
        }
    }

    /// Makes a part of a file, with its name. It is read while it is sent, as [`Payload::from_file`] describes.
    pub fn from_file(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let name = path.file_name().map(|name| name.to_string_lossy());
        Self {
            file_name: name.map(|name| name.into_owned()),
            ..Self::new(Payload::from_file(path))
        }
    }

    /// Sets the file name. The default is the name of the part.
    #[must_use]
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.file_name = Some(name.into());
        self
    }

    /// Sets the media type. The default is the documented one, or `application/octet-stream`.
    #[must_use]
    pub fn content_type(mut self, media_type: impl Into<String>) -> Self {
        self.content_type = Some(media_type.into());
        self
    }
}

impl<P: Into<Payload>> From<P> for Part {
    fn from(payload: P) -> Self {
        Self::new(payload)
    }
}

/// The parts of a body, in order.
#[derive(Debug, Clone, Default)]
pub struct Multipart {
    parts: Vec<(String, Part)>,
    problem: Option<String>,
}

impl Multipart {
    /// Makes a body without parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part unchanged.
    pub fn part(&mut self, name: &str, part: impl Into<Part>) -> &mut Self {
        self.parts.push((name.to_owned(), part.into()));
        self
    }

    /// Adds a file. The defaults of its name and media type are `name` and `media_type`.
    pub fn file(&mut self, name: &str, media_type: &str, part: &Part) -> &mut Self {
        let mut part = part.clone();
        part.file_name.get_or_insert_with(|| name.to_owned());
        part.content_type
            .get_or_insert_with(|| media_type.to_owned());
        self.part(name, part)
    }

    /// Adds a value: a string unchanged, one part per element of a list, and nested values as JSON. An absent value adds nothing.
    /// `media_type` is the documented one of the part, if any.
    pub fn value(
        &mut self,
        name: &str,
        media_type: Option<&str>,
        value: &(impl Serialize + ?Sized),
    ) -> &mut Self {
        let tree = match Tree::of(value) {
            Ok(tree) => tree,
            Err(problem) => return self.refuse(name, problem),
        };
        let is_json = media_type.is_some_and(|media_type| media_type.contains("json"));
        let items = match tree {
            // JSON contains the list itself.
            Tree::List(items) if !is_json => items,
            one => vec![one],
        };
        for item in items {
            let (text, default) = match item {
                Tree::Nothing => continue,
                Tree::Scalar { text, .. } if !is_json => (text, None),
                nested => (nested.json(), Some("application/json")),
            };
            let content_type = media_type.or(default).map(str::to_owned);
            let part = Part {
                content_type,
                ..Part::new(text)
            };
            self.part(name, part);
        }
        self
    }

    /// Keeps the reason why a part cannot be sent, unless there is one already.
    pub(crate) fn refuse(&mut self, name: &str, problem: impl Into<String>) -> &mut Self {
        self.problem
            .get_or_insert_with(|| format!("has a part `{name}` that {}", problem.into()));
        self
    }

    /// Returns the content type with the boundary, and the body.
    pub(crate) fn encode(&self) -> Result<(String, Content), String> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let boundary = self.boundary();
        let mut sources = Vec::new();
        let mut text = Vec::new();
        for (name, part) in &self.parts {
            let source = part.payload.0.as_ref();
            let source = source.map_err(|why| format!("has a part `{name}` that {why}"))?;
            let mut head = format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"",
                quoted(name)
            );
            // Writing to a `String` cannot fail.
            if let Some(file_name) = &part.file_name {
                let _ = write!(head, "; filename=\"{}\"", quoted(file_name));
            }
            if let Some(content_type) = &part.content_type {
                if content_type.contains(|c: char| c.is_ascii_control()) {
                    return Err(format!(
                        "has a part `{name}` whose media type a header cannot hold"
                    ));
                }
                let _ = write!(head, "\r\nContent-Type: {content_type}");
            }
            head.push_str("\r\n\r\n");
            text.extend_from_slice(head.as_bytes());
            match source {
                Source::Bytes(bytes) => text.extend_from_slice(bytes),
                streamed => {
                    sources.push(Source::Bytes(std::mem::take(&mut text).into()));
                    sources.push(streamed.clone());
                }
            }
            text.extend_from_slice(b"\r\n");
        }
        text.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        let content = if sources.is_empty() {
            Content::Bytes(text.into())
        } else {
            sources.push(Source::Bytes(text.into()));
            Content::Upload(Upload(sources.into()))
        };
        Ok((format!("multipart/form-data; boundary={boundary}"), content))
    }

    /// Returns a string that occurs in no part. Equal parts have equal boundaries, so that requests can be compared. If a part is not read
    /// yet, the boundary is unpredictable.
    fn boundary(&self) -> String {
        let mut known = Vec::new();
        for (name, part) in &self.parts {
            match &part.payload.0 {
                Ok(Source::Bytes(bytes)) => known.push((name, bytes)),
                _ => {
                    let [one, other] = [(); 2].map(|()| RandomState::new().hash_one(name));
                    return format!("part-{one:016x}{other:016x}");
                }
            }
        }
        boundary_unless(known.iter().map(|(_, bytes)| *bytes), |boundary| {
            let boundary = boundary.as_bytes();
            known.iter().any(|(name, bytes)| {
                contains(bytes, boundary) || contains(name.as_bytes(), boundary)
            })
        })
    }
}

fn boundary_unless<'b>(
    bodies: impl Iterator<Item = &'b Bytes>,
    occurs: impl Fn(&str) -> bool,
) -> String {
    // FNV-1a. If the content includes the boundary of its own hash, which is no accident, the next hash is tried.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bodies.flatten() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    loop {
        let boundary = format!("part-{hash:016x}");
        if !occurs(&boundary) {
            return boundary;
        }
        hash = hash.wrapping_add(1);
    }
}

fn contains(bytes: &[u8], sought: &[u8]) -> bool {
    bytes.windows(sought.len()).any(|window| window == sought)
}

/// Puts a name in quotation marks, escaped as browsers do.
fn quoted(name: &str) -> String {
    let name = name.replace('"', "%22");
    name.replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(parts: &Multipart) -> (String, String) {
        let (content_type, Content::Bytes(bytes)) = parts.encode().unwrap() else {
            panic!("a body of bytes");
        };
        let boundary = content_type.split_once("boundary=").unwrap().1.to_owned();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        (
            boundary.clone(),
            text.replace(&boundary, "B").replace("\r\n", "\n"),
        )
    }

    #[test]
    fn strings_json_lists_and_files_are_separate_parts() {
        let mut parts = Multipart::new();
        parts
            .value("id", None, &7)
            .value("none", None, &None::<u8>)
            .value("tags", None, &["a", "b"])
            .value("meta", None, &json!({"a": [1]}))
            .value("list", Some("application/json"), &[1, 2])
            .file(
                "photo",
                "image/png",
                &Part::new("PNG").file_name("a\"b.png"),
            )
            .file("raw", "application/octet-stream", &"bytes".into());
        assert_eq!(
            sent(&parts).1,
            "--B\nContent-Disposition: form-data; name=\"id\"\n\n7\n\
             --B\nContent-Disposition: form-data; name=\"tags\"\n\na\n\
             --B\nContent-Disposition: form-data; name=\"tags\"\n\nb\n\
             --B\nContent-Disposition: form-data; name=\"meta\"\nContent-Type: application/json\n\n{\"a\":[1]}\n\
             --B\nContent-Disposition: form-data; name=\"list\"\nContent-Type: application/json\n\n[1,2]\n\
             --B\nContent-Disposition: form-data; name=\"photo\"; filename=\"a%22b.png\"\nContent-Type: image/png\n\nPNG\n\
             --B\nContent-Disposition: form-data; name=\"raw\"; filename=\"raw\"\nContent-Type: application/octet-stream\n\nbytes\n\
             --B--\n"
        );
    }

    #[test]
    fn equal_parts_have_equal_boundaries_that_occur_in_no_part() {
        let of = |text: String| {
            let mut parts = Multipart::new();
            parts.part("a", text);
            parts.boundary()
        };
        assert_eq!(of("x".to_owned()), of("x".to_owned()));
        // The boundary depends on the content: this content includes its first boundary.
        let body = Bytes::from_static(b"x");
        let first = boundary_unless([&body].into_iter(), |_| false);
        let occupied = |boundary: &str| boundary == first;
        assert_ne!(boundary_unless([&body].into_iter(), occupied), first);
    }

    #[test]
    fn content_with_the_boundary_of_an_earlier_upload_has_another_boundary() {
        let encoded = |content: Vec<u8>| {
            let mut parts = Multipart::new();
            parts.part("a", content);
            let (content_type, Content::Bytes(bytes)) = parts.encode().unwrap() else {
                panic!("a body of bytes");
            };
            (content_type, bytes.to_vec())
        };
        let (earlier, body) = encoded(b"x".to_vec());
        assert_ne!(encoded(body).0, earlier);
    }

    #[test]
    fn a_line_break_in_a_name_or_media_type_cannot_inject_a_header() {
        let mut parts = Multipart::new();
        parts.part("a\r\nb", Part::new("").file_name("c\nd"));
        let (_, text) = sent(&parts);
        assert!(
            text.contains("name=\"a%0D%0Ab\"; filename=\"c%0Ad\""),
            "{text}"
        );
        let mut parts = Multipart::new();
        parts.part("a", Part::new("").content_type("b\r\nc: d"));
        assert!(parts.encode().unwrap_err().contains("media type"));
    }

    #[test]
    fn the_first_invalid_part_is_the_reported_one() {
        let mut parts = Multipart::new();
        parts
            .value("title", None, "a")
            .require_length("title", "a", Some(2), None);
        parts.require_items("files", 5, None, Some(4));
        let problem = parts.encode().unwrap_err();
        assert_eq!(
            problem,
            "has a part `title` that has 1 characters, fewer than its minimum 2"
        );
        let mut parts = Multipart::new();
        parts
            .value("title", None, "ab")
            .require_length("title", "ab", Some(2), None);
        assert!(parts.encode().is_ok());
    }
}
