//! Recording a scene: with all that its file says of the run.

use super::crowd_recording::CrowdRecording;
use super::header::{Line, Prop};
use super::record::RunInfo;
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
    /// Looks at a scene, with the lines through which its report measures the flow and the things that stand about in it.
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
        let (lines, props) = (lines.collect(), props.collect());
        Self::new(simulation).with_lines(lines).with_props(props)
    }
}
