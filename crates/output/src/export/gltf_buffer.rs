//! The binary part of a glTF file and the accessors into it.

use serde_json::{Value, json};

/// Component types of glTF.
pub const FLOAT: u32 = 5126;
/// Signed 16 bits.
pub const SHORT: u32 = 5122;
/// Signed 8 bits.
pub const BYTE: u32 = 5120;
/// Unsigned 16 bits.
pub const UNSIGNED_SHORT: u32 = 5123;
/// Unsigned 8 bits.
pub const UNSIGNED_BYTE: u32 = 5121;

/// Bytes, and how they are to be read.
#[derive(Default)]
pub struct Buffer {
    pub bytes: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
}

/// What an accessor reads.
pub struct Layout {
    pub component: u32,
    pub kind: &'static str,
    pub count: usize,
    pub normalized: bool,
}

impl Buffer {
    /// Starts a view at a multiple of four bytes; `target` is 34962 for points, 34963 for indices.
    pub fn view(&mut self, target: Option<u32>, stride: Option<usize>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": 0 });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        if let Some(stride) = stride {
            view["byteStride"] = stride.into();
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds bytes to the last view and an accessor that reads them.
    pub fn accessor(
        &mut self,
        view: usize,
        bytes: &[u8],
        layout: Layout,
        range: Option<(Value, Value)>,
    ) -> usize {
        let start = self.views[view]["byteOffset"].as_u64().unwrap_or(0) as usize;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut accessor = json!({
            "bufferView": view, "byteOffset": self.bytes.len() - start, "componentType": layout.component,
            "count": layout.count, "type": layout.kind,
        });
        if layout.normalized {
            accessor["normalized"] = true.into();
        }
        if let Some((min, max)) = range {
            accessor["min"] = min;
            accessor["max"] = max;
        }
        self.bytes.extend_from_slice(bytes);
        self.views[view]["byteLength"] = (self.bytes.len() - start).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// A view of a whole file, such as a picture.
    pub fn file(&mut self, bytes: &[u8]) -> usize {
        let view = self.view(None, None);
        self.bytes.extend_from_slice(bytes);
        self.views[view]["byteLength"] = bytes.len().into();
        view
    }

    /// An accessor with a view of its own.
    pub fn single(
        &mut self,
        target: Option<u32>,
        bytes: &[u8],
        layout: Layout,
        range: Option<(Value, Value)>,
    ) -> usize {
        let view = self.view(target, None);
        self.accessor(view, bytes, layout, range)
    }
}

/// Floats as bytes.
pub fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}
