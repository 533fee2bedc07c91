//! The simulation's own thread: it steps, answers questions and publishes frames, and never waits for a client.

use crate::files::Files;
use crate::locks::Locks;
use crate::protocol::{Answer, Ask, Mistake, Tell};
use crate::session::{Outcome, Session, mistakes};
use crate::telling;
use crate::texts::{Reload, Texts, Which};
use axum::body::Bytes;
use crowdloom_motion::FRAME_RATE;
use crowdloom_scene::{SceneError, Simulation};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// Frames are published at most this often: 30 times a second, however fast time runs.
const PUBLISH_EVERY: Duration = Duration::from_micros(33_333);
/// A clock that cannot keep up forgets what it owes beyond this.
const MOST_DEBT: Duration = Duration::from_millis(200);
/// A scene with changes is saved by itself after this time.
const AUTOSAVE_AFTER: Duration = Duration::from_secs(3);
/// How long nothing else is looked at while a frame far away is gone to.
const GOING: Duration = Duration::from_millis(30);

/// A question to the simulation, and where its answer goes.
pub struct Question {
    /// What is asked.
    pub ask: Ask,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Answer>,
}

/// The newest of everything that pages are told.
#[derive(Clone, Default)]
pub struct Newest {
    /// The frame.
    pub frame: Bytes,
    /// All clips that frames of this scene have shown, each message once.
    pub clips: Arc<Vec<Bytes>>,
}

/// Where the newest of everything is published: whoever is slow misses what was in between.
pub struct Publisher {
    /// Frames with their clips.
    pub frames: watch::Sender<Newest>,
    /// The scene.
    pub scene: watch::Sender<Bytes>,
    /// Places, time line and switches.
    pub state: watch::Sender<Bytes>,
    /// The scene's text.
    pub text: watch::Sender<Bytes>,
}

fn told(tell: &Tell) -> Bytes {
    serde_json::to_vec(tell).map(Bytes::from).unwrap_or_default()
}

/// How a scene ended.
enum End {
    /// Nobody asks any more.
    Quit,
    /// Another simulation goes on, from its beginning to a frame.
    Reload(Box<Next>),
}

/// A scene that has been read.
struct Next {
    simulation: Simulation,
    warnings: Vec<Mistake>,
    reload: Reload,
}

/// A text that is being read on a thread of its own, while the scene before it goes on.
struct Reading {
    read: Receiver<Result<Next, SceneError>>,
    answer: oneshot::Sender<Answer>,
}

impl Reading {
    fn start(files: &Files, reload: Reload, answer: oneshot::Sender<Answer>) -> Self {
        let (sender, read) = std::sync::mpsc::channel();
        let files = files.clone();
        std::thread::spawn(move || {
            let next = crate::session::read(&files, reload.document.base());
            // Who does not wait any longer needs no scene.
            let _ = sender.send(next.map(|(simulation, warnings)| Next { simulation, warnings, reload }));
        });
        Self { read, answer }
    }
}

/// Whether a question changes the scene, which another that is being read would not know of.
fn changes(ask: &Ask) -> bool {
    matches!(
        ask,
        Ask::Enact { .. }
            | Ask::Undo
            | Ask::Redo
            | Ask::MoveEvent { .. }
            | Ask::DeleteEvent { .. }
            | Ask::Text { .. }
            | Ask::Recover { .. }
    )
}

/// Runs a scene, and whatever comes after it, until nobody can ask any more.
pub fn run(
    mut simulation: Simulation,
    mut warnings: Vec<Mistake>,
    mut files: Files,
    questions: &Receiver<Question>,
    publisher: &Publisher,
) {
    let (mut generation, mut going_to, mut playing) = (1, None, true);
    let (mut texts, mut locks, mut document) = (Texts::default(), Locks::default(), None);
    let mut recoverable = files.autosaved(simulation.text());
    loop {
        let mut session = Session::new(&mut simulation, files, generation, warnings);
        (session.going_to, session.playing) = (going_to, playing);
        session.recoverable = recoverable.take();
        session.unsaved = generation > 1;
        (session.texts, session.locks) = (std::mem::take(&mut texts), std::mem::take(&mut locks));
        session.document = document.take().unwrap_or(session.document);
        match run_one(&mut session, questions, publisher) {
            End::Quit => return,
            End::Reload(next) => {
                let Next { reload: Reload { document: next_document, frame, which }, .. } = *next;
                (texts, locks) = (std::mem::take(&mut session.texts), std::mem::take(&mut session.locks));
                texts.turn(which, session.document.clone());
                if which == Which::New {
                    locks.forget_taken_back();
                }
                (playing, files) = (session.playing, session.files.clone());
                (simulation, warnings) = (next.simulation, next.warnings);
                (document, going_to) = (Some(next_document), Some(frame));
                generation += 1;
            }
        }
    }
}

fn run_one(session: &mut Session<'_>, questions: &Receiver<Question>, publisher: &Publisher) -> End {
    publisher.scene.send_replace(told(&Tell::Scene(Box::new(telling::scene(session)))));
    publisher.text.send_replace(told(&Tell::Text(session.text())));
    publisher.frames.send_modify(|newest| newest.clips = Arc::default());
    let (mut due, mut publishes) = (Instant::now(), Instant::now());
    let (mut state, mut dirty) = (true, true);
    let mut changed_at = session.unsaved.then(Instant::now);
    let (mut clients, mut reading) = (0, None::<Reading>);
    let mut buffer = Vec::new();
    loop {
        if state {
            publisher.state.send_replace(told(&Tell::State(Box::new(telling::state(session)))));
            session.notice = None;
            state = false;
        }
        let now = Instant::now();
        // Whoever has just come sees the present frame, though time stands still.
        dirty |= publisher.frames.receiver_count() > clients;
        clients = publisher.frames.receiver_count();
        if dirty && now >= publishes {
            publish(session, publisher, &mut buffer);
            dirty = false;
            // A frame that is a little late does not delay all after it.
            publishes = (publishes + PUBLISH_EVERY).max(now);
        }
        if changed_at.is_some_and(|at: Instant| now.duration_since(at) > AUTOSAVE_AFTER) {
            changed_at = None;
            if session.unsaved
                && let Err(error) = session.files.save_by_itself(&session.document.text())
            {
                session.notice = Some(format!("what is not saved may be lost: {error}"));
                state = true;
            }
        }
        let wait = match (session.going_to, session.playing) {
            (Some(_), _) => Duration::ZERO,
            (None, true) => due.saturating_duration_since(now),
            (None, false) => Duration::from_millis(50),
        };
        let wait = if dirty { wait.min(publishes.saturating_duration_since(now)) } else { wait };
        if let Some(own) = reading.take() {
            match own.read.try_recv() {
                Err(TryRecvError::Empty) => reading = Some(own),
                Ok(Ok(next)) => {
                    let said = match next.reload.which {
                        Which::New => "the scene runs again from its beginning",
                        Which::Before => "taken back: another text",
                        Which::After => "made again: another text",
                    };
                    let _ = own.answer.send(Answer::said(said));
                    return End::Reload(Box::new(next));
                }
                Ok(Err(error)) => {
                    let why = "the scene cannot run like this".into();
                    let problems = mistakes(&error.problems);
                    let _ = own.answer.send(Answer::Refused { why, problems });
                }
                Err(TryRecvError::Disconnected) => {
                    let _ = own.answer.send(Answer::refused("the scene cannot be read"));
                }
            }
        }
        match questions.recv_timeout(wait) {
            Ok(question) if reading.is_some() && changes(&question.ask) => {
                let _ = question.answer.send(Answer::refused("another text is being read: in a moment"));
                continue;
            }
            Ok(question) => {
                let mut outcome = Outcome::default();
                let answer = session.answer(question.ask, &mut outcome);
                if let Some(reload) = outcome.reload {
                    reading = Some(Reading::start(&session.files, reload, question.answer));
                    continue;
                }
                // Who has gone needs no answer.
                let _ = question.answer.send(answer);
                state |= outcome.state;
                if outcome.state {
                    (dirty, publishes) = (true, Instant::now());
                }
                if outcome.text {
                    publisher.text.send_replace(told(&Tell::Text(session.text())));
                    changed_at = Some(Instant::now());
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return End::Quit,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if session.going_to.is_some() {
            let until = Instant::now() + GOING;
            while session.going_to.is_some() && Instant::now() < until {
                state |= session.step();
            }
            (dirty, due) = (true, Instant::now());
        } else if session.playing && Instant::now() >= due {
            state |= session.step();
            dirty = true;
            due += Duration::from_secs_f32(1.0 / (FRAME_RATE * session.speed));
            due = due.max(Instant::now().checked_sub(MOST_DEBT).unwrap_or(due));
        } else if !session.playing {
            due = Instant::now();
        }
    }
}

fn publish(session: &mut Session<'_>, publisher: &Publisher, buffer: &mut Vec<u8>) {
    // The server itself listens, too.
    if publisher.frames.receiver_count() <= 1 {
        return;
    }
    let clips = session.encode(buffer);
    let frame = Bytes::copy_from_slice(buffer);
    publisher.frames.send_modify(|newest| {
        newest.frame = frame;
        if let Some(clips) = clips {
            Arc::make_mut(&mut newest.clips).push(Bytes::from(clips));
        }
    });
}
