//! Progress on a terminal, silence in a pipe.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar over `total` things called `unit`; hidden where standard error is not a terminal.
pub fn progress_bar(total: u64, unit: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {unit} {{eta}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

/// A sign of life for work without a known end; hidden where standard error is not a terminal.
pub fn spinner(message: &str) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message.to_owned());
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}
