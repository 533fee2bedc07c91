//! Mutations of real files never panic, never run away: each is read, or refused with its file named.

mod common;

use common::data;
use crowdloom_motion::import::{Preset, import_capture, parse_amc, parse_asf, parse_bvh};
use proptest::prelude::*;
use std::path::Path;

/// The beginning of a real file: its whole header and a few frames.
fn sample(relative: &str, bytes: usize) -> Option<String> {
    let text = std::fs::read_to_string(data(relative)?).unwrap();
    Some(text.chars().take(bytes).collect())
}

#[derive(Clone, Debug)]
enum Mutation {
    Cut(f64),
    Replace(f64, String),
    Delete(f64, usize),
    Repeat(f64, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let word = prop_oneof![
        Just("nan".to_string()),
        Just("inf".to_string()),
        Just("-1e300".to_string()),
        Just("99999999999999999999".to_string()),
        Just("{".to_string()),
        Just("}".to_string()),
        Just("begin".to_string()),
        Just("end".to_string()),
        Just(":hierarchy".to_string()),
        Just("\u{1f9cd}\u{0}".to_string()),
        Just(String::new()),
        "[ -~]{0,8}",
    ];
    prop_oneof![
        (0.0..1.0).prop_map(Mutation::Cut),
        (0.0..1.0, word).prop_map(|(at, word)| Mutation::Replace(at, word)),
        (0.0..1.0, 1usize..200).prop_map(|(at, length)| Mutation::Delete(at, length)),
        (0.0..1.0, 1usize..200).prop_map(|(at, length)| Mutation::Repeat(at, length)),
    ]
}

fn mutate(text: &str, mutations: &[Mutation]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for mutation in mutations {
        let index = |at: f64| ((at * chars.len() as f64) as usize).min(chars.len());
        match mutation {
            Mutation::Cut(at) => chars.truncate(index(*at)),
            Mutation::Replace(at, word) => {
                let start = index(*at);
                let end = (start..chars.len()).find(|&i| chars[i].is_whitespace()).unwrap_or(chars.len());
                chars.splice(start..end, word.chars());
            }
            Mutation::Delete(at, length) => {
                let start = index(*at);
                chars.drain(start..(start + length).min(chars.len()));
            }
            Mutation::Repeat(at, length) => {
                let start = index(*at);
                let copy: Vec<char> = chars[start..(start + length).min(chars.len())].to_vec();
                chars.splice(start..start, copy);
            }
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutated_bvh(mutations in prop::collection::vec(mutation(), 1..5)) {
        let Some(text) = sample("mocap/cmu_bvh/16_15.bvh", 12_000) else { return Ok(()) };
        // The sample ends inside a frame: promise only the frames that it holds, so that most mutants get far.
        let text = text.replace("Frames: 472", "Frames: 5");
        let text = text.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        let path = Path::new("mutant.bvh");
        match parse_bvh(path, &mutate(&text, &mutations)) {
            Ok(capture) => { let _ = import_capture("mutant", &capture, &Preset::Cmu.options(path)); }
            Err(error) => prop_assert!(error.to_string().starts_with("mutant.bvh")),
        }
    }

    #[test]
    fn mutated_asf(mutations in prop::collection::vec(mutation(), 1..5)) {
        let Some(text) = sample("mocap/asf_amc/16.asf", 100_000) else { return Ok(()) };
        if let Err(error) = parse_asf(Path::new("mutant.asf"), &mutate(&text, &mutations)) {
            prop_assert!(error.to_string().starts_with("mutant.asf"));
        }
    }

    #[test]
    fn mutated_amc(mutations in prop::collection::vec(mutation(), 1..5)) {
        let Some(asf) = sample("mocap/asf_amc/16.asf", 100_000) else { return Ok(()) };
        let Some(text) = sample("mocap/asf_amc/16_24.amc", 8_000) else { return Ok(()) };
        let skeleton = parse_asf(Path::new("16.asf"), &asf).unwrap();
        if let Err(error) = parse_amc(Path::new("mutant.amc"), &mutate(&text, &mutations), &skeleton) {
            prop_assert!(error.to_string().starts_with("mutant.amc"));
        }
    }
}

#[test]
fn a_cyclic_skeleton_is_refused() {
    let asf = ":root\norder TX TY TZ RX RY RZ\n:bonedata\nbegin\nname a\nend\nbegin\nname b\nend\n:hierarchy\nbegin\na b\nb a\nend\n";
    let message = parse_asf(Path::new("c.asf"), asf).unwrap_err().to_string();
    assert!(message.contains("c.asf:12") && message.contains("cycle"), "{message}");
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let mut text = String::from("HIERARCHY\nROOT a\n{\n");
    for depth in 0..200_000 {
        text.push_str(&format!("JOINT j{depth}\n{{\n"));
    }
    assert!(parse_bvh(Path::new("deep.bvh"), &text).unwrap_err().to_string().contains("joints"));
}
