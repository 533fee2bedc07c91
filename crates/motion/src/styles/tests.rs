//! Styles of the library that needs no files.

use super::*;
use crate::quality::contact_speed;
use crate::{Placement, builtin, wrap_angle};
use std::sync::LazyLock;

static BUILT: LazyLock<(StyleLibrary, BuildReport)> = LazyLock::new(|| {
    StyleLibrary::build(&builtin::library(), &StyleOptions::default())
        .expect("the built-in library has styles")
});

#[test]
fn the_built_in_library_has_styles_of_every_type() {
    let (library, report) = &*BUILT;
    let count = |kind| library.table(kind).len();
    assert!(count(MotionType::Walking) >= 15, "{report}");
    assert!(count(MotionType::Running) >= 8, "{report}");
    assert!(count(MotionType::Waiting) >= 6, "{report}");
    assert!(count(MotionType::Fighting) >= 6, "{report}");
    for kind in MotionType::ALL {
        assert!(library.styles(kind).all(|style| library.primitives()[style].kind == kind));
    }
    let mut names: Vec<&str> = library.primitives().iter().map(|primitive| primitive.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), library.primitives().len());
}

#[test]
fn loops_close_and_lead_straight_on() {
    let (library, _) = &*BUILT;
    for primitive in library.primitives() {
        let closing = primitive.closing(library.skeleton());
        assert!(closing.position < 1e-4 && closing.angle < 1e-3, "{}: {closing:?}", primitive.name);
        let (first, last) = (primitive.sway[0], primitive.sway[primitive.last_frame()]);
        assert!(first.position.distance(last.position) < 1e-3, "{}", primitive.name);
        assert!(wrap_angle(first.heading - last.heading).abs() < 1e-3, "{}", primitive.name);
        assert_eq!(primitive.kind.is_cyclic(), primitive.speed > 0.3, "{}", primitive.name);
    }
}

#[test]
fn a_cycle_starts_on_the_right_foot_and_swapped_on_the_left() {
    let (library, _) = &*BUILT;
    for style in library.styles(MotionType::Walking) {
        let primitive = &library.primitives()[style];
        let contacts = |frame: usize| primitive.clip.contacts[frame];
        assert!(contacts(0).touches(crate::Contacts::RIGHT), "{}", primitive.name);
        let half = usize::from(primitive.half);
        assert!(contacts(half).touches(crate::Contacts::LEFT), "{}", primitive.name);
        let swapped = primitive.halves_swapped(library.skeleton());
        assert_eq!(swapped.clip.contacts[0], contacts(half));
        assert!((swapped.speed - primitive.speed).abs() < 1e-3);
        let back = swapped.halves_swapped(library.skeleton());
        assert!(
            back.clip
                .root_heights
                .iter()
                .zip(&primitive.clip.root_heights)
                .all(|(a, b)| (a - b).abs() < 1e-5)
        );
        for frame in 0..=primitive.last_frame() {
            let again = primitive.frame_of(primitive.phase_of(frame as f32));
            assert!((again - frame as f32).abs() < 1e-3);
        }
    }
}

#[test]
fn transitions_join_what_they_lead_between_without_sliding() {
    let (library, _) = &*BUILT;
    let skeleton = library.skeleton();
    let mut slides = Vec::new();
    for kind in MotionType::ALL {
        let table = library.table(kind);
        let first = library.styles(kind).start;
        for style in 0..table.len() {
            for &other in table.candidates(style) {
                let starts: &[u8] = if kind.is_cyclic() { &[0, 2] } else { &[0, 1, 2, 3] };
                for start in starts.iter().map(|&quarter| Start(quarter)) {
                    let from = &library.primitives()[first + style];
                    let to = &library.primitives()[first + usize::from(other)];
                    let transition = Transition { from, to, start };
                    let (clip, sway) = transition.bake(skeleton);
                    let quarter = from.last_frame() * usize::from(start.0) / Start::COUNT;
                    let begin =
                        if start == Start::LEFT && kind.is_cyclic() { from.half.into() } else { quarter };
                    let end = if transition.end() == Start::LEFT { usize::from(to.half) } else { 0 };
                    let begins = Closing::between(skeleton, &clip.pose(0), &from.clip.pose(begin));
                    let ends = Closing::between(skeleton, &clip.pose(clip.frames() - 1), &to.clip.pose(end));
                    assert!(
                        begins.position < 1e-3 && ends.position < 1e-3,
                        "{}: {begins:?} {ends:?}",
                        clip.name
                    );
                    assert!(sway[0].position.distance(from.sway[begin].position) < 1e-3, "{}", clip.name);
                    let last = sway[clip.frames() - 1];
                    assert!(last.position.distance(to.sway[end].position) < 2e-3, "{}", clip.name);
                    if kind.is_cyclic() {
                        slides.extend(contact_speed(skeleton, &clip));
                    }
                }
            }
        }
    }
    let mean = slides.iter().sum::<f32>() / slides.len() as f32;
    assert!(mean < 0.06, "feet slide at {mean} m/s");
}

#[test]
fn a_library_survives_its_file_and_damage_is_refused() {
    let (library, _) = &*BUILT;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.loomstyle");
    library.save(&path).unwrap();
    assert_eq!(&StyleLibrary::load(&path).unwrap(), library);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(StyleLibrary::load(&path).is_err());
    bytes.truncate(middle);
    std::fs::write(&path, &bytes).unwrap();
    assert!(StyleLibrary::load(&path).is_err());
    crate::Library { skeleton: library.skeleton().clone(), clips: Vec::new() }.save(&path).unwrap();
    assert!(StyleLibrary::load(&path).unwrap_err().to_string().contains("is not a style library"));
}

#[test]
fn more_energy_is_more_energy() {
    let library = builtin::library();
    let feature = |name: &str| BodyEnergy::new(&library.skeleton, library.clip(name).unwrap()).feature();
    let (walk, run, stand) =
        (feature("walk-normal-straight"), feature("run-straight"), feature("stand-relaxed"));
    for part in 0..2 {
        assert!(stand[part] < walk[part] && walk[part] < run[part], "{stand:?} {walk:?} {run:?}");
    }
}

#[test]
fn smoothing_keeps_means_and_finds_valleys() {
    let wave: Vec<f32> =
        (0..120).map(|at| 1.0 + libm::sinf(at as f32 * 0.3) + (at % 2) as f32 * 0.5).collect();
    let smooth = low_pass(&wave, 1.5);
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
    assert!((mean(&wave) - mean(&smooth)).abs() < 0.03);
    // Five periods and a half have five or six valleys, the raw curve dozens.
    assert!((5..=6).contains(&valleys(&smooth).len()) && valleys(&wave).len() > 30);
    assert!(valleys(&[]).is_empty() && low_pass(&[], 1.0).is_empty());
}

#[test]
fn nothing_comes_of_nothing() {
    let library = builtin::library();
    let empty = crate::Library { skeleton: library.skeleton.clone(), clips: Vec::new() };
    assert_eq!(StyleLibrary::build(&empty, &StyleOptions::default()), Err(StyleError::Nothing(0)));
    let still = crate::Clip { track: vec![Placement::IDENTITY; 5], ..library.clips[0].piece(0, 4) };
    let still = crate::Library { clips: vec![still], ..empty };
    let options = StyleOptions { labels: vec!["nothing".into()], ..StyleOptions::default() };
    assert!(StyleLibrary::build(&still, &options).is_err());
}
