//! Arms of their own: a hand at the ear, in the pocket or at a suitcase, over any motion.
//!
//! A [`Gesture`] says which points of an arm go where, in the frame of another part of the body, and what counts more
//! (section 4.8.1 of Thalmann and Musse, "Crowd Simulation"). It is solved frame by frame by inverse kinematics with strict
//! priorities (Baerlocher and Boulic 2004): what counts less moves only what that leaves free.

mod arm;
mod description;
mod gaze;
mod hold;

pub use arm::{Frame, Solved};
pub use description::{Gesture, GestureError, Part, Task};
pub use gaze::look;
pub use hold::{Arms, Hold};

/// The gestures that need no files: name and text.
pub const BUILT_IN: [(&str, &str); 12] = [
    ("phone", include_str!("../gestures/phone.toml")),
    ("pocket", include_str!("../gestures/pocket.toml")),
    ("hip", include_str!("../gestures/hip.toml")),
    ("umbrella", include_str!("../gestures/umbrella.toml")),
    ("bag", include_str!("../gestures/bag.toml")),
    ("suitcase", include_str!("../gestures/suitcase.toml")),
    ("wave", include_str!("../gestures/wave.toml")),
    ("point", include_str!("../gestures/point.toml")),
    ("child", include_str!("../gestures/child.toml")),
    ("stroller", include_str!("../gestures/stroller.toml")),
    ("box", include_str!("../gestures/box.toml")),
    ("hand-over", include_str!("../gestures/hand-over.toml")),
];

/// Gestures that need somebody else and no files: goals in the frame of another person, whose place the program tells.
pub const WITH_ANOTHER: [(&str, &str); 1] = [("take", include_str!("../gestures/take.toml"))];
