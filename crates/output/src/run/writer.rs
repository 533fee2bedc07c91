//! Writes a run file while the run goes on.

use super::block::{self, Kind};
use super::clips::encode_clips;
use super::followers::{Followers, Log, Span};
use super::frames::{Chunk, Sample, encode_chunk, tracks_of};
use super::header::{End, Header};
use crowdloom_motion::Clip;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Instant;

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {cause}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub cause: std::io::Error,
}

/// What the writing thread has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Written {
    /// Bytes of the file.
    pub bytes: u64,
    /// Seconds of work on the writing thread.
    pub seconds: f64,
}

/// Everybody in one recorded frame.
pub type Record = Vec<(u32, Sample)>;

/// What a chunk is made of.
pub enum Gathered {
    /// Everybody in each of its records.
    Records(Vec<Record>),
    /// What people settled on in its frames.
    Log(Log),
}

enum Job {
    Clips(Vec<(u16, Clip)>),
    Chunk(Box<Chunk>, Gathered),
    End(End),
}

/// A run file in the making, under a temporary name until it is whole.
///
/// Compressing and writing happen on a thread of their own, a few chunks behind at most.
pub struct RunWriter {
    jobs: Option<SyncSender<Job>>,
    /// Records that were written, to be used again: new memory costs more than what goes into it.
    spares: Receiver<Vec<Record>>,
    ready: Vec<Record>,
    thread: Option<JoinHandle<std::io::Result<Written>>>,
    partial: PathBuf,
    path: PathBuf,
}

/// Chunks that may wait to be written.
const WAITING: usize = 2;

impl RunWriter {
    /// Starts the file that will be called `path`, under the name `partial` until then; a link to a file is written through,
    /// and what is no file is never replaced.
    pub fn create(path: &Path, partial: &Path, header: &Header) -> Result<Self, WriteError> {
        let fail = |cause| WriteError { path: partial.to_owned(), cause };
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if std::fs::symlink_metadata(&path).is_ok_and(|there| !there.is_file()) {
            let cause = std::io::Error::new(std::io::ErrorKind::AlreadyExists, "what is there is no file");
            return Err(WriteError { path, cause });
        }
        // What an earlier run left, whatever it is, is not written to.
        let _ = std::fs::remove_file(partial);
        let mut file = File::create(partial).map_err(fail)?;
        let json = serde_json::to_vec(header).map_err(|error| fail(error.into()))?;
        let first = block::encode(Kind::Header, &json);
        file.write_all(&block::MAGIC).and_then(|()| file.write_all(&first)).map_err(fail)?;
        let (jobs, queue) = sync_channel::<Job>(WAITING);
        let (used, spares) = channel();
        let start = (block::MAGIC.len() + first.len()) as u64;
        let work = move || {
            let mut written = Written { bytes: start, seconds: 0.0 };
            let mut followers = Followers::default();
            for job in queue {
                let started = Instant::now();
                let block = match job {
                    Job::Clips(clips) => {
                        let contents = encode_clips(clips.iter().map(|(number, clip)| (*number, clip)));
                        block::encode(Kind::Clips, &contents)
                    }
                    Job::Chunk(mut chunk, gathered) => {
                        match gathered {
                            Gathered::Records(records) => {
                                chunk.tracks = tracks_of(&records);
                                // Nobody waits for them once the run has ended.
                                let _ = used.send(records);
                            }
                            Gathered::Log(log) => {
                                let Chunk { first_frame: first, stride, records, .. } = *chunk;
                                chunk.following = followers.follow(&log, Span { first, stride, records });
                            }
                        }
                        block::encode(Kind::Frames, &encode_chunk(&chunk))
                    }
                    Job::End(end) => block::encode(Kind::End, &serde_json::to_vec(&end)?),
                };
                // One write a block: what a crash leaves behind is whole blocks and at most one torn one.
                file.write_all(&block)?;
                written.bytes += block.len() as u64;
                written.seconds += started.elapsed().as_secs_f64();
            }
            file.sync_all()?;
            Ok(written)
        };
        let thread = std::thread::Builder::new().name("run writer".into()).spawn(work).map_err(fail)?;
        Ok(Self {
            jobs: Some(jobs),
            spares,
            ready: Vec::new(),
            thread: Some(thread),
            partial: partial.into(),
            path,
        })
    }

    /// An empty record.
    pub fn spare(&mut self) -> Record {
        if self.ready.is_empty() {
            self.ready = self.spares.try_recv().unwrap_or_default();
        }
        let mut record = self.ready.pop().unwrap_or_default();
        record.clear();
        record
    }

    /// Adds motions of clips that frames from now on show.
    pub fn clips(&mut self, clips: Vec<(u16, Clip)>) -> Result<(), WriteError> {
        self.send(Job::Clips(clips))
    }

    /// Adds a stretch of frames: all of it but its agents, and what those are made of.
    pub fn chunk(&mut self, chunk: Chunk, gathered: Gathered) -> Result<(), WriteError> {
        self.send(Job::Chunk(Box::new(chunk), gathered))
    }

    fn send(&mut self, job: Job) -> Result<(), WriteError> {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        // The thread only stops listening when it could not write.
        if sent { Ok(()) } else { self.join().map(|_| ()) }
    }

    fn join(&mut self) -> Result<Written, WriteError> {
        self.jobs = None;
        let stopped = || Err(std::io::Error::other("writing has stopped"));
        let result = match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|_| stopped()),
            None => stopped(),
        };
        result.map_err(|cause| WriteError { path: self.partial.clone(), cause })
    }

    /// Ends the file and gives it its final name.
    pub fn finish(mut self, end: End) -> Result<Written, WriteError> {
        self.send(Job::End(end))?;
        let written = self.join()?;
        std::fs::rename(&self.partial, &self.path)
            .map_err(|cause| WriteError { path: self.path.clone(), cause })?;
        Ok(written)
    }
}

/// Writes a file of which only the whole appears under its name.
pub fn write_whole(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    crowdloom_motion::draft::write_whole(path, contents)
        .map_err(|cause| WriteError { path: path.to_owned(), cause })
}
