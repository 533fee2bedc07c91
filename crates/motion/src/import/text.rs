//! Reading words and numbers out of text files, keeping track of the line for messages.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// The largest motion file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 512 << 20;

/// What is wrong with a motion file, and where.
#[derive(Debug, Error)]
#[error("{}{}: {problem}", file.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct FileError {
    /// The file as it was named by the caller.
    pub file: PathBuf,
    /// The line, counted from 1, where one can be named.
    pub line: Option<usize>,
    /// What is wrong, and where it helps what would be right.
    pub problem: String,
}

impl FileError {
    /// An error about the whole of `file`.
    pub fn whole(file: &Path, problem: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, problem: problem.into() }
    }
}

/// Reads a text file, refusing what is too large, empty, or not text.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let whole = |problem: String| FileError::whole(path, problem);
    let metadata = std::fs::metadata(path).map_err(|error| whole(format!("cannot be opened: {error}")))?;
    if metadata.is_dir() {
        return Err(whole("is a folder, not a motion file".into()));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(whole(format!(
            "holds {} MiB; motion files of at most {} MiB are read",
            metadata.len() >> 20,
            MAX_FILE_BYTES >> 20
        )));
    }
    let bytes = std::fs::read(path).map_err(|error| whole(format!("cannot be read: {error}")))?;
    text_of(path, bytes)
}

/// Takes the bytes of `path` as text.
pub fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, FileError> {
    if bytes.is_empty() {
        return Err(FileError::whole(path, "is empty"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count();
        let problem = format!("is not text: byte {valid} is not UTF-8");
        FileError { file: path.to_owned(), line: Some(line), problem }
    })?;
    if let Some(zero) = text.find('\0') {
        return Err(FileError::whole(path, format!("is not text: byte {zero} is zero")));
    }
    Ok(text)
}

/// A cursor over the white-space separated words of a text.
pub struct Words<'a> {
    file: &'a Path,
    text: &'a str,
    position: usize,
    cursor_line: usize,
    word_line: usize,
}

impl<'a> Words<'a> {
    /// Starts at the beginning of `text`, which came from `file`.
    pub fn new(file: &'a Path, text: &'a str) -> Self {
        // A byte order mark is not white space to `char::is_whitespace`.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { file, text, position: 0, cursor_line: 1, word_line: 1 }
    }

    fn skip_space(&mut self) {
        for byte in self.text.as_bytes()[self.position..].iter() {
            match byte {
                b'\n' => self.cursor_line += 1,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                _ => break,
            }
            self.position += 1;
        }
    }

    /// The next word, if there is one.
    pub fn next(&mut self) -> Option<&'a str> {
        self.skip_space();
        self.word_line = self.cursor_line;
        let rest = &self.text[self.position..];
        let end =
            rest.bytes().position(|byte| byte.is_ascii_whitespace() || byte == 0x0b).unwrap_or(rest.len());
        self.position += end;
        (end > 0).then(|| &rest[..end])
    }

    /// The next word without taking it.
    pub fn peek(&mut self) -> Option<&'a str> {
        let (position, line, word_line) = (self.position, self.cursor_line, self.word_line);
        let word = self.next();
        (self.position, self.cursor_line, self.word_line) = (position, line, word_line);
        word
    }

    /// What is left of the current line, trimmed; the cursor moves to the line's end.
    pub fn rest_of_line(&mut self) -> &'a str {
        self.word_line = self.cursor_line;
        let rest = &self.text[self.position..];
        let end = rest.find('\n').unwrap_or(rest.len());
        self.position += end;
        rest[..end].trim()
    }

    /// Whether another word follows on the line of the last one.
    pub fn more_on_line(&mut self) -> bool {
        let rest = &self.text[self.position..];
        rest.bytes().take_while(|&byte| byte != b'\n').any(|byte| !byte.is_ascii_whitespace())
    }

    /// The line of the last word taken, counted from 1.
    pub fn line(&self) -> usize {
        self.word_line
    }

    /// An error at the last word taken.
    pub fn error(&self, problem: impl Into<String>) -> FileError {
        FileError { file: self.file.to_owned(), line: Some(self.word_line), problem: problem.into() }
    }

    /// The next word; `what` names it when the file ends before it.
    pub fn expect(&mut self, what: &str) -> Result<&'a str, FileError> {
        self.next().ok_or_else(|| self.error(format!("the file ends where {what} was expected")))
    }

    /// Takes the next word, which must be `keyword` in any case.
    pub fn keyword(&mut self, keyword: &str) -> Result<(), FileError> {
        let word = self.expect(&format!("`{keyword}`"))?;
        if word.eq_ignore_ascii_case(keyword) {
            return Ok(());
        }
        Err(self.error(format!("`{keyword}` was expected, not `{}`", shorten(word))))
    }

    /// The next word as a finite number; `what` names it in messages.
    pub fn number(&mut self, what: &str) -> Result<f64, FileError> {
        let word = self.expect(what)?;
        self.parse_number(word, what)
    }

    /// `word`, the last one taken, as a finite number.
    pub fn parse_number(&self, word: &str, what: &str) -> Result<f64, FileError> {
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() && number.abs() <= MAX_NUMBER => Ok(number),
            Ok(number) => Err(self.error(format!("{what} is {number}, which is not a usable number"))),
            Err(_) => Err(self.error(format!("{what} should be a number, not `{}`", shorten(word)))),
        }
    }

    /// The next word as a count; `what` names it in messages.
    pub fn count(&mut self, what: &str) -> Result<usize, FileError> {
        let word = self.expect(what)?;
        word.parse()
            .map_err(|_| self.error(format!("{what} should be a whole number, not `{}`", shorten(word))))
    }

    /// The next three words as a vector.
    pub fn vector(&mut self, what: &str) -> Result<glam::DVec3, FileError> {
        Ok(glam::DVec3::new(self.number(what)?, self.number(what)?, self.number(what)?))
    }
}

/// No sensible unit gives coordinates or angles beyond this.
const MAX_NUMBER: f64 = 1e9;

/// At most the first 40 characters of a word, for messages.
pub fn shorten(word: &str) -> String {
    if word.chars().count() <= 40 {
        return word.to_owned();
    }
    word.chars().take(39).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_lines() {
        let mut words = Words::new(Path::new("a.bvh"), "ROOT  Hips\r\n\t{ .5\r\n\r\n1e300");
        assert_eq!(words.next(), Some("ROOT"));
        assert!(words.more_on_line());
        assert_eq!(words.rest_of_line(), "Hips");
        assert!(!words.more_on_line());
        assert_eq!(words.peek(), Some("{"));
        assert_eq!((words.next(), words.line()), (Some("{"), 2));
        assert_eq!(words.number("x").unwrap(), 0.5);
        assert!(words.number("y").unwrap_err().to_string().starts_with("a.bvh:4: y is 1"));
        assert_eq!(words.next(), None);
    }

    #[test]
    fn what_is_not_text_is_refused() {
        let path = Path::new("x.bvh");
        assert!(text_of(path, vec![]).is_err());
        assert!(text_of(path, vec![b'a', b'\n', 0xff]).unwrap_err().to_string().starts_with("x.bvh:2: "));
        assert!(text_of(path, vec![b'a', 0]).is_err());
    }
}
