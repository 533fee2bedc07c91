//! The replay page: one file that shows a run in any current browser, offline; and the page of the studio.
//!
//! The page is bundled at build time from `page/` where Node is there; without it a plain 2-D page takes its place.

pub mod film;
mod page;
pub mod serve;

pub use page::{PAGE_NAME, PageError, is_bundled, streaming_page, studio_page, write_page};
