//! Whose limbs come near, where discs keep apart.

use super::{Owner, SPAN_BITS, Stay, Traffic, WINDOW, around};
use crate::outline::{Figure, Outlines, Stance};
use glam::Vec2;

impl Traffic {
    /// Somebody, none of `but`, whose limbs may touch those of a body that goes through `positions`, one for each frame from
    /// `first_frame` on, and looks as `stance` tells of each of them by its number.
    pub(crate) fn touches(
        &self,
        outlines: &Outlines,
        (positions, first_frame): (&[Vec2], i32),
        stance: impl Fn(usize) -> Stance,
        but: &[Owner],
    ) -> Option<Owner> {
        let end = first_frame + positions.len() as i32;
        let mut from = first_frame;
        while from < end {
            let to = (((from >> SPAN_BITS) + 1) << SPAN_BITS).min(end);
            let index = |frame: i32| (frame - first_frame) as usize;
            let within = around(&positions[index(from)..index(to)]);
            // Stances are worked out for the few frames in which somebody is near enough.
            let touches = |frame: i32, other: Figure| {
                let own = positions[index(frame)];
                outlines.may_touch((own, 0.0), other)
                    && outlines.touch(Figure { at: own, stance: stance(index(frame)) }, other)
            };
            let met = self.touched_on_its_way(outlines, within, (from, to), but, touches).or_else(|| {
                self.touched_standing(outlines, within, but, |stay, other| {
                    let mut frames = stay.from.max(from)..stay.to.min(to);
                    frames.any(|frame| touches(frame, other))
                })
            });
            if met.is_some() {
                return met;
            }
            from = to;
        }
        None
    }

    /// Somebody, none of `but`, whose limbs may touch those of one who stands from a frame on, for ever.
    pub(crate) fn touches_standing(
        &self,
        outlines: &Outlines,
        own: Figure,
        from: i32,
        but: &[Owner],
    ) -> Option<Owner> {
        let within = (own.at, 0.0);
        // Of two who stand one look is enough, however long they do.
        let touches = |stay: &Stay, other| stay.from.max(from) < stay.to && outlines.touch(own, other);
        self.touched_standing(outlines, within, but, touches).or_else(|| {
            let touches = |_, other| outlines.touch(own, other);
            self.touched_on_its_way(outlines, within, (from, self.latest), but, touches)
        })
    }

    /// Somebody, none of `but`, who is on its way in the frames `from .. to`, and whom `touches` tells to touch somebody that is `within`
    /// a disc meanwhile.
    #[inline]
    fn touched_on_its_way(
        &self,
        outlines: &Outlines,
        (centre, radius): (Vec2, f32),
        (from, to): (i32, i32),
        but: &[Owner],
        touches: impl Fn(i32, Figure) -> bool,
    ) -> Option<Owner> {
        let farthest = outlines.farthest();
        // Later spans share the lists of the first ones.
        let first = from >> SPAN_BITS;
        let spans = first..((to - 1) >> SPAN_BITS).min(first + WINDOW as i32 - 1) + 1;
        self.first_cell(centre, radius + self.widest + farthest, |cell| {
            spans.clone().find_map(|span| {
                let mut next = self.heads[cell * WINDOW + span as usize % WINDOW];
                while let Some(bead) = self.beads.get(next as usize) {
                    next = bead.next;
                    let mut frames = bead.frames.0.max(from)..bead.frames.1.min(to);
                    let reach = radius + bead.radius + farthest;
                    if frames.is_empty()
                        || bead.centre.distance_squared(centre) >= reach * reach
                        || but.contains(&bead.owner)
                    {
                        continue;
                    }
                    let meets = |frame: i32| {
                        let at = (bead.first as i32 + frame - bead.frames.0) as usize;
                        touches(frame, Figure { at: self.positions[at], stance: self.stances[at] })
                    };
                    if frames.any(meets) {
                        return Some(bead.owner);
                    }
                }
                None
            })
        })
    }

    /// Somebody, none of `but`, who stands near enough to one `within` a disc to be touched, and whom `touches` tells to be.
    #[inline]
    fn touched_standing(
        &self,
        outlines: &Outlines,
        within: (Vec2, f32),
        but: &[Owner],
        touches: impl Fn(&Stay, Figure) -> bool,
    ) -> Option<Owner> {
        self.first_cell(within.0, within.1 + outlines.farthest(), |cell| {
            let mut next = self.stay_heads[cell];
            while let Some(stay) = self.stays.get(next as usize) {
                next = stay.next;
                let other = Figure { at: stay.at, stance: stay.stance };
                if !stay.claim
                    && outlines.may_touch(within, other)
                    && !but.contains(&stay.owner)
                    && touches(stay, other)
                {
                    return Some(stay.owner);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::builtin;
    use crowdloom_motion::graph::{ActionId, BuildOptions, MotionGraph, NodeId, build_graph};
    use crowdloom_world::{Bounds, Stream};
    use glam::DVec2;

    /// Frames of the trial.
    const FRAMES: i32 = 150;

    /// What somebody looks like that shows a clip over and over and turns.
    fn walking(graph: &MotionGraph, outlines: &Outlines, who: usize, frame: i32) -> Stance {
        let action = ActionId((who * 37 % graph.actions().len()) as u16);
        let last = graph.action(action).clip.frames() as i32 - 1;
        outlines.of_clip(action, (frame % last) as f32, who as f32 + frame as f32 * 0.02)
    }

    #[test]
    fn limbs_touch_when_they_do_in_some_frame() {
        let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
        let outlines = Outlines::new(&graph);
        let rest = NodeId(graph.nodes().iter().position(|node| node.rest).unwrap() as u16);
        let mut random = Stream::new(3, 0);
        let mut place = move || Vec2::new(random.unit() as f32 * 5.0, random.unit() as f32 * 5.0);
        let mut touched = [0; 2];
        for trial in 0..120 {
            let mut traffic = Traffic::new(Bounds { min: DVec2::ZERO, max: DVec2::splat(5.0) });
            // One who walks and stands then, one who stands later on, one who only wishes to.
            let (from, to) = (place(), place());
            let way = |frame: i32| from.lerp(to, (frame as f32 / FRAMES as f32).min(1.0));
            let positions: Vec<Vec2> = (0..FRAMES).map(way).collect();
            let stances = (0..FRAMES).map(|frame| walking(&graph, &outlines, trial, frame));
            traffic.add_figures(1, &positions, stances, 0, 0.25);
            let end = Figure { at: to, stance: outlines.of_node(rest, 0.7) };
            traffic.add_standing(1, end, FRAMES, 0.25);
            let later = Figure { at: place(), stance: outlines.of_node(rest, 2.0) };
            traffic.add_standing(2, later, 90, 0.25);
            traffic.claim(3, place(), 0, i32::MAX, 0.25);
            let others = |frame: i32| {
                let first = match frame < FRAMES {
                    true => Figure { at: way(frame), stance: walking(&graph, &outlines, trial, frame) },
                    false => end,
                };
                [Some((1, first)), (frame >= 90).then_some((2, later))].into_iter().flatten()
            };
            let in_frame = |own: Figure, frame: i32, but: Owner| {
                others(frame).any(|(owner, other)| owner != but && outlines.touch(own, other))
            };
            // One more who walks through, and one who stands from some frame on.
            let (start, step, first) = (place(), place() * 0.01 - 0.025, 20);
            let own: Vec<Vec2> = (0..FRAMES).map(|index| start + step * index as f32).collect();
            let stance = |index: usize| walking(&graph, &outlines, trial + 5, index as i32);
            let stands = Figure { at: place(), stance: outlines.of_node(rest, 4.0) };
            for but in [Owner::MAX, 1] {
                let walks = (0..FRAMES).any(|index| {
                    let figure = Figure { at: own[index as usize], stance: stance(index as usize) };
                    in_frame(figure, first + index, but)
                });
                let met = traffic.touches(&outlines, (&own, first), stance, &[but]);
                assert_eq!(met.is_some(), walks, "trial {trial} but {but}");
                let stays = (35..FRAMES + 2).any(|frame| in_frame(stands, frame, but));
                let met = traffic.touches_standing(&outlines, stands, 35, &[but]);
                assert_eq!(met.is_some(), stays, "trial {trial} but {but}");
                touched = [touched[0] + usize::from(walks), touched[1] + usize::from(stays)];
            }
        }
        assert!(touched.iter().all(|touched| (20..220).contains(touched)), "{touched:?}");
    }
}
