//! The report of a run: figures as JSON, and a page with plots.

mod measure;
mod page;
pub(crate) mod plot;

pub(crate) use page::{plots, tiles, whole_page};

pub use measure::{LineFlow, Report, measure};

use crate::run::{ReadError, Run, Summary, WriteError, write_whole};
use std::path::{Path, PathBuf};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The report cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes `folder/report.html` and `folder/report.json`, and returns their paths.
pub fn write(run: &Run, summary: &Summary, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let report = measure(run, summary)?;
    let (html, json) = (folder.join("report.html"), folder.join("report.json"));
    write_whole(&html, page::html(run, &report).as_bytes())?;
    let text = serde_json::to_vec_pretty(&report)
        .map_err(|error| WriteError { path: json.clone(), cause: error.into() })?;
    write_whole(&json, &text)?;
    Ok(vec![html, json])
}
