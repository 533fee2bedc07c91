//! scratch
use crowdloom_crowd::cell_marking::*;
use crowdloom_crowd::velocity::Role;
use crowdloom_lab::experiment::cell_marking as cm;
fn e(n: &str, d: f32) -> f32 {
    std::env::var(n).ok().and_then(|s| s.parse().ok()).unwrap_or(d)
}
fn main() {
    let seeds: usize = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1);
    let t = std::time::Instant::now();
    let mut b = BookOptions::default();
    b.threshold = e("T", b.threshold);
    b.stride = e("STRIDE", b.stride as f32) as usize;
    let mut s = cm::Setup::new(&b);
    println!(
        "book {:?} {} {} reach {}",
        t.elapsed(),
        s.book.len(),
        s.book.transition_count(),
        s.book.reach()
    );
    let defaults = s.options;
    for line in std::env::args().skip(2) {
        let v = |n: &str, d: f32| {
            line.split(' ').find_map(|w| w.strip_prefix(n)?.strip_prefix('=')?.parse().ok()).unwrap_or(d)
        };
        let e = v;
        s.options = defaults;
        let o = &mut s.options;
        o.rvo.safety = e("S", o.rvo.safety);
        o.rvo.horizon = e("H", o.rvo.horizon);
        if e("FOR", 0.0) > 0.0 {
            o.role = Role::Foreign;
        }
        o.personal_radius = e("R", o.personal_radius);
        o.reluctance = e("RE", o.reluctance);
        o.make_room = e("MR", o.make_room);
        o.give_way = e("G", o.give_way);
        o.neighbour_distance = e("ND", o.neighbour_distance);
        o.weights.difference = e("WM", o.weights.difference);
        o.weights.velocity = e("WV", o.weights.velocity);
        o.weights.location = e("WL", o.weights.location);
        o.weights.orientation = e("WO", o.weights.orientation);
        o.patience = e("P", o.patience);
        o.promises = Promises::Cells(e("CELL", 0.1));
        o.max_speed = e("MS", o.max_speed);
        o.max_neighbours = e("N", o.max_neighbours as f32) as usize;
        if e("DISC", 0.0) > 0.0 {
            o.promises = Promises::Discs;
        }
        println!("== {line}");
        if e("FULL", 0.0) > 0.0 {
            let r = cm::run_with(&s, seeds);
            print!("{r}");
        } else {
            for sc in cm::Scenario::ALL {
                for seed in 1..=seeds as u64 {
                    let mut c = CellCrowd::new(s.book.clone(), None, s.options, seed);
                    let a = sc.agents(seed);
                    for (placement, goal) in &a {
                        c.add(Walker { placement: *placement, goal: *goal, speed: 1.34 }).unwrap();
                    }
                    print!("{sc:?}: ");
                    let mut before = c.positions().to_vec();
                    for f in 1..=3000 {
                        c.step();
                        let n = c.arrived().iter().filter(|x| **x).count();
                        if f % 300 == 0 || n == 100 {
                            let sp: f32 = before
                                .iter()
                                .zip(c.positions())
                                .zip(c.arrived())
                                .filter(|x| !x.1)
                                .map(|((a, b), _)| a.distance(*b) * 3.0)
                                .sum::<f32>()
                                / (100 - n).max(1) as f32
                                / 30.0;
                            print!("{}s:{n}@{sp:.2} ", f / 30);
                            before = c.positions().to_vec();
                        } else if f % 10 == 0 && (f + 10) % 300 == 0 {
                            before = c.positions().to_vec();
                        }
                        if n == 100 {
                            break;
                        }
                        if e("WHO", 0.0) > 0.0 && f > 1800 && f % 40 == 0 {
                            let i = (0..100)
                                .filter(|i| !c.arrived()[*i])
                                .max_by(|x, y| {
                                    c.positions()[*x]
                                        .distance(a[*x].1)
                                        .total_cmp(&c.positions()[*y].distance(a[*y].1))
                                })
                                .unwrap();
                            let p = c.placement(i);
                            let g = a[i].1 - p.position;
                            let near =
                                c.positions().iter().filter(|q| q.distance(p.position) < 3.0).count() - 1;
                            println!(
                                "  {i} at {:.1} {:.1} heading {:.0} to {:.0} dist {:.1} near {near}",
                                p.position.x,
                                p.position.y,
                                p.heading.to_degrees(),
                                g.y.atan2(g.x).to_degrees(),
                                g.length()
                            );
                        }
                    }
                    let left: Vec<String> = (0..100)
                        .filter(|i| !c.arrived()[*i])
                        .take(6)
                        .map(|i| format!("{:.1}", c.positions()[i].distance(a[i].1)))
                        .collect();
                    println!("{left:?}");
                }
            }
        }
    }
    println!("{:?}", t.elapsed());
}
