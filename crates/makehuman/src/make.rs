//! Puts everything together: bodies, their skin with eyes, clothes of the helper surfaces, and the rest of the built-in set.

use crate::archive::{Archive, PackageError};
use crate::cut::{Body, Cloth, Worn, both, wear};
use crate::face::Face;
use crate::fine::Fine;
use crate::mesh::Base;
use crate::pose::{onto_rig, volume};
use crate::recipe::{NEUTRAL, RECIPES, Recipe};
use crate::seat::{Seats, seat};
use crowdloom_shapes::bake::{BUILT_IN, Level, Piece, Set, Template, importance};
use crowdloom_shapes::human::{Shape, head_size};
use crowdloom_shapes::rig::Hang;
use crowdloom_shapes::wardrobe::{Slot, region};
use glam::Vec3;
use rayon::prelude::*;

/// Triangles of the skin in each detail.
const SKIN: [usize; 3] = [3600, 700, 170];

/// Kilograms of a litre of somebody.
const DENSITY: f32 = 0.985;

/// Makes a set of a package; `built_in` lends what the package has not: hats, glasses, bags. `step` is told how far it is, from 0 to 1.
pub fn make(archive: &Archive, built_in: &Set, step: &(dyn Fn(f32) + Sync)) -> Result<Set, PackageError> {
    let base = Base::read(archive)?;
    step(0.05);
    let shapes: Vec<Vec<Vec3>> =
        RECIPES.par_iter().map(|recipe| recipe.shape(&base, archive)).collect::<Result<_, _>>()?;
    step(0.25);
    let on_rig = |points: &[Vec3]| Body { points: onto_rig(&base, points) };
    let neutral = on_rig(&NEUTRAL.shape(&base, archive)?);
    let bodies: Vec<Body> = shapes.par_iter().map(|points| on_rig(points)).collect();
    step(0.3);
    let face = Face::of(&base, &neutral.points);
    let people = People { base: &base, neutral, bodies };
    let skin = people.skin(&face);
    step(0.4);
    let height = |body: usize| skin[0].points[body].iter().map(|p| p.z).fold(0.0, f32::max);
    let templates = RECIPES.iter().zip(&shapes).enumerate().map(|(body, (recipe, points))| Template {
        name: recipe.name.into(),
        woman: recipe.woman,
        ages: recipe.ages,
        height: height(body),
        person: Some(measured(&base, points)),
        skin: recipe.skin,
    });
    let templates: Vec<Template> = templates.collect();
    let body = &base.groups["body"];
    let seats: Vec<Seats> = RECIPES
        .par_iter()
        .zip(&people.bodies)
        .map(|(recipe, own)| {
            let like = like(recipe);
            let size = head_size(&BUILT_IN[like].1) / head_size(&Shape::NEUTRAL);
            Seats::of(&own.points, body, like, Face::shift_of(&base, &own.points, size))
        })
        .collect();
    step(0.55);
    let done = std::sync::atomic::AtomicUsize::new(0);
    let pieces = built_in.pieces.par_iter().map(|piece| {
        let levels = match piece.slot {
            0 => skin.clone(),
            _ => match people.garment(&piece.name) {
                Some(fine) => {
                    let most = piece.levels.each_ref().map(|level| level.triangles.len());
                    fine.levels(most, &|_| 1.0, &|_| 0)
                }
                None => seat(piece, &seats).levels,
            },
        };
        let count = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        step(0.55 + 0.45 * count as f32 / built_in.pieces.len() as f32);
        Piece { levels, ..piece.clone() }
    });
    Ok(Set { pieces: pieces.collect(), templates })
}

/// Height in metres and weight in kilograms of a body as it comes.
fn measured(base: &Base, points: &[Vec3]) -> [f32; 2] {
    let body = base.points_of("body");
    let (low, high) = body.iter().fold((f32::MAX, f32::MIN), |(low, high), &point| {
        (low.min(points[point as usize].z), high.max(points[point as usize].z))
    });
    [high - low, volume(points, &base.groups["body"]) * 1000.0 * DENSITY]
}

/// The built-in body that is most like a recipe's.
fn like(recipe: &Recipe) -> usize {
    match (recipe.age < 0.3, recipe.age > 0.7, recipe.sex < 0.5) {
        (true, ..) => 2,
        (_, true, true) => 3,
        (_, true, false) => 4,
        (.., true) => 0,
        _ => 1,
    }
}

/// Skirts that begin higher than this, in metres, are sewn to a top …
const WAIST: f32 = 0.95;
/// … and are narrower there by this share.
const TAKEN_IN: f32 = 0.05;

struct People<'a> {
    base: &'a Base,
    neutral: Body,
    bodies: Vec<Body>,
}

fn rise(from: f32, to: f32, at: f32) -> f32 {
    ((at - from) / (to - from)).clamp(0.0, 1.0)
}

/// A top: metres off the body, how far sleeves reach, how much wider they end, where the hem is, how much wider that is.
struct Top {
    off: f32,
    sleeve: f32,
    cuff: f32,
    hem: f32,
    flare: f32,
}

impl People<'_> {
    /// Skin and eyes.
    fn skin(&self, face: &Face) -> [Level; 3] {
        let mut triangles = face.seen_of(self.base, "body", &self.neutral.points);
        for eye in ["helper-l-eye", "helper-r-eye"] {
            triangles.extend(face.seen_of(self.base, eye, &self.neutral.points));
        }
        let cloth = Cloth::of(&triangles);
        let bare = Worn { off: &|_| 0.0, fall: &|p| p, smooth: 0, free: 0.0, hem: 0.0, hang: None };
        let mut fine = wear(&cloth, &bare, &self.neutral, &self.bodies, &self.base.shares);
        // Skin has no hems.
        fine.triangles.truncate(triangles.len());
        fine.paint = fine.neutral.iter().map(|&p| face.paint(p)).collect();
        fine.levels(SKIN, &|p| importance(face.paint(p), Slot::Skin), &region)
    }

    fn tights(&self) -> Cloth {
        Cloth::of(&self.base.groups["helper-tights"])
    }

    fn worn(&self, cloth: &Cloth, worn: &Worn<'_>) -> Fine {
        wear(cloth, worn, &self.neutral, &self.bodies, &self.base.shares)
    }

    fn top(&self, cut: &Top) -> Fine {
        let neck = |p: Vec3| 1.497 - p.z - 0.30 * (p.x + 0.03);
        let cloth = self.tights().keep(&self.neutral.points, |p| {
            let own = if p.z > 1.2 { cut.sleeve - p.y.abs() } else { p.z - cut.hem };
            own.min(neck(p))
        });
        let off = |p: Vec3| {
            let arm = if p.z > 1.2 { cut.cuff * rise(0.22, cut.sleeve, p.y.abs()) } else { 0.0 };
            // Shoulders turn under the cloth.
            let shoulder = rise(0.10, 0.18, p.y.abs()) * rise(0.37, 0.29, p.y.abs()) * rise(1.2, 1.3, p.z);
            cut.off + arm + 0.007 * shoulder + cut.flare * rise(1.08, cut.hem, p.z)
        };
        self.worn(&cloth, &Worn { off: &off, fall: &|p| p, smooth: 5, free: 1.0, hem: 0.018, hang: None })
    }

    /// Trousers: metres off the body, where they end, how much wider they are there.
    fn legs(&self, off: f32, low: f32, wide: f32) -> Fine {
        let cloth = self.tights().keep(&self.neutral.points, |p| (0.995 - p.z).min(p.z - low));
        let own = |p: Vec3| off + wide * rise(0.86, 0.40, p.z);
        self.worn(&cloth, &Worn { off: &own, fall: &|p| p, smooth: 3, free: 0.0, hem: 0.014, hang: None })
    }

    /// A skirt or the lower half of a dress or coat: where it begins and ends, metres off the body, how much wider or narrower than the surface it is
    /// there.
    fn skirt(&self, [from, hem]: [f32; 2], off: f32, flare: f32) -> Fine {
        // About the hips it lies close, so that tops fall over it.
        let band = self.tights().keep(&self.neutral.points, |p| (1.0 - p.z).min(p.z - 0.84));
        let close =
            Worn { off: &|_| off.min(0.007), fall: &|p| p, smooth: 3, free: 0.0, hem: 0.01, hang: None };
        let band = self.worn(&band, &close);
        let skirt = Cloth::of(&self.base.groups["helper-skirt"]);
        let cloth = skirt.keep(&self.neutral.points, |p| (from - p.z).min(p.z - hem));
        let fall = |p: Vec3| {
            let middle = Vec3::new(-0.012, 0.0, p.z);
            // Where it goes on from a top it begins close about that one's cloth and all outside of it: the seam is a straight line.
            let taken_in = if from > WAIST { TAKEN_IN * rise(from - 0.06, from, p.z) } else { 0.0 };
            let fallen = middle + (p - middle) * (1.0 + flare * rise(0.95, hem, p.z) - taken_in);
            // The surface ends above the ankles: what is to be longer is stretched below the knees.
            let longer = if hem < 0.2 { 0.06 * rise(0.5, 0.1, p.z) } else { 0.0 };
            fallen - Vec3::Z * longer
        };
        let worn =
            Worn { off: &|_| off, fall: &fall, smooth: 2, free: 0.0, hem: 0.02, hang: Some(Hang::Skirt) };
        both(band, self.worn(&cloth, &worn))
    }

    /// Shoes: metres off the foot, and up to where they go.
    fn shoes(&self, off: f32, ankle: f32) -> Fine {
        let cloth = self.tights().keep(&self.neutral.points, |p| ankle - p.z);
        // Soles are flat.
        let fall = |p: Vec3| p.with_z(p.z.max(0.0));
        self.worn(&cloth, &Worn { off: &|_| off, fall: &fall, smooth: 1, free: 0.0, hem: 0.012, hang: None })
    }

    /// A piece that is cut from the helper surfaces; none for what is not.
    fn garment(&self, name: &str) -> Option<Fine> {
        let top = |off, sleeve, cuff, hem, flare| self.top(&Top { off, sleeve, cuff, hem, flare });
        // Tops end above where legs part: there is no surface across below.
        Some(match name {
            "t-shirt" => top(0.011, 0.37, 0.012, 0.925, 0.012),
            "shirt" => top(0.012, 0.730, 0.006, 0.920, 0.012),
            "sweater" => top(0.016, 0.735, 0.004, 0.915, 0.008),
            "hoodie" => top(0.020, 0.735, 0.004, 0.915, 0.010),
            "jacket" => top(0.020, 0.735, 0.008, 0.910, 0.016),
            "coat" => both(top(0.023, 0.735, 0.010, 0.960, 0.004), self.skirt([1.02, 0.52], 0.034, 0.04)),
            "dress" => both(top(0.009, 0.34, 0.008, 0.960, 0.0), self.skirt([1.01, 0.50], 0.016, 0.0)),
            "trousers" => self.legs(0.008, 0.075, 0.016),
            "slim trousers" => self.legs(0.006, 0.095, 0.002),
            "shorts" => self.legs(0.010, 0.52, 0.034),
            "skirt" => self.skirt([0.885, 0.54], 0.010, 0.0),
            "long skirt" => self.skirt([0.885, 0.10], 0.010, 0.0),
            "shoes" => self.shoes(0.007, 0.095),
            "trainers" => self.shoes(0.011, 0.105),
            "boots" => self.shoes(0.010, 0.250),
            _ => return None,
        })
    }
}
