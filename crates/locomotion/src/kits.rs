//! Motion kits: a repertoire by what people do, what they do besides, what their arms do, and speed (section 7.4 of Thalmann and
//! Musse, "Crowd Simulation").
//!
//! Any library is one: a clip's labels say what it shows. Less detailed bodies may know fewer clips: each kit has a counterpart
//! of the nearest speed in another repertoire ([`Kits::counterpart`]).

use crowdloom_motion::{Clip, Library};
use std::collections::BTreeMap;

/// What people do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// They stand.
    Stand,
    /// They sit.
    Sit,
    /// They walk.
    Walk,
    /// They run.
    Run,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Stand, Self::Sit, Self::Walk, Self::Run];

    /// Its name, which is the label of clips too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Sit => "sit",
            Self::Walk => "walk",
            Self::Run => "run",
        }
    }
}

/// One motion of a repertoire.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionKit {
    /// The clip's name.
    pub name: String,
    /// The clip's number in its library.
    pub clip: usize,
    /// How long it lasts, in seconds.
    pub seconds: f32,
    /// Metres a second.
    pub speed: f32,
    /// What people do.
    pub action: Action,
    /// What they do besides; empty for nothing.
    pub sub_action: String,
    /// What the left arm does by itself; empty for nothing.
    pub left_arm: String,
    /// What the right arm does by itself; empty for nothing.
    pub right_arm: String,
}

/// What a motion has to be; `None` may be anything, and an empty text is nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KitWish {
    /// What people do.
    pub action: Option<Action>,
    /// What they do besides.
    pub sub_action: Option<String>,
    /// What the left arm does.
    pub left_arm: Option<String>,
    /// What the right arm does.
    pub right_arm: Option<String>,
}

impl KitWish {
    fn fits(&self, (action, sub_action, left, right): &Cell) -> bool {
        let same = |wish: &Option<String>, own: &str| wish.as_deref().is_none_or(|wish| wish == own);
        self.action.is_none_or(|wish| wish == *action)
            && same(&self.sub_action, sub_action)
            && same(&self.left_arm, left)
            && same(&self.right_arm, right)
    }
}

/// A cell of the table: action, sub-action, left and right arm.
type Cell = (Action, String, String, String);

/// A repertoire.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kits {
    kits: Vec<MotionKit>,
    /// The kits of each cell that has any, slowest first.
    table: BTreeMap<Cell, Vec<usize>>,
}

impl Kits {
    /// The repertoire of a library; labels among `arms`, with `left ` before those of the left arm, are what arms do. Clips that
    /// show none of the four actions are left out.
    pub fn of(library: &Library, arms: &[&str]) -> Self {
        let clips = library.clips.iter().enumerate();
        let kits: Vec<MotionKit> = clips.filter_map(|(number, clip)| kit(number, clip, arms)).collect();
        let mut table: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
        for (number, kit) in kits.iter().enumerate() {
            let MotionKit { action, sub_action, left_arm, right_arm, .. } = kit;
            let cell = (*action, sub_action.clone(), left_arm.clone(), right_arm.clone());
            table.entry(cell).or_default().push(number);
        }
        for cell in table.values_mut() {
            cell.sort_by(|&a, &b| kits[a].speed.total_cmp(&kits[b].speed));
        }
        Self { kits, table }
    }

    /// All motions, in the order of the library.
    pub fn all(&self) -> &[MotionKit] {
        &self.kits
    }

    /// The cells that have motions, each with its motions, slowest first.
    pub fn cells(&self) -> impl Iterator<Item = (&Cell, Vec<&MotionKit>)> {
        self.table.iter().map(|(cell, own)| (cell, own.iter().map(|&kit| &self.kits[kit]).collect()))
    }

    /// Numbers of the motions that fit a wish.
    fn fitting<'a>(&'a self, wish: &'a KitWish) -> impl Iterator<Item = usize> + Clone + 'a {
        self.table.iter().filter(|(cell, _)| wish.fits(cell)).flat_map(|(_, kits)| kits.iter().copied())
    }

    /// Any motion that fits a wish: the one that a number from 0 to 1 falls on.
    pub fn pick(&self, wish: &KitWish, draw: f32) -> Option<&MotionKit> {
        let fitting = self.fitting(wish);
        let count = fitting.clone().count();
        let number = (draw.clamp(0.0, 1.0) * count as f32) as usize;
        fitting.into_iter().nth(number.min(count.checked_sub(1)?)).map(|kit| &self.kits[kit])
    }

    /// The motion that fits a wish and whose speed is nearest to `speed`, in metres a second.
    pub fn nearest(&self, wish: &KitWish, speed: f32) -> Option<&MotionKit> {
        let off = |kit: &usize| (self.kits[*kit].speed - speed).abs();
        self.fitting(wish).min_by(|a, b| off(a).total_cmp(&off(b))).map(|kit| &self.kits[kit])
    }

    /// What a body that knows this repertoire shows in place of a motion of another: the same at the nearest speed, without arms
    /// of their own or what is done besides where it does not know that.
    pub fn counterpart(&self, other: &MotionKit) -> Option<&MotionKit> {
        let action = Some(other.action);
        let exact = KitWish {
            action,
            sub_action: Some(other.sub_action.clone()),
            left_arm: Some(other.left_arm.clone()),
            right_arm: Some(other.right_arm.clone()),
        };
        let nothing = || Some(String::new());
        let armless = KitWish { left_arm: nothing(), right_arm: nothing(), ..exact.clone() };
        let plain = KitWish { sub_action: nothing(), ..armless.clone() };
        let any = KitWish { action, ..KitWish::default() };
        [exact, armless, plain, any].iter().find_map(|wish| self.nearest(wish, other.speed))
    }
}

fn kit(number: usize, clip: &Clip, arms: &[&str]) -> Option<MotionKit> {
    let labelled = Action::ALL.into_iter().find(|action| clip.has_label(action.name()));
    let seconds = clip.seconds();
    let speed = if seconds > 0.0 { clip.displacement().position.length() / seconds } else { 0.0 };
    let arm = |label: &&String| arms.contains(&label.strip_prefix("left ").unwrap_or(label));
    let of = |left: bool| {
        let own = clip.labels.iter().filter(arm).find(|label| label.starts_with("left ") == left);
        own.map(|label| label.strip_prefix("left ").unwrap_or(label).to_owned()).unwrap_or_default()
    };
    let besides = |label: &&String| !arm(label) && !Action::ALL.iter().any(|action| action.name() == *label);
    Some(MotionKit {
        name: clip.name.clone(),
        clip: number,
        seconds,
        speed,
        action: labelled?,
        sub_action: clip.labels.iter().find(besides).cloned().unwrap_or_default(),
        left_arm: of(true),
        right_arm: of(false),
    })
}
