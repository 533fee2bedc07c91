//! A tiny package with the layout of the real one: the built-in body as its base mesh, targets that only stretch it.

use crowdloom_makehuman::{Archive, FOLDER, PackageError, RECIPES, make};
use crowdloom_shapes::rig::{Hang, RIG, weigh};
use flate2::Compression;
use flate2::write::GzEncoder;
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

/// A zip file with everything stored as it is.
fn zip(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let (offset, sum, size) = (out.len() as u32, crc32fast::hash(bytes), bytes.len() as u32);
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend([sum, size, size].iter().flat_map(|value| value.to_le_bytes()));
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(bytes);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (count, start) = (files.len() as u16, out.len() as u32);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

struct Writer {
    text: String,
    points: Vec<Vec3>,
}

impl Writer {
    /// A group of triangles, in the package's axes and decimetres.
    fn group(&mut self, name: &str, points: &[Vec3], triangles: &[[u16; 3]]) -> usize {
        let first = self.points.len();
        for p in points {
            self.text += &format!("v {} {} {}\n", p.y * 10.0, p.z * 10.0, p.x * 10.0);
        }
        self.text += &format!("g {name}\n");
        for triangle in triangles {
            let [a, b, c] = triangle.map(|index| usize::from(index) + first + 1);
            self.text += &format!("f {a}/1 {b}/1 {c}/1\n");
        }
        self.points.extend(points);
        first
    }

    /// A small thing about a place.
    fn cube(&mut self, name: &str, at: Vec3, size: f32) {
        let corners =
            [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_ONE].map(|corner| at + (corner - Vec3::ZERO) * size);
        let middle = corners.iter().copied().sum::<Vec3>() / 4.0;
        self.group(name, &corners.map(|p| p + at - middle), &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]);
    }
}

/// All files of the package, from the built-in bodies.
fn files() -> BTreeMap<String, Vec<u8>> {
    let set = crowdloom_bodies::built_in();
    let skin = &set.pieces[0].levels[1];
    let mut obj = Writer { text: String::new(), points: Vec::new() };
    obj.group("body", &skin.paint, &skin.triangles);
    let grown: Vec<Vec3> = skin
        .paint
        .iter()
        .zip(&skin.normals[1])
        .map(|(p, n)| *p + *n * 0.004)
        .filter(|p| p.is_finite())
        .collect();
    obj.group("helper-tights", &grown, &skin.triangles);
    let ring = |z: f32, r: f32| {
        (0..16).map(move |at| {
            let (sine, cosine) = (at as f32 * std::f32::consts::FRAC_PI_8).sin_cos();
            Vec3::new(cosine * r, sine * r, z)
        })
    };
    let skirt: Vec<Vec3> = ring(1.05, 0.16).chain(ring(0.6, 0.22)).chain(ring(0.05, 0.3)).collect();
    let mut sides = Vec::new();
    for row in 0..2u16 {
        for at in 0..16u16 {
            let [a, b] = [row * 16 + at, row * 16 + (at + 1) % 16];
            sides.extend([[a, a + 16, b], [b, a + 16, b + 16]]);
        }
    }
    obj.group("helper-skirt", &skirt, &sides);
    obj.cube("helper-hair", Vec3::new(-0.03, 0.0, 1.70), 0.08);
    obj.cube("helper-l-eye", Vec3::new(0.06, 0.0315, 1.641), 0.01);
    obj.cube("helper-r-eye", Vec3::new(0.06, -0.0315, 1.641), 0.01);
    let mut bones = serde_json::Map::new();
    for joint in &RIG {
        obj.cube(&format!("joint-{}", joint.name), joint.at, 0.004);
        let head = serde_json::json!({ "strategy": "CUBE", "cube_name": format!("joint-{}", joint.name) });
        bones.insert(joint.name.into(), serde_json::json!({ "head": head, "parent": "" }));
    }
    for (letter, s) in [("l", 1.0), ("r", -1.0)] {
        for finger in 1..=5 {
            let at = Vec3::new(0.02 - 0.02 * (finger as f32 - 2.0), s * 0.83, 1.42);
            obj.cube(&format!("joint-{letter}-finger-{finger}-1"), at, 0.002);
        }
    }
    let mut weights: BTreeMap<&str, Vec<(usize, f32)>> = BTreeMap::new();
    for (index, &p) in obj.points.iter().enumerate() {
        let (joints, shares) = weigh(p, Hang::Body);
        for (joint, share) in joints.into_iter().zip(shares).filter(|(_, share)| *share > 0) {
            weights.entry(RIG[usize::from(joint)].name).or_default().push((index, f32::from(share) / 255.0));
        }
    }
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut put = |name: &str, bytes: Vec<u8>| files.insert(format!("{FOLDER}{name}"), bytes);
    put("3dobjs/base.obj", obj.text.into_bytes());
    put("rigs/standard/rig.cmu_mb.json", serde_json::Value::Object(bones).to_string().into_bytes());
    put(
        "rigs/standard/weights.cmu_mb.json",
        serde_json::json!({ "weights": weights }).to_string().into_bytes(),
    );
    // Heavy people are wider, all others are as they are.
    let gz = |text: String| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let body: BTreeSet<usize> = (0..skin.paint.len()).collect();
    for sex in ["female", "male"] {
        for age in ["baby", "child", "young", "old"] {
            for ancestry in ["african", "asian", "caucasian"] {
                put(
                    &format!("targets/macrodetails/{ancestry}-{sex}-{age}.target.gz"),
                    gz("# nothing\n".into()),
                );
            }
            for muscle in ["minmuscle", "averagemuscle", "maxmuscle"] {
                for weight in ["minweight", "averageweight", "maxweight"] {
                    let more = if weight == "maxweight" { 0.35 } else { 0.0 };
                    let wider = |index: &usize| {
                        let p = obj.points[*index];
                        let belly = more * (-((p.z - 1.1) * 5.0).powi(2)).exp() * f32::from(p.y.abs() < 0.2);
                        format!("{index} 0 0 {}\n", p.x * 10.0 * belly)
                    };
                    let text: String = body.iter().map(wider).collect();
                    put(
                        &format!("targets/macrodetails/universal-{sex}-{age}-{muscle}-{weight}.target.gz"),
                        gz(text),
                    );
                }
            }
        }
    }
    files
}

fn made(
    files: &BTreeMap<String, Vec<u8>>,
    folder: &Path,
) -> Result<crowdloom_shapes::bake::Set, PackageError> {
    let path = folder.join("tiny.whl");
    std::fs::write(&path, zip(files)).unwrap();
    make(&Archive::open(&path)?, crowdloom_bodies::built_in(), &|_| ())
}

#[test]
fn a_package_becomes_a_set_that_is_kept_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let set = made(&files(), folder.path()).unwrap();
    let built_in = crowdloom_bodies::built_in();
    assert_eq!(set.templates.len(), RECIPES.len());
    let names = |set: &crowdloom_shapes::bake::Set| {
        set.pieces.iter().map(|piece| piece.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&set), names(built_in));
    let path = folder.path().join("bodies.bin");
    crowdloom_bodies::installed::write(&set, &path).unwrap();
    let again = crowdloom_bodies::installed::read(&path).unwrap();
    assert_eq!(again.templates.len(), set.templates.len());
    for (piece, level) in
        again.pieces.iter().flat_map(|piece| piece.levels.iter().map(move |level| (piece, level)))
    {
        for points in &level.points {
            assert!(points.iter().all(|p| p.is_finite() && p.length() < 3.0), "{}", piece.name);
        }
    }
    // The body that came in comes out where it was: its joints are the rig's already.
    let skin = &again.pieces[0].levels[0];
    for (paint, p) in skin.paint.iter().zip(&skin.points[1]).filter(|(paint, _)| paint.z < 1.4) {
        assert!(paint.distance(*p) < 0.03, "{paint} {p}");
    }
    let depth = |name: &str| {
        let body = RECIPES.iter().position(|recipe| recipe.name == name).unwrap();
        let belly = skin.points[body].iter().filter(|p| (1.05..1.15).contains(&p.z) && p.y.abs() < 0.1);
        belly.map(|p| p.x).fold(0.0, f32::max)
    };
    assert!(depth("heavy man") > depth("man") + 0.01, "{} {}", depth("heavy man"), depth("man"));
    let mass = |name: &str| set.templates.iter().find(|own| own.name == name).unwrap().person.unwrap()[1];
    assert!(mass("heavy man") > mass("man"));
    // Trousers are cut at the ankles and the waist.
    let trousers = again.pieces.iter().find(|piece| piece.name == "trousers").unwrap();
    let heights = trousers.levels[0].points[1].iter().map(|p| p.z);
    let (low, high) = heights.fold((9.0f32, 0.0f32), |(low, high), z| (low.min(z), high.max(z)));
    assert!(low > 0.03 && high < 1.05, "{low} {high}");
}

#[test]
fn bad_packages_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let whole = files();
    let path = folder.path().join("cut.whl");
    let bytes = zip(&whole);
    for size in [0, 100, bytes.len() / 2, bytes.len() - 30] {
        std::fs::write(&path, &bytes[..size]).unwrap();
        assert!(matches!(Archive::open(&path), Err(PackageError::NotWhole(_))), "{size}");
    }
    let mut damaged = bytes.clone();
    // The base mesh comes first.
    let at = 2000;
    damaged[at] ^= 0x55;
    std::fs::write(&path, damaged).unwrap();
    let told = Archive::open(&path).and_then(|archive| make(&archive, crowdloom_bodies::built_in(), &|_| ()));
    assert!(told.is_err());
    for (name, text) in [
        ("3dobjs/base.obj", None),
        ("rigs/standard/rig.cmu_mb.json", None),
        ("targets/macrodetails/universal-male-young-averagemuscle-averageweight.target.gz", None),
        ("3dobjs/base.obj", Some("v 1 2 nan\n")),
        ("3dobjs/base.obj", Some("v 1 2 3\ng body\nf 1 2 3\n")),
        ("rigs/standard/weights.cmu_mb.json", Some("{\"weights\": {\"Hips\": [[99999999, 1.0]]}}")),
        ("rigs/standard/rig.cmu_mb.json", Some("{}")),
    ] {
        let mut other = whole.clone();
        let name = format!("{FOLDER}{name}");
        match text {
            Some(text) => other.insert(name.clone(), text.as_bytes().to_vec()),
            None => other.remove(&name),
        };
        let told = made(&other, folder.path()).unwrap_err().to_string();
        assert!(told.contains("package"), "{name}: {told}");
    }
    assert!(matches!(Archive::open(&folder.path().join("none.whl")), Err(PackageError::File { .. })));
}
