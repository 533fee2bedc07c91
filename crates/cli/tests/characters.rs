//! Characters of the user's own, good and bad: each bad one gets a clear message.

use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdloom")).args(arguments).output().unwrap()
}

/// A run of two people.
fn record(folder: &Path) -> String {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let scene = "name = 'yard'\nseconds = 1\n[world]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n[[people]]\ncount = 2\n";
    std::fs::write(path("yard.toml"), scene).unwrap();
    let output = run(&["run", &path("yard.toml"), "--quiet", "-o", &path("out")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    path("out")
}

/// A figure of one triangle with normals on hips and two legs, as text and data.
struct Figure {
    document: Value,
    positions: [[f32; 3]; 3],
    weights: [[f32; 4]; 3],
    bound: [[u16; 4]; 3],
}

impl Figure {
    fn new() -> Self {
        let joint = |name: &str, place: [f32; 3], children: &[usize]| match children {
            [] => json!({ "name": name, "translation": place }),
            _ => json!({ "name": name, "translation": place, "children": children }),
        };
        let view =
            |offset: usize, length: usize| json!({ "buffer": 0, "byteOffset": offset, "byteLength": length });
        let accessor = |view: usize, kind: usize, of: &str| json!({ "bufferView": view, "componentType": kind, "count": 3, "type": of });
        let document = json!({
            "asset": { "version": "2.0" },
            "scenes": [{ "nodes": [0, 7] }],
            "nodes": [
                joint("Hips", [0.0, 0.9, 0.0], &[1, 4]),
                joint("LeftUpLeg", [0.1, -0.05, 0.0], &[2]),
                joint("LeftLeg", [0.0, -0.4, 0.0], &[3]),
                joint("LeftFoot", [0.0, -0.4, 0.0], &[]),
                joint("RightUpLeg", [-0.1, -0.05, 0.0], &[5]),
                joint("RightLeg", [0.0, -0.4, 0.0], &[6]),
                joint("RightFoot", [0.0, -0.4, 0.0], &[]),
                { "name": "Body", "mesh": 0, "skin": 0 },
            ],
            "meshes": [{ "name": "coat", "primitives": [{
                "attributes": { "POSITION": 0, "NORMAL": 1, "WEIGHTS_0": 2, "JOINTS_0": 3 },
            }] }],
            "skins": [{ "joints": [0, 1, 2, 3, 4, 5, 6] }],
            "buffers": [{ "byteLength": 144, "uri": "figure.bin" }],
            "bufferViews": [view(0, 36), view(36, 36), view(72, 48), view(120, 24)],
            "accessors": [
                accessor(0, 5126, "VEC3"), accessor(1, 5126, "VEC3"), accessor(2, 5126, "VEC4"), accessor(3, 5123, "VEC4"),
            ],
        });
        let positions = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 1.7, 0.0]];
        let weights = [[1.0, 0.0, 0.0, 0.0]; 3];
        Self { document, positions, weights, bound: [[0, 0, 0, 0], [1, 0, 0, 0], [4, 0, 0, 0]] }
    }

    fn write(&self, folder: &Path) -> String {
        let normals = [[0.0f32, 0.0, 1.0]; 3];
        let mut bytes: Vec<u8> =
            self.positions.iter().chain(&normals).flatten().flat_map(|v| v.to_le_bytes()).collect();
        bytes.extend(self.weights.iter().flatten().flat_map(|v| v.to_le_bytes()));
        bytes.extend(self.bound.iter().flatten().flat_map(|v| v.to_le_bytes()));
        std::fs::write(folder.join("figure.bin"), bytes).unwrap();
        let path = folder.join("figure.gltf");
        std::fs::write(&path, self.document.to_string()).unwrap();
        path.to_string_lossy().into_owned()
    }
}

#[test]
fn every_bad_character_is_told_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = record(folder.path());
    let target = folder.path().join("crowd.glb");
    // Whether it could be worn, and what was told, without the breaks of lines.
    let worn = |change: &dyn Fn(&mut Figure)| {
        let mut figure = Figure::new();
        change(&mut figure);
        let path = figure.write(folder.path());
        let _ = std::fs::remove_file(&target);
        let output =
            run(&["export", &recorded, "--to", "glb", "--character", &path, "-o", target.to_str().unwrap()]);
        let told = String::from_utf8_lossy(&output.stderr).replace(['\n', '│', ' '], "");
        assert_eq!(output.status.success(), target.exists(), "{told}");
        (output.status.success(), told)
    };
    assert_eq!(worn(&|_| ()), (true, String::new()));
    let refused = |what: &str, change: &dyn Fn(&mut Figure)| {
        let (done, told) = worn(change);
        assert!(!done && told.contains(&what.replace(' ', "")), "{what}: {told}");
    };
    let remarked = |what: &str, change: &dyn Fn(&mut Figure)| {
        let (done, told) = worn(change);
        assert!(done && told.contains(&what.replace(' ', "")), "{what}: {told}");
    };
    refused("it has no skin", &|figure| figure.document["nodes"][7] = json!({ "mesh": 0 }));
    refused("legs are not recognised", &|figure| {
        for joint in 0..7 {
            figure.document["nodes"][joint]["name"] = format!("bone.{joint:03}").into();
        }
    });
    refused("weights that are no numbers", &|figure| figure.weights[1][0] = f32::NAN);
    refused("weights that are no numbers", &|figure| figure.weights[1][0] = -0.5);
    refused("places that are no numbers", &|figure| figure.positions[2][1] = f32::INFINITY);
    refused("bound to joint 9, but its skin has 7", &|figure| figure.bound[2][0] = 9);
    refused("JOINTS_0 and WEIGHTS_0 are missing", &|figure| {
        let attributes = &mut figure.document["meshes"][0]["primitives"][0]["attributes"];
        attributes.as_object_mut().unwrap().remove("WEIGHTS_0");
    });
    refused("reaches past its data", &|figure| figure.document["accessors"][0]["count"] = 4000.into());
    refused("past its buffer", &|figure| figure.document["bufferViews"][3]["byteLength"] = 999.into());
    refused("holds Vec2 where Vec4 belongs", &|figure| {
        figure.document["accessors"][2]["type"] = "VEC2".into()
    });
    remarked("has no normals", &|figure| {
        let attributes = &mut figure.document["meshes"][0]["primitives"][0]["attributes"];
        attributes.as_object_mut().unwrap().remove("NORMAL");
    });
    remarked("1 triangles of 1 without area", &|figure| figure.positions[2] = figure.positions[1]);
    remarked("1 points that no joint moves", &|figure| figure.weights[1][0] = 0.0);
    // Three hundred joints are many, but nothing is wrong with them.
    let (done, told) = worn(&|figure| {
        let first = figure.document["nodes"].as_array().unwrap().len();
        for number in 0..300 {
            let nodes = figure.document["nodes"].as_array_mut().unwrap();
            nodes.push(json!({ "name": format!("strand {number}"), "translation": [0.0, 0.01, 0.0] }));
            if number > 0 {
                nodes[first + number - 1]["children"] = json!([first + number]);
            }
            figure.document["skins"][0]["joints"].as_array_mut().unwrap().push((first + number).into());
        }
        figure.document["nodes"][0]["children"].as_array_mut().unwrap().push(first.into());
        figure.bound[0] = [306, 0, 0, 0];
    });
    assert!(done && told.is_empty(), "{told}");
    // A file that ends too soon.
    std::fs::write(folder.path().join("cut.glb"), b"glTF\x02\0\0\0\xff\xff\0\0").unwrap();
    let cut = folder.path().join("cut.glb").to_string_lossy().into_owned();
    let output =
        run(&["export", &recorded, "--to", "glb", "--character", &cut, "-o", target.to_str().unwrap()]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("cut off"));
}
