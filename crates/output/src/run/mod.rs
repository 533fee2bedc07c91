//! The run file `run.loom`: who was where in which frame, doing what.
//!
//! A file is a magic number and a chain of blocks ([`block`]): a header, then clip motions and stretches of frames as
//! they come up, then an end. Each block is deflated and carries a checksum, so that a file whose writing was cut off
//! can be read up to its last whole block. Blocks are independent of each other: any moment can be read alone.

mod about;
mod appearances;
pub mod block;
mod clips;
pub mod column;
mod crowd_recording;
mod edits;
mod followers;
mod frames;
mod hands;
mod header;
mod of_scene;
mod parcels;
mod reader;
mod record;
mod recordable;
mod shown_styles;
mod stretches;
mod vehicles;
mod writer;

pub use appearances::Appearance;
pub use clips::{decode_clips, encode_clips};
pub use crowd_recording::CrowdRecording;
pub use edits::EditEntry;
pub use frames::{Chunk, Sample, SignalChange, Track, decode_chunk, encode_chunk};
pub use header::{
    Camera, CameraKey, ClipEntry, End, GroundShape, Header, Line, NamedRegion, Prop, SetModel, Signal,
    Staging, VERSION, VehicleShape, Wall,
};
pub use parcels::{Keeper, Parcel, ParcelStage, USUAL_BOX};
pub use reader::{BlockInfo, ReadError, Run};
pub use record::{
    OVERLAP_FRAMES, PARTIAL_NAME, Progress, RUN_NAME, RecordError, RunInfo, SNAPSHOT_NAME, Summary, record,
};
pub use recordable::{Hands, Moment, Recordable};
pub use stretches::{Following, Stretch};
pub use vehicles::VehicleMoment;
pub(crate) use writer::{Gathered, RunWriter};
pub use writer::{WriteError, write_whole};
