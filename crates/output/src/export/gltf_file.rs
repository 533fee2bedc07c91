//! glTF 2.0 as other programs write it, with all that it refers to in one buffer.

use crowdloom_motion::gltf_parts::{has_sound_head, resource};
use gltf::json::image::MimeType;
use gltf::json::validation::{Error, Validate};
use gltf::json::{Index, Root, buffer};
use serde_json::{Map, Value};
use std::path::Path;

type Reason<T> = Result<T, String>;

/// A document and its bytes; whatever it refers to is there.
pub(super) struct GltfFile {
    /// What the file says.
    pub root: Root,
    /// All buffers, one after the other: every view is one of the first buffer.
    pub bytes: Vec<u8>,
}

impl GltfFile {
    /// Reads a `.glb` or `.gltf` file and the files of its folder that it names.
    pub fn read(path: &Path) -> Reason<Self> {
        let file = std::fs::read(path).map_err(|error| error.to_string())?;
        Self::of(&file, path.parent().unwrap_or(Path::new(".")))
    }

    /// Reads the contents of a file, and the files of a folder that it names.
    pub fn of(file: &[u8], folder: &Path) -> Reason<Self> {
        if !has_sound_head(file) {
            return Err("the file is cut off or no glTF 2.0".into());
        }
        let read = gltf::Gltf::from_slice_without_validation(file).map_err(|error| match error {
            gltf::Error::Binary(_) => "the file is cut off or no glTF 2.0".to_owned(),
            error => format!("it is no glTF: {error}"),
        })?;
        let mut root = read.document.into_json();
        if root.asset.version != "2.0" {
            return Err("it is no glTF 2.0".into());
        }
        if root.extensions_required.iter().any(|name| name == "EXT_meshopt_compression") {
            return Err("its buffers are compressed with EXT_meshopt_compression; save it without".into());
        }
        // What is only unusual is passed on as it is.
        let mut astray = None;
        root.validate(&root, gltf::json::Path::new, &mut |path, error| {
            if matches!(error, Error::IndexOutOfBounds | Error::Oversize) {
                astray.get_or_insert_with(|| path().to_string());
            }
        });
        if let Some(place) = astray {
            return Err(format!("it refers to something that is not there ({place})"));
        }
        let bytes = join_buffers(&mut root, read.blob.as_deref(), folder)?;
        if bytes.len() > u32::MAX as usize / 2 {
            return Err("it is larger than 2 GB".into());
        }
        Ok(Self { root, bytes })
    }
}

/// A part of a document as the file has it.
pub(super) fn object(part: &impl serde::Serialize) -> Reason<Map<String, Value>> {
    match serde_json::to_value(part) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err("it holds values that glTF does not know".into()),
    }
}

/// Makes one buffer of all, and takes in images that are files of their own.
fn join_buffers(root: &mut Root, binary: Option<&[u8]>, folder: &Path) -> Reason<Vec<u8>> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut starts = Vec::new();
    for buffer in &root.buffers {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        starts.push(bytes.len());
        match &buffer.uri {
            Some(uri) => bytes.extend(resource(uri, folder)?),
            None => bytes.extend(binary.ok_or("its binary part is missing")?),
        }
    }
    for view in &mut root.buffer_views {
        let begin =
            (starts[view.buffer.value()] as u64).saturating_add(view.byte_offset.unwrap_or_default().0);
        if begin.saturating_add(view.byte_length.0) > bytes.len() as u64 {
            return Err("a buffer view reaches past its buffer".into());
        }
        view.buffer = Index::new(0);
        view.byte_offset = Some(begin.into());
    }
    for image in &mut root.images {
        let Some(uri) = image.uri.take_if(|uri| !uri.starts_with("data:")) else { continue };
        let picture = resource(&uri, folder)?;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let kind = if picture.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
        image.mime_type = Some(MimeType(kind.into()));
        image.buffer_view = Some(Index::new(root.buffer_views.len() as u32));
        root.buffer_views.push(buffer::View {
            buffer: Index::new(0),
            byte_length: picture.len().into(),
            byte_offset: Some(bytes.len().into()),
            byte_stride: None,
            name: None,
            target: None,
            extensions: None,
            extras: None,
        });
        bytes.extend(picture);
    }
    Ok(bytes)
}
