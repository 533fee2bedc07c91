//! Recording a scene: with all that its file says of the run.

use super::crowd_recording::CrowdRecording;
use super::header::{Camera, CameraKey, Line, Prop, SetModel, Staging, Wall};
use super::record::RunInfo;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crowdloom_crowd::Steps;
use crowdloom_scene::Simulation;
use glam::DVec2;

impl RunInfo {
    /// What to write about the run of a scene.
    pub fn of_scene(simulation: &Simulation) -> Self {
        Self {
            name: simulation.name().to_owned(),
            seed: simulation.crowd().setting().seed,
            scene: simulation.text().to_owned(),
            stride: simulation.output().stride.unwrap_or(1).clamp(1, 30),
            save_every: 0,
        }
    }
}

impl<'a> CrowdRecording<'a, Simulation> {
    /// Looks at a scene, with the lines through which its report measures the flow, the things that stand about in it and
    /// its cameras.
    pub fn of_scene(simulation: &'a mut Simulation) -> Self {
        let ground = simulation.crowd().setting().ground.clone();
        let local = |[x, y]: [f64; 2]| ground.to_local(DVec2::new(x, y)).to_array();
        let wanted = simulation.output();
        let lines = wanted.line.iter().map(|line| Line {
            name: line.name.clone(),
            from: local(line.from),
            to: local(line.to),
        });
        let props = wanted.props.iter().map(|prop| Prop {
            kind: prop.kind.name().into(),
            at: local(prop.at),
            heading: prop.facing.to_radians(),
            size: prop.size.unwrap_or(prop.kind.usual_size()),
        });
        let walls = wanted.walls.iter().map(|(ring, height)| Wall {
            ring: ring.iter().map(|corner| local(corner.to_array())).collect(),
            height: *height,
        });
        let walls = walls.collect();
        // Rounded as the ground is: to a tenth of a millimetre.
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let corner = |p: &DVec2| (*p - ground.origin()).to_array().map(round);
        let rings =
            |area: &Vec<Vec<DVec2>>| area.iter().map(|ring| ring.iter().map(corner).collect()).collect();
        let floor = wanted.floor.iter().map(rings).collect();
        let cameras = wanted.cameras.iter().map(|camera| {
            // Of a camera that follows, places are counted from the one that it follows.
            let place = |[x, y, z]: [f64; 3]| match camera.follow {
                Some(_) => [x as f32, y as f32, z as f32],
                None => {
                    let [x, y] = local([x, y]);
                    [x, y, z as f32]
                }
            };
            let keys = camera.keys().into_iter();
            let keys = keys.map(|(time, at, look)| CameraKey { time, at: place(at), look_at: place(look) });
            Camera {
                name: camera.name.clone(),
                field_of_view: camera.field_of_view,
                follow: camera.follow,
                keys: keys.collect(),
            }
        });
        let own = &wanted.staging;
        let staging = Staging {
            outfits: own.outfits.clone(),
            gestures: own.gestures.clone(),
            hour: own.hour,
            model: own.model.as_ref().map(|model| SetModel {
                data: STANDARD.encode(&model.bytes),
                at: local(model.at),
                heading: model.facing.to_radians(),
                scale: model.scale,
            }),
            bare: !own.generated,
        };
        let costumes = own.costumes.clone();
        let (lines, props, cameras) = (lines.collect(), props.collect(), cameras.collect());
        Self::new(simulation)
            .with_lines(lines)
            .with_props(props)
            .with_walls(walls, floor)
            .with_cameras(cameras)
            .with_staging(staging, costumes)
    }
}
