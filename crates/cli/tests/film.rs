//! Films of a run: single pictures, GIF, and videos where ffmpeg is there. Without a browser there is nothing to draw with.

#![cfg(feature = "studio")]

mod common;

use common::run;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCENE: &str = "name = 'hall'\nseconds = 2\n[world]\nfloor = [[0, 0], [12, 0], [12, 8], [0, 8]]\n\
    [[people]]\ncount = 6\n[[camera]]\nname = 'gate'\nat = [6, -4, 3]\nlook-at = [6, 4, 1]\n";

/// Pictures of a folder, in their order.
fn pictures(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// Colours of a picture.
fn colours(picture: &Path) -> (u32, u32, Vec<u8>) {
    let picture = image::open(picture).unwrap().to_rgba8();
    (picture.width(), picture.height(), picture.into_raw())
}

/// The mean difference of two pictures of the same size, in 255ths.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.len() as f64
}

#[test]
fn a_run_is_filmed_as_pictures_gif_and_video() {
    if crowdloom_studio::film::browser().is_none() {
        eprintln!("no Chromium or Chrome: nothing was filmed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("scene.toml"), SCENE).unwrap();
    assert!(run(&["run", &path("scene.toml"), "--quiet", "-o", &path("out")]).status.success());
    let film = |name: &str| {
        let (out, file) = (path("out"), path(name));
        let told = run(&[
            "film",
            &out,
            "--camera",
            "gate",
            "--from-time",
            "0.5",
            "--to-time",
            "1.5",
            "--rate",
            "2",
            "--size",
            "160x90",
            "--quiet",
            "-o",
            &file,
        ]);
        assert!(told.status.success(), "{name}: {}", String::from_utf8_lossy(&told.stderr));
        std::fs::read(&file).unwrap_or_default()
    };
    film("frames");
    let frames = pictures(&folder.path().join("frames"));
    assert_eq!(frames.len(), 3, "0.5, 1.0 and 1.5 s");
    let shown: Vec<_> = frames.iter().map(|frame| colours(frame)).collect();
    assert!(shown.iter().all(|(across, down, _)| (*across, *down) == (160, 90)));
    // There is something to be seen, and it moves.
    let first = &shown[0].2;
    assert!(first.chunks_exact(4).any(|pixel| pixel != &first[..4]));
    assert!(difference(first, &shown[2].2) > 0.05);

    let gif = film("film.gif");
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(&[0x3b]));
    assert_eq!((gif[6], gif[8]), (160, 90));
    // Every picture begins with when and how it is shown.
    assert_eq!(gif.windows(3).filter(|three| three == &[0x21, 0xf9, 0x04]).count(), 3);

    if Command::new("ffmpeg").arg("-version").output().is_err() {
        eprintln!("no ffmpeg: no video was made");
        return;
    }
    for (name, begins, at) in [("film.mp4", &b"ftyp"[..], 4), ("film.webm", &[0x1a, 0x45, 0xdf, 0xa3][..], 0)]
    {
        let video = film(name);
        assert_eq!(&video[at..at + 4], begins, "{name}");
        // It plays, and shows what the pictures do.
        let played = folder.path().join(format!("{name}-played"));
        std::fs::create_dir(&played).unwrap();
        let out = played.join("%02d.png");
        let told =
            Command::new("ffmpeg").args(["-v", "error", "-i", &path(name)]).arg(&out).output().unwrap();
        assert!(told.status.success(), "{name}: {}", String::from_utf8_lossy(&told.stderr));
        let played = pictures(&played);
        assert_eq!(played.len(), 3, "{name}");
        for (frame, (_, _, drawn)) in played.iter().zip(&shown) {
            let (across, down, own) = colours(frame);
            assert_eq!((across, down), (160, 90), "{name}");
            assert!(difference(&own, drawn) < 8.0, "{name}: {}", difference(&own, drawn));
        }
    }
}
