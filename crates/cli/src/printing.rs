//! Printing that ends quietly when nobody reads any more, as in `crowdloom … | head`.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Prints on standard output; leaves the program, quietly, when whoever reads has enough.
pub fn print(text: Arguments<'_>) {
    let Err(error) = std::io::stdout().write_fmt(text) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    tell(format_args!("cannot print: {error}"));
    std::process::exit(1);
}

/// Prints a line on standard error; nobody minds if that is closed.
pub fn tell(line: Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
