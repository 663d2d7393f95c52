//! Files that a document may include: regular ones below its folder, or below the one that `--root` names. A document may be from anyone, and
//! its included files appear in reports and in the generated crate.

use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use crate::support::tool::{Options, warned};
use openapi_crate::commands::update;
use openapi_diff::command::{Format, Options as DiffOptions, alone};
use openapi_document::finding::DocumentError;
use openapi_document::given;
use openapi_document::source::{LARGEST, Root};

use crate::diff::command::PLAIN;
use crate::support::Workspace;
use crate::update::of;

/// A secret that no output may contain.
const SECRET: &str = "hunter2";

/// Returns a document in `api/` that includes a schema by this reference.
fn document(reference: &str) -> String {
    format!(
        "openapi: 3.0.3
info: {{title: Small, version: '1'}}
paths:
  /things:
    get:
      operationId: things
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema:
                $ref: '{reference}'
"
    )
}

/// Creates a workspace with that document, and with a secret outside of its folder.
fn workspace(reference: &str) -> Workspace {
    Workspace::new()
        .file("api/openapi.yaml", &document(reference))
        .file("api/parts/here.yaml", "{type: object, properties: {a: {type: string}}}\n")
        .file(
            "secret/config.json",
            &format!("{{\"type\": \"object\", \"properties\": {{\"{SECRET}\": {{\"type\": \"string\"}}}}}}"),
        )
        .file("secret/broken.json", &format!("{{\"{SECRET}\": \n"))
}

/// Returns the output of `generate`, or the error; with `root`, files below the workspace may be included.
fn generated(workspace: &Workspace, root: bool) -> Result<String, DocumentError> {
    let options = Options {
        root: root.then(|| workspace.root().to_owned()),
        ..Options::of(workspace, "api/openapi.yaml", "crate")
    };
    let shown = warned(&options)?;
    let files = ["openapi.yaml", "README.md", "src/types.rs"];
    let files = files.map(|file| format!("crate/{file}"));
    let files = files.iter().filter(|file| workspace.exists(file));
    Ok(files.fold(shown, |all, file| all + &workspace.read(file)))
}

/// Returns the output of `diff` for a document and a small one, in every format.
fn compared(workspace: &Workspace, document: &str, root: bool) -> Result<String, DocumentError> {
    let other = workspace.root().join("other.yaml");
    std::fs::write(&other, self::document("#/gone")).unwrap();
    let mut out = Vec::new();
    for format in [Format::Text, Format::Json, Format::Markdown, Format::Sarif] {
        let options = DiffOptions {
            root: root.then(|| workspace.root().to_owned()),
            format,
            ..PLAIN
        };
        alone(&other.to_string_lossy(), document, &options, &mut out)
            .map_err(|error| error.downcast::<DocumentError>().unwrap())?;
    }
    Ok(String::from_utf8(out).unwrap())
}

fn first(workspace: &Workspace) -> String {
    let path = workspace.root().join("api/openapi.yaml");
    path.to_string_lossy().into_owned()
}

/// Checks that all commands refuse the document with the location of its reference, the file, the reason and the option, but no content.
fn is_refused(workspace: &Workspace, leads_to: &str, reason: &str) {
    for stop in [
        generated(workspace, false).unwrap_err(),
        compared(workspace, &first(workspace), false).unwrap_err(),
        updated(workspace),
    ] {
        assert!(matches!(stop, DocumentError::Unreadable(_)), "{stop}");
        let text = stop.to_string();
        assert!(text.contains("error[refused-file]"), "{text}");
        assert!(text.contains("openapi.yaml:13:23"), "{text}");
        assert!(text.contains(leads_to), "{text}");
        assert!(text.contains(reason), "{text}");
        assert!(!text.contains(SECRET), "{text}");
    }
    assert!(!workspace.exists("crate"));
}

/// Returns the error with which `update` refuses the document.
fn updated(workspace: &Workspace) -> DocumentError {
    workspace.write("spec/openapi.yaml", &document("#/gone"));
    let options = update::Options {
        document: first(workspace),
        dry_run: true,
        ..of("api/openapi.yaml")
    };
    let error = update::update(&workspace.layout(), &options, &mut Vec::new()).unwrap_err();
    error.downcast().unwrap()
}

#[test]
fn a_reference_to_a_file_outside_of_the_folder_is_refused_with_its_place() {
    for reference in [
        "../secret/config.json",
        "../secret/config.json#/properties",
        "parts/../../secret/config.json",
        "%20/../../secret/config.json",
        "../secret/broken.json#/a",
    ] {
        let workspace = workspace(reference);
        is_refused(&workspace, "secret/", "/api");
    }
    let stop = generated(&workspace("../secret/config.json"), false).unwrap_err();
    assert!(stop.to_string().contains("`--root DIR`"), "{stop}");
}

#[test]
fn a_link_that_leads_outside_is_refused_and_one_that_stays_inside_is_followed() {
    let linked = |reference: &str| {
        let workspace = workspace(reference);
        let at = |path: &str| workspace.root().join(path);
        symlink(at("secret/config.json"), at("api/link.json")).unwrap();
        symlink(at("secret"), at("api/folder")).unwrap();
        symlink(at("api/parts"), at("api/inside")).unwrap();
        symlink(at("api/link.json"), at("api/parts/chained.json")).unwrap();
        workspace
    };
    for outside in ["link.json", "folder/config.json", "inside/chained.json"] {
        is_refused(
            &linked(outside),
            "secret/config.json, which is outside of",
            "/api",
        );
    }
    generated(&linked("inside/here.yaml"), false).unwrap();
}

#[test]
fn neither_an_absolute_path_nor_a_url_of_a_file_is_followed() {
    let absolute = workspace("").root().join("secret/config.json");
    for prefix in ["", "file:", "file://", "file://localhost"] {
        let workspace = workspace(&format!("{prefix}{}", absolute.display()));
        for root in [false, true] {
            for text in [
                generated(&workspace, root).unwrap(),
                compared(&workspace, &first(&workspace), root).unwrap(),
            ] {
                assert!(!text.contains(SECRET), "{text}");
            }
        }
    }
}

#[test]
fn a_pipe_and_a_device_are_refused_without_being_opened() {
    let workspace = workspace("pipe.yaml");
    let pipe = workspace.root().join("api/pipe.yaml");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    is_refused(&workspace, "pipe.yaml", "is not a regular file");

    let workspace = self::workspace("zero.yaml");
    symlink("/dev/zero", workspace.root().join("api/zero.yaml")).unwrap();
    is_refused(&workspace, "/dev/zero", "is outside of");
}

#[test]
fn a_file_and_all_files_together_have_a_largest_size() {
    let workspace = workspace("large.yaml");
    let large = |path: &str, size: u64| {
        let file = std::fs::File::create(workspace.root().join(path)).unwrap();
        file.set_len(size).unwrap();
    };
    large("api/large.yaml", LARGEST + 1);
    is_refused(
        &workspace,
        "large.yaml",
        "is larger than the 64 MiB for one file",
    );
}

#[test]
fn the_option_names_another_root() {
    for reference in ["../secret/config.json", "parts/../../secret/config.json"] {
        let workspace = workspace(reference);
        let text = generated(&workspace, true).unwrap();
        assert!(text.contains(SECRET), "{text}");
        let text = compared(&workspace, &first(&workspace), true).unwrap();
        assert!(text.contains(SECRET), "{text}");
    }
    let error = generated(&workspace("../../elsewhere.yaml"), true);
    assert!(error.is_ok(), "a file that does not exist leads nowhere");
}

#[test]
fn a_pipe_of_the_shell_is_a_document_of_one_file_and_other_pipes_and_devices_are_refused() {
    let workspace = workspace("");
    let document = |file: PathBuf| {
        let options = Options {
            document: file.to_string_lossy().into_owned(),
            output: workspace.root().join("crate"),
            ..Options::default()
        };
        warned(&options)
    };
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer
        .write_all(self::document("parts/here.yaml").as_bytes())
        .unwrap();
    drop(writer);
    let text = document(format!("/dev/fd/{}", reader.as_raw_fd()).into()).unwrap();
    assert!(text.contains("the file does not exist"), "{text}");

    let pipe = workspace.root().join("api/named");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for file in [pipe, "/dev/zero".into()] {
        let stop = document(file).unwrap_err();
        let finding = &stop.findings()[0];
        assert_eq!(
            finding.message,
            "cannot read the file: it is not a regular file"
        );
        assert!(finding.help.contains("pipe the content into `-`"));
    }
}

#[test]
fn a_revision_has_the_same_rule() {
    let workspace = workspace("../secret/config.json");
    workspace.git(&["init", "--quiet"]);
    workspace.git(&["add", "."]);
    workspace.git(&["commit", "--quiet", "--message", "One"]);
    let committed = |root: Option<&str>| {
        let root = Root::Option(root.map(|root| workspace.root().join(root)));
        given::tolerant(workspace.root(), "HEAD:api/openapi.yaml", &root)
    };
    for root in [None, Some("api")] {
        let text = committed(root).unwrap_err().to_string();
        assert!(
            text.contains("HEAD:secret/config.json, which is outside of HEAD:api"),
            "{text}"
        );
        assert!(text.contains(":13:23"), "{text}");
        assert!(!text.contains(SECRET), "{text}");
    }
    for root in ["", "..", "../.."] {
        assert!(committed(Some(root)).is_ok());
    }
}
