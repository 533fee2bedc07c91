//! What holds for every velocity mover, alone and in one crowd with the others.

use crowdloom_velocity::Manners;
use crowdloom_velocity::{
    Anticipation, Boids, CentrifugalForce, CollisionFreeSpeed, Funnel, Hidac, Memory, Model, MovingDisc,
    Orca, RotationalSteering, Rvo, SocialForce, Surroundings, VelocityCrowd, Walker, WarpDriver,
};
use crowdloom_world::{Ground, Outline, Stream, rectangle};
use glam::{DVec2, Vec2};
use proptest::prelude::*;

fn models() -> [Model; 11] {
    [
        Model::Rvo(Rvo::default()),
        Model::Orca(Orca::default()),
        Model::SocialForce(SocialForce::default()),
        Model::Boids(Boids::default()),
        Model::Hidac(Hidac::default()),
        Model::CollisionFreeSpeed(CollisionFreeSpeed::default()),
        Model::Anticipation(Anticipation::default()),
        Model::CentrifugalForce(CentrifugalForce::default()),
        Model::RotationalSteering(RotationalSteering::default()),
        Model::WarpDriver(WarpDriver::default()),
        Model::Funnel(Funnel::default()),
    ]
}

/// A hall of 12 m × 8 m with a pillar and a thin wall.
fn hall() -> Ground {
    let solid = |a: [f64; 2], b: [f64; 2]| Outline::solid("part", rectangle(DVec2::from(a), DVec2::from(b)));
    Ground::builder()
        .floor(solid([0.0, 0.0], [12.0, 8.0]))
        .obstacle(solid([5.0, 3.0], [6.0, 4.5]))
        .obstacle(solid([8.0, 0.0], [8.05, 5.0]))
        .build()
        .unwrap()
}

/// People at random places of the hall, of all models, who all want to the same random place.
fn mixed_crowd(ground: &Ground, people: usize, seed: u64) -> VelocityCrowd {
    let mut stream = Stream::new(seed, 0);
    let mut crowd = VelocityCrowd::new(seed);
    for person in 0..people {
        let position = ground.random_point(None, 0.25, &mut stream).unwrap();
        crowd.add(Walker::new(position, models()[person % models().len()]));
    }
    let goal = ground.random_point(None, 0.25, &mut stream).unwrap();
    crowd.prefer(|_, position| (goal - position).clamp_length_max(1.34));
    crowd
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn nobody_leaves_the_ground_or_the_numbers(seed in 0u64..1_000_000, people in 1usize..120) {
        let ground = hall();
        let mut crowd = mixed_crowd(&ground, people, seed);
        for _ in 0..60 {
            let before = crowd.positions().to_vec();
            crowd.step(Surroundings { ground: Some(&ground), ..Surroundings::default() }, 0.1);
            for (from, to) in before.iter().zip(crowd.positions()) {
                prop_assert!(to.is_finite());
                prop_assert!(ground.is_free(*to, 0.0), "{to} is in a wall");
                prop_assert!(ground.straight_is_free(*from, *to, 0.0), "{from} to {to} passes a wall");
            }
            prop_assert!(crowd.velocities().iter().all(|v| v.is_finite() && v.length() < 1.81));
        }
    }

    #[test]
    fn one_thread_or_two_give_the_same_bits(seed in 0u64..1_000_000) {
        let ground = hall();
        let discs = [MovingDisc { centre: Vec2::new(2.0, 2.0), velocity: Vec2::X, radius: 0.3 }];
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut crowd = mixed_crowd(&ground, 600, seed);
                (0..8).for_each(|_| crowd.step(Surroundings { ground: Some(&ground), discs: &discs, ..Surroundings::default() }, 0.1));
                crowd.positions().iter().flat_map(|p| [p.x.to_bits(), p.y.to_bits()]).collect::<Vec<u32>>()
            })
        };
        prop_assert_eq!(run(1), run(2));
    }
}

/// Two people walk towards each other; how near their centres come.
fn head_on(model: Model) -> f32 {
    let mut crowd = VelocityCrowd::new(1);
    for x in [-4.0, 4.0] {
        let manners = Manners { keep_right: 0.3, ..Manners::default() };
        crowd.add(Walker { manners, ..Walker::new(Vec2::new(x, 0.01 * x), model) });
    }
    let mut nearest = f32::INFINITY;
    for _ in 0..120 {
        crowd.prefer(|agent, p| {
            (Vec2::new(if agent == 0 { 4.0 } else { -4.0 }, 0.0) - p).clamp_length_max(1.34)
        });
        crowd.step(Surroundings::default(), 0.1);
        nearest = nearest.min(crowd.positions()[0].distance(crowd.positions()[1]));
    }
    assert!(crowd.positions()[0].x > 3.0 && crowd.positions()[1].x < -3.0, "{} stays", model.name());
    nearest
}

#[test]
fn two_pass_each_other() {
    for model in models() {
        let nearest = head_on(model);
        assert!(nearest > 0.47, "{}: {nearest} m", model.name());
    }
}

#[test]
fn everybody_makes_way_for_a_foreign_disc() {
    for model in models() {
        let mut crowd = VelocityCrowd::new(1);
        crowd.add(Walker::new(Vec2::new(0.0, 0.02), model));
        let mut disc =
            MovingDisc { centre: Vec2::new(5.0, 0.0), velocity: Vec2::new(-1.2, 0.0), radius: 0.3 };
        for _ in 0..80 {
            crowd.prefer(|_, p| (Vec2::ZERO - p) * 0.5);
            crowd.step(Surroundings { discs: &[disc], ..Surroundings::default() }, 0.1);
            disc.centre += disc.velocity * 0.1;
            let distance = crowd.positions()[0].distance(disc.centre);
            assert!(distance > 0.5, "{}: {distance} m", model.name());
        }
    }
}

#[test]
fn numbers_of_nothing_leave_people_on_the_ground() {
    let speed = CollisionFreeSpeed {
        time_gap: 0.0,
        repulsion_range: 0.0,
        wall_repulsion_range: 0.0,
        ..CollisionFreeSpeed::default()
    };
    let ahead =
        Anticipation { time_gap: 0.0, repulsion_range: 0.0, reaction_time: 0.0, ..Anticipation::default() };
    let force = CentrifugalForce {
        reaction_time: 0.0,
        length: 0.0,
        stretch: 0.0,
        least_width: 0.0,
        most_width: 0.0,
        transition: 0.0,
        ..CentrifugalForce::default()
    };
    let turning = RotationalSteering {
        time_gap: 0.0,
        range_ahead: 0.0,
        range_aside: 0.0,
        wall_repulsion_range: 0.0,
        ..RotationalSteering::default()
    };
    let warped = WarpDriver { horizon: 0.0, blur: 0.0, ..WarpDriver::default() };
    for model in [
        Model::CollisionFreeSpeed(speed),
        Model::Anticipation(ahead),
        Model::CentrifugalForce(force),
        Model::RotationalSteering(turning),
        Model::WarpDriver(warped),
    ] {
        let ground = hall();
        let mut stream = Stream::new(3, 0);
        let mut crowd = VelocityCrowd::new(3);
        for _ in 0..40 {
            crowd.add(Walker::new(ground.random_point(None, 0.25, &mut stream).unwrap(), model));
        }
        crowd.prefer(|_, position| (Vec2::splat(2.0) - position).clamp_length_max(1.34));
        for _ in 0..90 {
            crowd.step(Surroundings { ground: Some(&ground), ..Surroundings::default() }, 1.0 / 30.0);
        }
        assert!(crowd.positions().iter().all(|place| ground.is_free(*place, 0.0)), "{}", model.name());
    }
}

#[test]
fn panic_spreads_and_the_fallen_lie() {
    let mut crowd = VelocityCrowd::new(1);
    let model = Model::Hidac(Hidac::default());
    for x in 0..5 {
        crowd.add(Walker::new(Vec2::new(x as f32, 0.0), model));
    }
    crowd.memories_mut()[0].panic = 1.0;
    crowd.memories_mut()[4] = Memory { fallen: true, ..Memory::default() };
    crowd.prefer(|_, _| Vec2::Y);
    let before = crowd.positions()[4];
    (0..20).for_each(|_| crowd.step(Surroundings::default(), 0.1));
    assert!(crowd.memories()[1].panic > 0.3);
    assert_eq!(crowd.positions()[4], before);
    assert!(crowd.positions()[1].y > 1.0);
}

#[test]
fn who_turns_away_from_one_person_passes_on_its_free_side_and_heeds_nobody_behind_a_wall() {
    let model = Model::RotationalSteering(RotationalSteering::default());
    // Somebody stands a little to the left of the way: one passes on the right, at once only a little, then more.
    let mut crowd = VelocityCrowd::new(1);
    crowd.add(Walker::new(Vec2::ZERO, model));
    crowd.add(Walker::new(Vec2::new(1.5, 0.1), model));
    let mut turns = Vec::new();
    for _ in 0..12 {
        crowd.prefer(|agent, _| if agent == 0 { Vec2::X } else { Vec2::ZERO });
        crowd.step(Surroundings::default(), 1.0 / 30.0);
        let velocity = crowd.velocities()[0];
        turns.push(velocity.y.atan2(velocity.x));
    }
    assert!(turns.iter().all(|turn| (-1.57..0.0).contains(turn)), "{turns:?}");
    assert!(turns.windows(2).all(|pair| pair[1] < pair[0]) && turns[11] < 4.0 * turns[0], "{turns:?}");
    // The thin wall of the hall at x = 8 hides whoever is behind it.
    let ground = hall();
    let turned = |other: Vec2| {
        let mut crowd = VelocityCrowd::new(1);
        crowd.add(Walker::new(Vec2::new(7.3, 2.0), model));
        crowd.add(Walker::new(other, model));
        crowd.prefer(|agent, _| if agent == 0 { Vec2::X } else { Vec2::ZERO });
        crowd.step(Surroundings { ground: Some(&ground), ..Surroundings::default() }, 1.0 / 30.0);
        crowd.velocities()[0].y
    };
    assert_eq!(turned(Vec2::new(8.5, 2.2)), 0.0);
    assert!(turned(Vec2::new(7.75, 2.4)) < -1e-3);
}

#[test]
fn who_looks_ahead_by_chances_gives_way_before_it_has_to() {
    let model = Model::WarpDriver(WarpDriver::default());
    let mut crowd = VelocityCrowd::new(1);
    crowd.add(Walker::new(Vec2::ZERO, model));
    // Somebody crosses from the right, and would be right ahead after 1.4 s (in the very middle of the field there is no slope).
    let mut disc = MovingDisc { centre: Vec2::new(2.0, -1.75), velocity: Vec2::new(0.0, 1.3), radius: 0.25 };
    let mut nearest = f32::INFINITY;
    let mut first = None;
    for step in 0..90 {
        crowd.prefer(|_, _| Vec2::new(1.3, 0.0));
        crowd.step(Surroundings { discs: &[disc], ..Surroundings::default() }, 1.0 / 30.0);
        disc.centre += disc.velocity / 30.0;
        nearest = nearest.min(crowd.positions()[0].distance(disc.centre));
        if (crowd.velocities()[0] - Vec2::new(1.3, 0.0)).length() > 0.05 {
            first.get_or_insert(step);
        }
    }
    // They may touch: the model makes meeting unlikely, it rules nothing out.
    assert!(nearest > 0.49, "{nearest} m");
    assert!(first.is_some_and(|step| step < 30), "it gives way at step {first:?}");
    // Whom it will not meet it does not heed.
    let mut alone = VelocityCrowd::new(1);
    alone.add(Walker::new(Vec2::ZERO, model));
    let away = MovingDisc { centre: Vec2::new(2.0, -4.5), velocity: Vec2::new(0.0, -1.3), radius: 0.25 };
    alone.prefer(|_, _| Vec2::new(1.3, 0.0));
    alone.step(Surroundings { discs: &[away], ..Surroundings::default() }, 1.0 / 30.0);
    assert!(alone.velocities()[0].abs_diff_eq(Vec2::new(1.3, 0.0), 1e-5));
}

#[test]
fn who_looks_ahead_by_chances_is_pushed_by_who_and_what_is_near() {
    let first = |other: Option<Vec2>, wall: Option<f32>| {
        let ground = hall();
        let middle = Vec2::new(10.0, wall.unwrap_or(5.0));
        let mut crowd = VelocityCrowd::new(1);
        let walker = Walker::new(middle, Model::WarpDriver(WarpDriver::default()));
        let walker = Walker { radius: 0.2, manners: Manners::none(), ..walker };
        crowd.add(walker);
        other.map(|offset| crowd.add(Walker { position: middle + offset, ..walker }));
        crowd.prefer(|_, _| Vec2::new(1.2, 0.0));
        for agent in 0..crowd.len() {
            crowd.set_velocity(agent, Vec2::new(1.2, 0.0));
        }
        // A short step keeps half of the direction that one had.
        crowd.step(Surroundings { ground: Some(&ground), ..Surroundings::default() }, 0.01);
        crowd.velocities()[0]
    };
    // What JuPedSim 1.4 does with the same two people, and with one beside a wall.
    let beside = first(Some(Vec2::new(0.0, 0.8)), None);
    assert!((beside - Vec2::new(1.136, -0.269)).length() < 0.03, "{beside}");
    let behind = first(Some(Vec2::new(0.5, 0.0)), None);
    assert!(behind.length() < 0.05, "{behind}");
    for (distance, expected) in
        [(0.3, Vec2::new(1.024, 0.424)), (0.5, Vec2::new(1.188, 0.118)), (0.7, Vec2::new(1.2, 0.0))]
    {
        let along = first(None, Some(distance));
        assert!((along - expected).length() < 0.005, "{along}, not {expected}, at {distance}");
    }
}

/// Two of a model stand 0.45 m apart, a tenth of their bodies in each other, and wish for nothing.
fn two_in_each_other(model: Model, manners: Manners, seed: u64) -> VelocityCrowd {
    let mut crowd = VelocityCrowd::new(seed);
    for x in [0.0, 0.45] {
        crowd.add(Walker { manners, ..Walker::new(Vec2::new(x, 0.0), model) });
    }
    crowd
}

fn distance(crowd: &VelocityCrowd) -> f32 {
    crowd.positions()[0].distance(crowd.positions()[1])
}

#[test]
fn bodies_of_the_social_force_model_push_each_other_and_are_not_parted_first() {
    let model = Model::SocialForce(SocialForce { fluctuation: 0.0, ..SocialForce::default() });
    let mut crowd = two_in_each_other(model, Manners::of(&model), 1);
    crowd.step(Surroundings::default(), 1.0 / 240.0);
    // 5 cm at 1500 /s² are 75 m/s², and the social force is 47 m/s² there: half a metre a second in such a step.
    let pushed = crowd.velocities()[1].x;
    assert!((0.3..0.55).contains(&pushed), "{pushed} m/s");
    assert!(distance(&crowd) < 0.46, "they were parted: {} m", distance(&crowd));
    let soft = Model::SocialForce(SocialForce { stiffness: 0.0, fluctuation: 0.0, ..SocialForce::default() });
    let mut without = two_in_each_other(soft, Manners::of(&soft), 1);
    without.step(Surroundings::default(), 1.0 / 240.0);
    assert!(without.velocities()[1].x < 0.6 * pushed);
    // Friction: who slides along somebody who touches is held back.
    let slides = |friction: f32| {
        let force = SocialForce { friction, fluctuation: 0.0, ..SocialForce::default() };
        let mut crowd = two_in_each_other(Model::SocialForce(force), Manners::of(&model), 1);
        crowd.set_velocity(0, Vec2::Y);
        crowd.step(Surroundings::default(), 1.0 / 30.0);
        crowd.velocities()[0].y
    };
    assert!(slides(2.4e5) < 0.7 * slides(0.0), "{} and {}", slides(2.4e5), slides(0.0));
}

#[test]
fn manners_say_whether_bodies_are_parted() {
    let boids = Boids { separation: 0.0, cohesion: 0.0, ..Boids::default() };
    let after = |manners: Manners| {
        let mut crowd = two_in_each_other(Model::Boids(boids), manners, 1);
        crowd.step(Surroundings::default(), 0.1);
        distance(&crowd)
    };
    assert!((after(Manners::solid()) - 0.5).abs() < 1e-5);
    assert!((after(Manners::none()) - 0.45).abs() < 1e-5);
    assert!((after(Manners { touching: 0.04, ..Manners::solid() }) - 0.48).abs() < 1e-5);
}

#[test]
fn what_is_not_orcas_own_can_be_switched_off() {
    let published = Orca::published();
    let step = |orca: Orca, seed: u64, prefer: Vec2| {
        let mut crowd = two_in_each_other(Model::Orca(orca), Manners::none(), seed);
        crowd.prefer(|_, _| prefer);
        crowd.step(Surroundings::default(), 0.1);
        (crowd.velocities()[0], crowd.velocities()[1], distance(&crowd))
    };
    // Relaxation: the paper undoes an overlap within the step.
    assert!((step(published, 1, Vec2::ZERO).2 - 0.5).abs() < 1e-4);
    let slower = step(Orca { relaxation: 0.3, ..published }, 1, Vec2::ZERO).2;
    assert!((slower - 0.465).abs() < 1e-4, "{slower} m");
    // Noise: the same wish has the same answer, whatever the seed.
    assert_eq!(step(published, 1, Vec2::Y), step(published, 2, Vec2::Y));
    let noisy = Orca { noise: 0.5, ..published };
    assert_ne!(step(noisy, 1, Vec2::Y), step(noisy, 2, Vec2::Y));
    // The wall's horizon: 0.75 m are kept for two seconds, or for a fifth of one.
    let ground = hall();
    let towards_wall = |orca: Orca| {
        let mut crowd = VelocityCrowd::new(1);
        crowd.add(Walker { manners: Manners::none(), ..Walker::new(Vec2::new(2.0, 1.0), Model::Orca(orca)) });
        crowd.prefer(|_, _| Vec2::NEG_Y * 1.3);
        crowd.step(Surroundings { ground: Some(&ground), ..Surroundings::default() }, 0.1);
        -crowd.velocities()[0].y
    };
    assert!((towards_wall(published) - 0.375).abs() < 1e-3, "{}", towards_wall(published));
    assert!((towards_wall(Orca { wall_horizon: 0.2, ..published }) - 1.3).abs() < 1e-3);
}

#[test]
fn who_samples_velocities_turns_before_a_wall_that_is_nearest_beside_it() {
    // Towards the thin wall of the hall, at an angle: its nearest point is not where one will meet it.
    let ground = hall();
    let mut crowd = VelocityCrowd::new(1);
    let rvo = Rvo { safety: 1.0, ..Rvo::default() };
    crowd.add(Walker { manners: Manners::none(), ..Walker::new(Vec2::new(7.4, 0.8), Model::Rvo(rvo)) });
    crowd.set_velocity(0, Vec2::new(0.3, 1.2));
    let mut towards = Vec::new();
    for _ in 0..20 {
        crowd.prefer(|_, _| Vec2::new(0.3, 1.2));
        crowd.step(Surroundings { ground: Some(&ground), ..Surroundings::default() }, 0.1);
        towards.push(crowd.velocities()[0].x);
    }
    // It heads away from the wall for good some steps before it would touch it, at x = 7.75.
    assert!(crowd.positions()[0].x < 7.75, "{}", crowd.positions()[0]);
    assert!(towards[..8].iter().any(|speed| *speed < 0.15), "{towards:?}");
    assert!(crowd.positions()[0].y > 2.0, "{}", crowd.positions()[0]);
}
