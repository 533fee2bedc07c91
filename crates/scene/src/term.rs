//! Words out of a list that programs may add to: movers and kinds of situations.

use crate::build::Checker;
use crate::file::Name;
use crate::problem::nearest;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Deserializer};

/// A word of a list, or another that the program may know.
#[derive(Clone, Debug, PartialEq)]
pub enum Term<T> {
    /// One of the list.
    Known(T),
    /// None of the list.
    Other(Name),
}

impl<T: Default> Default for Term<T> {
    fn default() -> Self {
        Self::Known(T::default())
    }
}

impl<'de, T: for<'w> Deserialize<'w>> Deserialize<'de> for Term<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let word = Name::deserialize(from)?;
        Ok(listed(word.get_ref()).map_or_else(|_| Self::Other(word), Self::Known))
    }
}

/// The entry of a list that is written so.
fn listed<T: for<'w> Deserialize<'w>>(word: &str) -> Result<T, Error> {
    let word: StrDeserializer<'_, Error> = word.into_deserializer();
    T::deserialize(word)
}

impl<T: Copy + PartialEq + for<'w> Deserialize<'w>> Term<T> {
    /// The entry of the list, if it is one.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(entry) => Some(*entry),
            Self::Other(_) => None,
        }
    }

    /// Whether it is this entry of the list.
    pub fn is(&self, entry: T) -> bool {
        self.known() == Some(entry)
    }

    /// All words of the list, as the parser tells them.
    fn all() -> Vec<String> {
        let told = listed::<T>("").err().map(|error| error.to_string()).unwrap_or_default();
        told.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    /// Notes that nobody knows a word, and which there are.
    pub fn refuse(what: &str, word: &Name, added: &[String], checker: &mut Checker<'_>) {
        let mut all = Self::all();
        all.extend_from_slice(added);
        let near = nearest(word.get_ref(), all.iter().map(String::as_str));
        let fix = near.map(|near| format!("did you mean `{near}`?"));
        let problem = format!("there is no {what} `{}`; there are {}", word.get_ref(), all.join(", "));
        let fix = fix.unwrap_or_else(|| "a program that uses the library can add its own".to_owned());
        checker.problem(Some(word.span()), problem, fix);
    }

    /// Notes what the program adds though it is in the list already.
    pub fn refuse_added(what: &str, added: &[String], checker: &mut Checker<'_>) {
        for name in added.iter().filter(|name| listed::<T>(name).is_ok()) {
            let problem = format!("the program adds the {what} `{name}`, which there is already");
            checker.problem(None, problem, "call it otherwise");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mover::Mover;

    #[test]
    fn all_words_of_a_list_are_told() {
        let all = Term::<Mover>::all();
        assert!(all.len() == 15 && all[0] == "graph" && all.iter().all(|word| listed::<Mover>(word).is_ok()));
    }
}
