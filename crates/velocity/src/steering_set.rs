//! The steering set of Reynolds 1999, "Steering behaviors for autonomous characters": each behaviour as the velocity that
//! one would like to have. Reynolds steers by the difference between that and the velocity one has; so any mover can take
//! it as its preferred velocity. Obstacles and others are avoided by the mover itself.
//!
//! All vectors are in metres or metres a second; `other` is an offset from oneself.

use glam::Vec2;

/// Straight towards a point.
pub fn seek(other: Vec2, speed: f32) -> Vec2 {
    other.normalize_or_zero() * speed
}

/// Straight away from a point.
pub fn flee(other: Vec2, speed: f32) -> Vec2 {
    -seek(other, speed)
}

/// Towards a point, slower and slower within `slows` metres of it.
pub fn arrive(other: Vec2, slows: f32, speed: f32) -> Vec2 {
    other / slows.max(other.length()).max(1e-6) * speed
}

/// Where somebody will be when one could have walked to where it is now: Reynolds' estimate T = D c of the time to
/// meet, with c = 1 / speed (he leaves c open).
fn ahead(other: Vec2, velocity: Vec2, speed: f32) -> Vec2 {
    other + velocity * (other.length() / speed.max(1e-3))
}

/// Towards where somebody who moves will be.
pub fn pursue(other: Vec2, velocity: Vec2, speed: f32) -> Vec2 {
    seek(ahead(other, velocity, speed), speed)
}

/// Away from where somebody who moves will be.
pub fn evade(other: Vec2, velocity: Vec2, speed: f32) -> Vec2 {
    let later = ahead(other, velocity, speed);
    // Who comes straight at one would be exactly here: then one flees from where it is.
    if later.length_squared() < 0.01 * other.length_squared() {
        flee(other, speed)
    } else {
        flee(later, speed)
    }
}

/// After a leader: to a place `behind` metres behind it, slowing down there, and out of its way for whoever is right
/// ahead of it.
pub fn follow_leader(leader: Vec2, velocity: Vec2, behind: f32, speed: f32) -> Vec2 {
    let facing = velocity.normalize_or_zero();
    let from_leader = -leader;
    let (along, across) = (from_leader.dot(facing), facing.perp_dot(from_leader));
    // Twice the distance one keeps behind it is its way (ours).
    if facing != Vec2::ZERO && (0.0..2.0 * behind).contains(&along) && across.abs() < 0.5 * behind {
        return facing.perp() * if across < 0.0 { -speed } else { speed };
    }
    let place = leader - facing * behind;
    (velocity + arrive(place, behind, speed)).clamp_length_max(speed)
}

/// Along a path of some corners and a half width: where one will be in `looks` seconds is brought back onto the path
/// where it would leave it; inside of it one goes on as one does. `None` without a path.
pub fn follow_path(
    corners: impl Iterator<Item = Vec2> + Clone,
    velocity: Vec2,
    half_width: f32,
    looks: f32,
    speed: f32,
) -> Option<Vec2> {
    let mut later = velocity * looks;
    let mut nearest = nearest_of_path(corners.clone(), later)?;
    // Who stands, or goes the wrong way, looks along the path from where it is.
    let here = nearest_of_path(corners.clone(), Vec2::ZERO)?;
    if velocity.dot(here.along) <= 0.0 {
        later = Vec2::ZERO;
        nearest = here;
    }
    if later != Vec2::ZERO && nearest.point.distance(later) <= half_width {
        return Some(velocity.normalize_or(nearest.along) * speed);
    }
    Some(seek(nearest.point + nearest.along * (speed * looks), speed))
}

/// The point of a path nearest to another, and which way the path goes there.
struct OnPath {
    point: Vec2,
    along: Vec2,
}

fn nearest_of_path(corners: impl Iterator<Item = Vec2> + Clone, to: Vec2) -> Option<OnPath> {
    let mut best: Option<(f32, OnPath)> = None;
    for (start, end) in corners.clone().zip(corners.skip(1)) {
        let along = end - start;
        let squared = along.length_squared();
        if squared <= 1e-9 {
            continue;
        }
        let point = start + along * ((to - start).dot(along) / squared).clamp(0.0, 1.0);
        let distance = point.distance_squared(to);
        // At a corner the path goes on.
        if best.as_ref().is_none_or(|(least, _)| distance <= *least) {
            best = Some((distance, OnPath { point, along: along / squared.sqrt() }));
        }
    }
    best.map(|(_, on_path)| on_path)
}

/// Along a wall at some distance: `wall` is the wall's point nearest to where one will be, as an offset from there, and
/// `later` is where that is. Who stands sets out with the wall on the right.
pub fn follow_wall(later: Vec2, wall: Vec2, velocity: Vec2, distance: f32, speed: f32) -> Vec2 {
    let away = -wall.normalize_or(Vec2::NEG_X);
    let along = away.perp() * if away.perp_dot(velocity) > 0.0 { 1.0 } else { -1.0 };
    seek(later + wall + away * distance + along * distance.max(0.1), speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks by what `wish` says of place and velocity, taking up three tenths of it each 0.1 s.
    fn walk(mut place: Vec2, steps: usize, mut wish: impl FnMut(Vec2, Vec2) -> Vec2) -> Vec<Vec2> {
        let mut velocity = Vec2::ZERO;
        let step = |_| {
            velocity += (wish(place, velocity) - velocity) * 0.3;
            place += velocity * 0.1;
            place
        };
        (0..steps).map(step).collect()
    }

    #[test]
    fn one_seeks_flees_and_arrives() {
        assert_eq!(seek(Vec2::new(0.0, 5.0), 1.3), Vec2::new(0.0, 1.3));
        assert_eq!(flee(Vec2::new(0.0, 5.0), 1.3), Vec2::new(0.0, -1.3));
        assert_eq!(arrive(Vec2::X * 4.0, 2.0, 1.0), Vec2::X);
        assert_eq!(arrive(Vec2::X * 0.5, 2.0, 1.0), Vec2::X * 0.25);
        assert_eq!((seek(Vec2::ZERO, 1.0), arrive(Vec2::ZERO, 0.0, 1.0)), (Vec2::ZERO, Vec2::ZERO));
    }

    #[test]
    fn who_pursues_cuts_off_the_way_and_is_sooner_there_than_who_seeks() {
        let prey = |step: usize| Vec2::new(0.0, 8.0) + Vec2::X * (0.12 * step as f32);
        let caught = |pursues: bool| {
            let mut step = 0;
            let way = walk(Vec2::ZERO, 400, |place, _| {
                step += 1;
                let other = prey(step - 1) - place;
                if pursues { pursue(other, Vec2::X * 1.2, 1.5) } else { seek(other, 1.5) }
            });
            way.iter().enumerate().position(|(step, place)| place.distance(prey(step)) < 0.4)
        };
        let (pursuit, seeking) = (caught(true).unwrap(), caught(false).unwrap());
        assert!(pursuit + 10 < seeking, "after {pursuit} and {seeking} steps");
    }

    #[test]
    fn who_evades_leaves_the_way_of_who_comes() {
        // It comes from the left and will pass above: who only flees goes right, before it.
        let (other, velocity) = (Vec2::new(-4.0, 1.0), Vec2::X * 1.3);
        assert!(flee(other, 1.3).x > 1.0);
        let away = evade(other, velocity, 1.3);
        assert!(away.y < -1.2, "{away}");
        assert!(evade(Vec2::X * 3.0, Vec2::NEG_X * 1.3, 1.3).x < -1.2);
    }

    #[test]
    fn followers_stay_behind_and_get_out_of_the_way() {
        let leader = |step: usize| Vec2::new(3.0 + 0.1 * step as f32, 0.0);
        let mut step = 0;
        let way = walk(Vec2::new(0.0, 2.0), 150, |place, _| {
            step += 1;
            follow_leader(leader(step - 1) - place, Vec2::X, 1.5, 1.5)
        });
        let last = way[149] - leader(149);
        assert!((-1.8..-1.2).contains(&last.x) && last.y.abs() < 0.2, "{last}");
        let aside = follow_leader(Vec2::new(-1.0, 0.1), Vec2::X, 1.5, 1.5);
        assert!(aside.y < -1.4, "{aside}");
    }

    #[test]
    fn a_path_is_kept_to_and_walked_freely_inside() {
        let corners = [Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0)];
        let along = |place: Vec2, velocity: Vec2| {
            let own = corners.iter().map(move |corner| *corner - place);
            follow_path(own, velocity, 0.6, 0.5, 1.3).unwrap()
        };
        // Inside it goes on a little askew; outside it comes back.
        let askew = Vec2::new(1.2, 0.2);
        assert!(along(Vec2::new(2.0, 0.2), askew).abs_diff_eq(askew.normalize() * 1.3, 1e-5));
        assert!(along(Vec2::new(2.0, 1.5), askew).y < 0.0);
        let way = walk(Vec2::new(0.0, 2.0), 170, along);
        let off =
            |place: &Vec2| nearest_of_path(corners.iter().copied(), *place).unwrap().point.distance(*place);
        assert!(way[30..].iter().all(|place| off(place) < 1.0), "{way:?}");
        assert!(way[169].y > 7.0, "{}", way[169]);
        assert!(follow_path([Vec2::X].into_iter(), Vec2::X, 0.5, 0.5, 1.0).is_none());
    }

    #[test]
    fn a_wall_is_followed_at_its_distance() {
        // A wall along y = 0, and somebody who starts 3 m off it.
        let way = walk(Vec2::new(0.0, 3.0), 200, |place, velocity| {
            let later = velocity * 0.5;
            follow_wall(later, Vec2::new(0.0, -(place + later).y), velocity, 0.8, 1.3)
        });
        assert!(way[60..].iter().all(|place| (place.y - 0.8).abs() < 0.15), "{way:?}");
        assert!((way[199].x - way[60].x).abs() > 12.0);
    }
}
