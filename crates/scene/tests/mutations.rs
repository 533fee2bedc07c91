//! Damaged scenes: whatever is changed in the embedded ones, they are read or refused, without a panic, in bounded time
//! and memory.
//!
//! `CROWDLOOM_MUTATIONS=100000 cargo test -p crowdloom-scene --test mutations -- --nocapture` searches for longer.

use crowdloom_crowd::Steps;
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_scene::{Overrides, embedded, parse, stage};
use crowdloom_world::Stream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Mutations where nobody asks for more.
const FEW: usize = 2000;
/// The longest that any one may take; most take milliseconds.
const LONGEST: Duration = Duration::from_secs(30);
/// Every so many, one that can run is run for a moment.
const RUN_EVERY: usize = 40;

/// Numbers at and beyond the bounds of what there is.
const EXTREMES: [&str; 24] = [
    "0",
    "-1",
    "1",
    "-0.0",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-308",
    "1e-9",
    "1e8",
    "-1e8",
    "1e12",
    "65535",
    "65536",
    "1000000",
    "1000001",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "86400",
    "12",
    "360",
];

fn scenes() -> Vec<(String, &'static str)> {
    let scenes = embedded::SCENES.iter().map(|(name, _, text)| ((*name).to_owned(), *text));
    let experiments =
        embedded::EXPERIMENTS.iter().map(|(name, _, text)| (format!("experiment {name}"), *text));
    let examples =
        embedded::SITUATIONS.iter().map(|example| (format!("situation {}", example.name), example.text));
    scenes.chain(experiments).chain(examples).collect()
}

/// The number tokens of a text, as ranges of bytes.
fn numbers(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'_');
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_part(byte)).count();
        if text[at..at + length].iter().any(u8::is_ascii_digit) {
            found.push(at..at + length);
        }
        at += length.max(1);
    }
    found
}

fn mutate(text: &str, random: &mut Stream) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let lines: Vec<Vec<u8>> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        let line = random.below(lines.len().max(1));
        match random.below(8) {
            0 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] = 32 + random.below(95) as u8;
            }
            2 if !bytes.is_empty() => {
                bytes.remove(random.below(bytes.len()));
            }
            3 => {
                bytes = lines
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| *i != line)
                    .flat_map(|(_, l)| l.clone())
                    .collect()
            }
            4 => {
                let twice = |(i, l): (usize, &Vec<u8>)| {
                    if i == line { [l.clone(), l.clone()].concat() } else { l.clone() }
                };
                bytes = lines.iter().enumerate().flat_map(twice).collect();
            }
            5 => {
                // A line elsewhere.
                let mut lines = lines;
                let other = random.below(lines.len().max(1));
                if !lines.is_empty() {
                    lines.swap(line, other);
                }
                bytes = lines.concat();
            }
            _ => {
                let numbers = numbers(&bytes);
                if !numbers.is_empty() {
                    let number = numbers[random.below(numbers.len())].clone();
                    bytes.splice(number, EXTREMES[random.below(EXTREMES.len())].bytes());
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Seconds that this thread has worked, where that can be told: what else runs on the machine must not count.
fn worked() -> Option<Duration> {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    times.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The most memory that this process has had, in MiB, where that can be told.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
}

#[test]
fn damaged_scenes_are_read_or_refused() {
    let asked = std::env::var("CROWDLOOM_MUTATIONS").ok().and_then(|count| count.parse().ok());
    let count: usize = asked.unwrap_or(FEW);
    let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
    let scenes = scenes();
    let file = Path::new("scene.toml");
    let (mut read, mut ran, mut slowest) = (0, 0, (Duration::ZERO, 0));
    for number in 0..count {
        let (name, text) = &scenes[number % scenes.len()];
        let mut random = Stream::new(0xf022, number as u64);
        let text = mutate(text, &mut random);
        let (began, work) = (Instant::now(), worked());
        let tried = catch_unwind(AssertUnwindSafe(|| {
            // Planning is what such scenes are for and takes its time: they are only read.
            if text.contains("[[constraint]]") {
                return (stage(file, &text, &graph).is_ok(), false);
            }
            let few = Overrides { people: Some(5), ..Overrides::default() };
            let Ok((mut simulation, _)) = parse(file, &text, few) else { return (false, false) };
            let runs = number.is_multiple_of(RUN_EVERY);
            for _ in 0..if runs { 10 } else { 0 } {
                simulation.step();
            }
            (true, runs)
        }));
        let took = worked().zip(work).map_or_else(|| began.elapsed(), |(now, before)| now - before);
        slowest = slowest.max((took, number));
        let (was_read, was_run) = tried.unwrap_or_else(|_| panic!("mutation {number} of {name}:\n{text}"));
        assert!(took < LONGEST, "mutation {number} of {name} took {took:?}:\n{text}");
        read += usize::from(was_read);
        ran += usize::from(was_run);
    }
    println!("{count} mutations: {read} read, {ran} run; the slowest, {}, took {:?}", slowest.1, slowest.0);
    assert!(read > count / 20 && read < count, "{read} of {count} were read");
    if let Some(memory) = peak_memory() {
        println!("{memory} MiB at most");
        assert!(memory < 1024, "{memory} MiB");
    }
}
