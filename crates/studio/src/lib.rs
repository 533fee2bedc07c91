//! The studio: a crowd that runs in a server on this machine and is painted and directed in a browser.
//!
//! The simulation has a thread of its own ([`clock`]); pages ask questions ([`protocol`]) and get the newest frame
//! ([`frame`]) as fast as they read. Every change is an event of the scene file, so that what is made in the studio can
//! be saved as text ([`document`]) and runs anywhere.

pub mod bench;
pub mod cast;
pub mod clock;
pub mod document;
pub mod door;
pub mod files;
pub mod film;
pub mod frame;
pub mod guard;
pub mod locks;
mod people_brush;
pub mod protocol;
pub mod server;
pub mod session;
mod take_away;
pub mod telling;
pub mod texts;
mod undoing;
pub mod view;
