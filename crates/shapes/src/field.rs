//! Solids as numbers: below 0 inside, about the distance in metres outside.

use glam::{Vec2, Vec3};

/// The axis that a [`Loft`] runs along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// From back to front: sections lie across (y) and up (z).
    X,
    /// From right to left: sections lie ahead (x) and up (z).
    Y,
    /// Upwards: sections lie ahead (x) and across (y).
    Z,
}

impl Axis {
    fn split(self, p: Vec3) -> (f32, Vec2) {
        match self {
            Self::X => (p.x, Vec2::new(p.y, p.z)),
            Self::Y => (p.y, Vec2::new(p.x, p.z)),
            Self::Z => (p.z, Vec2::new(p.x, p.y)),
        }
    }

    fn join(self, along: f32, across: Vec2) -> Vec3 {
        match self {
            Self::X => Vec3::new(along, across.x, across.y),
            Self::Y => Vec3::new(across.x, along, across.y),
            Self::Z => Vec3::new(across.x, across.y, along),
        }
    }
}

/// A cross-section: where it is along the axis, its middle, and its half-widths either way, in metres.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Place along the axis.
    pub at: f32,
    /// The middle.
    pub middle: Vec2,
    /// Half-widths towards the first and the second axis.
    pub plus: Vec2,
    /// Half-widths away from them.
    pub minus: Vec2,
    /// 2 for ovals, more for boxes.
    pub square: f32,
}

impl Section {
    fn numbers(&self) -> [f32; 7] {
        [self.middle.x, self.middle.y, self.plus.x, self.plus.y, self.minus.x, self.minus.y, self.square]
    }
}

/// A solid of cross-sections.
#[derive(Clone, Debug)]
pub struct Loft {
    axis: Axis,
    sections: Vec<Section>,
}

impl Loft {
    /// A solid over sections in rising order along `axis`.
    pub fn new(axis: Axis, sections: Vec<Section>) -> Self {
        debug_assert!(sections.windows(2).all(|pair| pair[0].at < pair[1].at));
        Self { axis, sections }
    }

    /// The section at a place, by four-point interpolation (Catmull and Rom 1974) on uneven places.
    fn section(&self, at: f32) -> [f32; 7] {
        let s = &self.sections;
        let last = s.len() - 1;
        let index = s.partition_point(|section| section.at <= at).clamp(1, last) - 1;
        let (a, b) = (&s[index], &s[index + 1]);
        let span = b.at - a.at;
        let t = ((at - a.at) / span).clamp(0.0, 1.0);
        let before = &s[index.saturating_sub(1)];
        let after = &s[(index + 2).min(last)];
        let (p, q, from, to) = (a.numbers(), b.numbers(), before.numbers(), after.numbers());
        let (t2, t3) = (t * t, t * t * t);
        std::array::from_fn(|i| {
            let slope = |x: f32, y: f32, dx: f32| if dx > 1e-6 { (y - x) / dx * span } else { 0.0 };
            let (m, n) = (slope(from[i], q[i], b.at - before.at), slope(p[i], to[i], after.at - a.at));
            (2.0 * t3 - 3.0 * t2 + 1.0) * p[i]
                + (t3 - 2.0 * t2 + t) * m
                + (3.0 * t2 - 2.0 * t3) * q[i]
                + (t3 - t2) * n
        })
    }

    fn value(&self, p: Vec3) -> f32 {
        let (along, across) = self.axis.split(p);
        let (low, high) = (self.sections[0].at, self.sections[self.sections.len() - 1].at);
        let [mx, my, px, py, nx, ny, square] = self.section(along.clamp(low, high));
        let q = across - Vec2::new(mx, my);
        let half = Vec2::new(if q.x > 0.0 { px } else { nx }, if q.y > 0.0 { py } else { ny });
        let half = half.max(Vec2::splat(1e-4));
        let (u, v) = ((q.x / half.x).abs(), (q.y / half.y).abs());
        let r = if (square - 2.0).abs() < 0.01 {
            (u * u + v * v).sqrt()
        } else {
            libm::powf(libm::powf(u, square) + libm::powf(v, square), 1.0 / square)
        };
        let radial = if r > 1e-3 { q.length() * (1.0 - 1.0 / r) } else { -half.min_element() };
        let beyond = (along - high).max(low - along);
        match (radial > 0.0, beyond > 0.0) {
            (true, true) => (radial * radial + beyond * beyond).sqrt(),
            (_, true) => beyond,
            (true, _) => radial,
            (_, _) => radial.max(beyond),
        }
    }

    fn bounds(&self) -> (Vec3, Vec3) {
        let mut bounds = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for s in &self.sections {
            bounds.0 = bounds.0.min(self.axis.join(s.at, s.middle - s.minus * 1.15));
            bounds.1 = bounds.1.max(self.axis.join(s.at, s.middle + s.plus * 1.15));
        }
        bounds
    }
}

/// A simple solid.
#[derive(Clone, Debug)]
pub enum Form {
    /// Cross-sections along an axis.
    Loft(Loft),
    /// Two balls and what is between them.
    Cone(Vec3, f32, Vec3, f32),
    /// An ellipsoid: middle and half-axes.
    Egg(Vec3, Vec3),
    /// A box with rounded edges: middle, half-axes, radius of the edges.
    Box(Vec3, Vec3, f32),
    /// A ring about an upright axis: middle, radii ahead and across, half of its thickness across and up.
    Ring(Vec3, Vec2, Vec2),
    /// A ring about an axis that points ahead: middle, radii across and up, thickness.
    Hoop(Vec3, Vec2, f32),
    /// All below (-1) or above (+1) a slanted plane: a point and the outward direction.
    Half(Vec3, Vec3),
}

impl Form {
    fn value(&self, p: Vec3) -> f32 {
        match self {
            Self::Loft(loft) => loft.value(p),
            Self::Cone(a, ra, b, rb) => {
                let d = *b - *a;
                let t = ((p - *a).dot(d) / d.length_squared().max(1e-9)).clamp(0.0, 1.0);
                p.distance(*a + d * t) - (ra + (rb - ra) * t)
            }
            Self::Egg(middle, half) => {
                let q = p - *middle;
                let r = (q / *half).length();
                if r < 1e-3 { -half.min_element() } else { q.length() * (1.0 - 1.0 / r) }
            }
            Self::Box(middle, half, round) => {
                let q = (p - *middle).abs() - (*half - Vec3::splat(*round));
                q.max(Vec3::ZERO).length() + q.max_element().min(0.0) - round
            }
            Self::Ring(middle, radii, thick) => {
                let q = p - *middle;
                let flat = Vec2::new(q.x, q.y);
                let r = (flat / *radii).length().max(1e-3);
                let out = flat.length() * (1.0 - 1.0 / r);
                let s = Vec2::new(out / thick.x, q.z / thick.y);
                let l = s.length();
                if l < 1e-3 { -thick.min_element() } else { Vec2::new(out, q.z).length() * (1.0 - 1.0 / l) }
            }
            Self::Hoop(middle, radii, thick) => {
                let q = p - *middle;
                let flat = Vec2::new(q.y, q.z);
                let r = (flat / *radii).length().max(1e-3);
                Vec2::new(flat.length() * (1.0 - 1.0 / r), q.x).length() - thick
            }
            Self::Half(point, out) => (p - *point).dot(*out),
        }
    }

    fn bounds(&self) -> Option<(Vec3, Vec3)> {
        match self {
            Self::Loft(loft) => Some(loft.bounds()),
            Self::Cone(a, ra, b, rb) => Some((
                (*a - Vec3::splat(*ra)).min(*b - Vec3::splat(*rb)),
                (*a + Vec3::splat(*ra)).max(*b + Vec3::splat(*rb)),
            )),
            Self::Egg(middle, half) | Self::Box(middle, half, _) => Some((*middle - *half, *middle + *half)),
            Self::Ring(middle, radii, thick) => {
                let half = Vec3::new(radii.x + thick.x, radii.y + thick.x, thick.y);
                Some((*middle - half, *middle + half))
            }
            Self::Hoop(middle, radii, thick) => {
                let half = Vec3::new(*thick, radii.x + thick, radii.y + thick);
                Some((*middle - half, *middle + half))
            }
            Self::Half(..) => None,
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// Joins smoothly.
    Add(Form, f32),
    /// Takes away smoothly.
    Cut(Form, f32),
    /// Keeps only what is inside.
    Keep(Form, f32),
    /// Grows the solid so far.
    Grow(f32),
    /// Joins another solid.
    Join(Solid, f32),
}

/// A solid: forms joined, taken away and kept one after the other; radii of the seams in metres.
#[derive(Clone, Debug, Default)]
pub struct Solid {
    steps: Vec<(Step, Option<(Vec3, Vec3)>)>,
    trims: Vec<Trim>,
}

/// A hem or an opening: it is cut into the surface of a solid, not into the solid, and leaves a rim.
#[derive(Clone, Debug)]
pub struct Trim {
    form: Form,
    /// 1 to keep what is inside of the form, -1 to take it away.
    sign: f32,
}

impl Trim {
    /// Above 0 where something is taken away, about the distance from the rim's place in metres.
    pub fn value(&self, p: Vec3) -> f32 {
        self.form.value(p) * self.sign
    }
}

/// The smaller of two, rounded where they meet (the polynomial of I. Quílez).
fn smooth_min(a: f32, b: f32, k: f32) -> f32 {
    if k <= 0.0 {
        return a.min(b);
    }
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

impl Solid {
    fn step(mut self, step: Step, bounds: Option<(Vec3, Vec3)>) -> Self {
        self.steps.push((step, bounds));
        self
    }

    /// Joins a form with a seam of `k` metres.
    pub fn add(self, form: Form, k: f32) -> Self {
        let bounds = form.bounds();
        self.step(Step::Add(form, k), bounds)
    }

    /// Joins a form and its mirror image in y.
    pub fn add_both(self, form: impl Fn(f32) -> Form, k: f32) -> Self {
        self.add(form(1.0), k).add(form(-1.0), k)
    }

    /// Takes a form away.
    pub fn cut(self, form: Form, k: f32) -> Self {
        let bounds = form.bounds();
        self.step(Step::Cut(form, k), bounds)
    }

    /// Keeps only what is inside of a form.
    pub fn keep(self, form: Form, k: f32) -> Self {
        self.step(Step::Keep(form, k), None)
    }

    /// Ends the surface where it leaves a form: a hem.
    pub fn hem(mut self, form: Form) -> Self {
        self.trims.push(Trim { form, sign: 1.0 });
        self
    }

    /// Opens the surface where it enters a form.
    pub fn open(mut self, form: Form) -> Self {
        self.trims.push(Trim { form, sign: -1.0 });
        self
    }

    /// All hems and openings.
    pub fn trims(&self) -> &[Trim] {
        &self.trims
    }

    /// Grows by so many metres.
    pub fn grow(self, by: f32) -> Self {
        self.step(Step::Grow(by), None)
    }

    /// Joins another solid.
    pub fn join(self, other: Solid, k: f32) -> Self {
        self.step(Step::Join(other, k), None)
    }

    /// About the distance from the surface in metres, below 0 inside.
    pub fn value(&self, p: Vec3) -> f32 {
        let mut d = f32::INFINITY;
        for (step, bounds) in &self.steps {
            match step {
                Step::Add(form, k) | Step::Cut(form, k) => {
                    let cutting = matches!(step, Step::Cut(..));
                    if let Some((low, high)) = bounds {
                        let away = (*low - p).max(p - *high).max(Vec3::ZERO).length();
                        // Too far to matter for the surface; the way there is still told.
                        if cutting && away > *k {
                            continue;
                        }
                        if !cutting && away > 0.10 + k {
                            d = d.min(away);
                            continue;
                        }
                    }
                    let own = form.value(p);
                    d = if cutting { -smooth_min(-d, own, *k) } else { smooth_min(d, own, *k) };
                }
                Step::Keep(form, k) => d = -smooth_min(-d, -form.value(p), *k),
                Step::Grow(by) => d -= by,
                Step::Join(other, k) => d = smooth_min(d, other.value(p), *k),
            }
        }
        d
    }

    /// The outward direction at a point.
    pub fn normal(&self, p: Vec3, step: f32) -> Vec3 {
        slope(&|p| self.value(p), p, step)
    }

    /// The nearest point of the surface, for points that are near it.
    pub fn project(&self, mut p: Vec3) -> Vec3 {
        for _ in 0..12 {
            let d = self.value(p);
            if d.abs() < 2e-5 {
                break;
            }
            p -= self.normal(p, 1e-3) * d.clamp(-0.02, 0.02) * 0.9;
        }
        p
    }

    /// The nearest point of the surface on a trim's rim, for points that are near it.
    pub fn rim(&self, trim: &Trim, mut p: Vec3) -> Vec3 {
        for _ in 0..12 {
            p -= self.normal(p, 1e-3) * self.value(p).clamp(-0.02, 0.02) * 0.9;
            p -= slope(&|p| trim.value(p), p, 1e-3) * trim.value(p);
        }
        p
    }
}

fn slope(value: &dyn Fn(Vec3) -> f32, p: Vec3, step: f32) -> Vec3 {
    let d = |offset: Vec3| value(p + offset) - value(p - offset);
    Vec3::new(d(Vec3::X * step), d(Vec3::Y * step), d(Vec3::Z * step)).normalize_or(Vec3::Z)
}
