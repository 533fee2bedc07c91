//! Reads a run file, whole or cut off, at any moment.

use super::appearances::Appearance;
use super::block::{self, Kind, PREFIX, Prefix};
use super::clips::decode_clips;
use super::edits::EditEntry;
use super::frames::{Chunk, decode_chunk};
use super::header::{End, Header, VERSION};
use super::record::{PARTIAL_NAME, RUN_NAME};
use crowdloom_crowd::Happened;
use crowdloom_motion::Clip;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no run file in the folder.
    #[error("{} holds no {RUN_NAME}; `crowdloom run` and `crowdloom demo` write one", .0.display())]
    NoRun(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        cause: std::io::Error,
    },
    /// The file is not a run, or damaged.
    #[error("{}: {problem}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: &'static str,
    },
}

/// Where a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockInfo {
    /// What it holds.
    pub prefix: Prefix,
    /// First byte of its prefix in the file.
    pub at: u64,
    /// First frame, for a block of frames.
    pub first_frame: u32,
    /// Frames from its first to the one after its last, for a block of frames.
    pub frames: u32,
}

/// A run file, open for reading.
#[derive(Debug)]
pub struct Run {
    path: PathBuf,
    file: Mutex<File>,
    header: Header,
    blocks: Vec<BlockInfo>,
    /// Blocks of frames, as indices into `blocks`.
    chunks: Vec<usize>,
    clips: BTreeMap<u16, Clip>,
    end: Option<End>,
}

impl Run {
    /// Opens the run in `folder`, or the run file `folder` itself.
    pub fn open(folder: &Path) -> Result<Self, ReadError> {
        if folder.is_file() {
            return Self::open_file(folder);
        }
        let names = [RUN_NAME, PARTIAL_NAME].map(|name| folder.join(name));
        let found = names.into_iter().find(|path| path.is_file());
        Self::open_file(&found.ok_or_else(|| ReadError::NoRun(folder.to_owned()))?)
    }

    fn open_file(path: &Path) -> Result<Self, ReadError> {
        let io = |cause| ReadError::Io { path: path.to_owned(), cause };
        let bad = |problem| ReadError::Bad { path: path.to_owned(), problem };
        let mut file = File::open(path).map_err(io)?;
        let mut magic = [0; block::MAGIC.len()];
        file.read_exact(&mut magic).map_err(|_| bad("is not a run file"))?;
        if magic != block::MAGIC {
            return Err(bad("is not a run file"));
        }
        let mut at = magic.len() as u64;
        let (mut blocks, mut chunks, mut clips) = (Vec::new(), Vec::new(), BTreeMap::new());
        let (mut header, mut end) = (None::<Header>, None);
        // The chain ends where the file does, or at the first block that is torn.
        while let Some((prefix, stored)) = read_block(&mut file, at).map_err(io)? {
            let Some(contents) = prefix.decode(&stored) else { break };
            let mut info = BlockInfo { prefix, at, first_frame: 0, frames: 0 };
            match prefix.kind {
                Kind::Header => {
                    let read: Header = serde_json::from_slice(&contents)
                        .map_err(|_| bad("has a header of another version"))?;
                    if read.version != VERSION || !read.is_sound() {
                        return Err(bad("was written by another version; run the scene again"));
                    }
                    header = Some(read);
                }
                Kind::Clips => {
                    let read = decode_clips(&contents).map_err(|_| bad("holds damaged clips"))?;
                    clips.extend(read);
                }
                Kind::Frames => {
                    let chunk = decode_head(&contents).ok_or_else(|| bad("holds damaged frames"))?;
                    (info.first_frame, info.frames) = chunk;
                    chunks.push(blocks.len());
                }
                Kind::End => end = serde_json::from_slice(&contents).ok(),
            }
            at += (PREFIX + stored.len()) as u64;
            blocks.push(info);
            if header.is_none() {
                break;
            }
        }
        let header = header.ok_or_else(|| bad("was cut off before its header was written"))?;
        for (number, clip) in &mut clips {
            if !clip.is_consistent(header.skeleton.len()) {
                return Err(bad("holds clips of another skeleton"));
            }
            if let Some(entry) = header.clips.get(usize::from(*number)) {
                clip.name.clone_from(&entry.name);
                clip.labels.clone_from(&entry.labels);
            }
        }
        Ok(Self { path: path.into(), file: Mutex::new(file), header, blocks, chunks, clips, end })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How it ended; none where writing was cut off.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The number that an agent is drawn by: its own, unless it came to look otherwise.
    pub fn looks_of(&self, id: u32) -> u32 {
        self.end.as_ref().and_then(|end| end.looks.get(&id).copied()).unwrap_or(id)
    }

    /// All outfits that people of the run may wear: those that come with the program, and the scene's own.
    pub fn outfits(&self) -> Vec<crowdloom_bodies::Outfit> {
        crowdloom_bodies::outfits().into_iter().chain(self.header.staging.outfits.iter().cloned()).collect()
    }

    /// What arms of the run's people do; none where the skeleton's arms are not known.
    pub fn carriage(&self) -> Option<crowdloom_bodies::Carriage> {
        crowdloom_bodies::Carriage::of(&self.header.skeleton, &self.header.staging.gestures)
    }

    /// Somebody's body, clothes and colours while it looks like that.
    pub fn person_as(
        &self,
        appearance: &Appearance,
        outfits: &[crowdloom_bodies::Outfit],
    ) -> crowdloom_bodies::Person {
        let Appearance { agent, looks, told, .. } = appearance;
        let person = crowdloom_bodies::Person::draw(told, looks.unwrap_or(*agent), outfits);
        self.sized(*agent, person)
    }

    /// A body as large as an agent is drawn.
    fn sized(&self, id: u32, mut person: crowdloom_bodies::Person) -> crowdloom_bodies::Person {
        let size = self.end.as_ref().and_then(|end| end.sizes.get(&id).copied()).unwrap_or(1.0);
        person.scale *= size;
        person.height *= size;
        person
    }

    /// An agent's body, clothes and colours, of the outfits that there are.
    pub fn person(&self, id: u32, outfits: &[crowdloom_bodies::Outfit]) -> crowdloom_bodies::Person {
        let told = self.end.as_ref().and_then(|end| end.people.get(&id)).cloned().unwrap_or_default();
        self.sized(id, crowdloom_bodies::Person::draw(&told, self.looks_of(id), outfits))
    }

    /// How many times as large as a skeleton of `stature` metres somebody walks: as large as told, else as the skeleton, whatever
    /// size chance gives to how it is drawn.
    pub fn walks_as(&self, id: u32, stature: f32) -> f32 {
        let Some(end) = &self.end else { return 1.0 };
        let told = end.people.get(&id).and_then(|told| told.height);
        told.map_or(1.0, |height| height / stature) * end.sizes.get(&id).copied().unwrap_or(1.0)
    }

    /// What was changed while it ran, so that it can be changed again.
    pub fn edits(&self) -> Result<Vec<Happened>, ReadError> {
        let bad = |problem| ReadError::Bad { path: self.path.clone(), problem };
        let end = self.end.as_ref().ok_or_else(|| bad("was cut off: what was changed is not known"))?;
        let read: Option<Vec<Happened>> = end.edits.iter().map(EditEntry::happened).collect();
        read.ok_or_else(|| bad("holds changes that another version wrote"))
    }

    /// All blocks in order.
    pub fn blocks(&self) -> &[BlockInfo] {
        &self.blocks
    }

    /// Motions of the clips that were shown, by number.
    pub fn clips(&self) -> &BTreeMap<u16, Clip> {
        &self.clips
    }

    /// The number of chunks of frames.
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// The frames that can be read.
    pub fn frames(&self) -> Range<u32> {
        let first = self.chunks.first().map_or(0, |&block| self.blocks[block].first_frame);
        let last = self.chunks.last().map_or(0, |&block| {
            let info = &self.blocks[block];
            info.first_frame.saturating_add(info.frames)
        });
        first..last
    }

    /// Seconds that can be read.
    pub fn seconds(&self) -> f32 {
        self.frames().len() as f32 / self.header.frame_rate
    }

    /// The chunk that holds `frame`.
    pub fn chunk_of(&self, frame: u32) -> Option<usize> {
        let after = self.chunks.partition_point(|&block| self.blocks[block].first_frame <= frame);
        let chunk = after.checked_sub(1)?;
        let info = &self.blocks[self.chunks[chunk]];
        (frame - info.first_frame < info.frames).then_some(chunk)
    }

    /// A whole block as it stands in the file, prefix included.
    pub fn block_bytes(&self, index: usize) -> Result<Vec<u8>, ReadError> {
        let bad = || ReadError::Bad { path: self.path.clone(), problem: "has no such block" };
        let info = self.blocks.get(index).ok_or_else(bad)?;
        let mut bytes = vec![0; PREFIX + info.prefix.stored];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(info.at)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|cause| ReadError::Io { path: self.path.clone(), cause })?;
        Ok(bytes)
    }

    /// Chunk number `chunk` of frames.
    pub fn chunk(&self, chunk: usize) -> Result<Chunk, ReadError> {
        let bad = || ReadError::Bad { path: self.path.clone(), problem: "holds damaged frames" };
        let block = *self.chunks.get(chunk).ok_or_else(bad)?;
        let bytes = self.block_bytes(block)?;
        let contents = self.blocks[block].prefix.decode(&bytes[PREFIX..]).ok_or_else(bad)?;
        decode_chunk(&contents, &self.clips).map_err(|_| bad())
    }

    /// The chunks that hold any of `frames`, one after the other.
    pub fn chunks_of(&self, frames: Range<u32>) -> impl Iterator<Item = Result<Chunk, ReadError>> + '_ {
        let meets = move |&chunk: &usize| {
            let info = &self.blocks[self.chunks[chunk]];
            info.first_frame < frames.end && info.first_frame.saturating_add(info.frames) > frames.start
        };
        (0..self.chunks.len()).filter(meets).map(|chunk| self.chunk(chunk))
    }
}

/// First frame and number of frames of a block of frames.
fn decode_head(contents: &[u8]) -> Option<(u32, u32)> {
    let mut numbers = super::column::Numbers(contents);
    let first = numbers.at_most(u32::MAX.into()).ok()? as u32;
    let stride = numbers.at_most(1000).ok()?.max(1) as u32;
    let records = numbers.at_most(1 << 16).ok()? as u32;
    Some((first, records * stride))
}

/// The block at `at`; none where the file ends or what is there is no block.
fn read_block(file: &mut File, at: u64) -> std::io::Result<Option<(Prefix, Vec<u8>)>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::with_capacity(PREFIX);
    file.by_ref().take(PREFIX as u64).read_to_end(&mut bytes)?;
    let Some(prefix) = bytes.first_chunk::<PREFIX>().and_then(Prefix::read) else { return Ok(None) };
    let mut stored = Vec::new();
    file.by_ref().take(prefix.stored as u64).read_to_end(&mut stored)?;
    Ok((stored.len() == prefix.stored).then_some((prefix, stored)))
}
