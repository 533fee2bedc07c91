//! Social force: Helbing, Farkas, Vicsek 2000, "Simulating dynamical features of escape panic", Nature 407.
//!
//! m dv/dt = m (v0 e0 − v) / τ + Σ f_ij + Σ f_iW with
//! f_ij = {A exp[(r_ij − d_ij) / B] + k g(r_ij − d_ij)} n_ij + κ g(r_ij − d_ij) Δv_t t_ij, and the same for walls.
//!
//! The contact terms are stiff: k/m is 1500 /s², which an explicit step of 0.1 s turns into an explosion. So each force
//! enters as one implicit Euler step of its pair, which divides it by 1 + 2 (stiffness/m) dt², or for friction by
//! 1 + 2 (κ g/m) dt; as dt goes to 0 this is the published model.

use super::{Decided, Role, View, clamp_speed};
use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Parameters of the social force model. A, B, k, κ, m and τ are the paper's; what is marked as ours is not. Bodies that
/// touch are left to the contact terms: the crowd parts only who are deeper in each other than `touching` of their manners.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SocialForce {
    /// A, the strength of social repulsion in newtons.
    pub repulsion: f32,
    /// A of walls, in newtons.
    pub wall_repulsion: f32,
    /// B, the length over which it fades in metres.
    pub repulsion_range: f32,
    /// k, the stiffness of bodies in kg/s².
    pub stiffness: f32,
    /// κ, the friction of bodies in kg/(m s).
    pub friction: f32,
    /// m, the mass of a person in kilograms.
    pub mass: f32,
    /// τ, the time in which a person takes up the preferred velocity, in seconds.
    pub reaction_time: f32,
    /// Walls farther than this from the body's edge, in metres, are not felt (ours; the paper's force fades by then).
    pub wall_reach: f32,
    /// ξ, random accelerations in m/s²: they break the arches in front of doors (the paper has such a fluctuation force in
    /// its equation and gives no number; this one is ours, 0 is without).
    pub fluctuation: f32,
}

impl Default for SocialForce {
    fn default() -> Self {
        Self {
            repulsion: 2000.0,
            wall_repulsion: 2000.0,
            repulsion_range: 0.08,
            stiffness: 1.2e5,
            friction: 2.4e5,
            mass: 80.0,
            reaction_time: 0.5,
            wall_reach: 0.7,
            fluctuation: 0.5,
        }
    }
}

impl SocialForce {
    pub(super) fn choose(&self, view: &View) -> Decided {
        let mut acceleration = (view.preferred - view.velocity) / self.reaction_time;
        if self.fluctuation > 0.0 {
            let mut random = view.random.clone();
            acceleration += Vec2::new(random.unit() - 0.5, random.unit() - 0.5) * (2.0 * self.fluctuation);
        }
        for neighbour in view.neighbours.iter().filter(|neighbour| neighbour.role != Role::Fallen) {
            acceleration += self.push(
                view,
                self.repulsion,
                neighbour.offset,
                neighbour.radius,
                neighbour.velocity - view.velocity,
            );
        }
        for &wall in view.walls {
            acceleration += self.push(view, self.wall_repulsion, wall, 0.0, -view.velocity);
        }
        let velocity = clamp_speed(view.velocity + acceleration * view.seconds, view.max_speed);
        Decided { velocity, memory: view.memory }
    }

    /// How far the force is felt, in metres from edge to edge: eight lengths away it is a three-thousandth.
    #[inline]
    pub(super) fn reach(&self) -> f32 {
        8.0 * self.repulsion_range
    }

    /// The acceleration by somebody or by a wall at `offset`, who moves with velocity `relative` as seen from here and repels
    /// by `repulsion` newtons.
    #[inline]
    fn push(&self, view: &View, repulsion: f32, offset: Vec2, radius: f32, relative: Vec2) -> Vec2 {
        let (sum, squared) = (view.radius + radius, offset.length_squared());
        let far = sum + self.reach();
        if squared > far * far {
            return Vec2::ZERO;
        }
        let distance = squared.sqrt();
        let away = if distance > 1e-6 { -offset / distance } else { Vec2::X };
        let overlap = sum - distance;
        let inverse_mass = 1.0 / self.mass;
        let step = 2.0 * view.seconds * inverse_mass;
        let social = repulsion * exponential(overlap / self.repulsion_range);
        let mut force = away * (social / (1.0 + step * view.seconds * social / self.repulsion_range));
        if overlap > 0.0 {
            let body = self.stiffness * overlap / (1.0 + step * view.seconds * self.stiffness);
            let tangent = Vec2::new(-away.y, away.x);
            let sliding = relative.dot(tangent);
            let grip = self.friction * overlap;
            force += away * body + tangent * (sliding * grip / (1.0 + step * grip));
        }
        force * inverse_mass
    }
}

/// eˣ for x up to 88, to 7 digits, without a call: 2^whole from its bits times 2^rest from a polynomial.
#[inline]
pub(super) fn exponential(x: f32) -> f32 {
    let power = (x * std::f32::consts::LOG2_E).clamp(-126.0, 126.0);
    let whole = (power + 126.5) as i32 - 126;
    let rest = (power - whole as f32) * std::f32::consts::LN_2;
    // Taylor's series: |rest| ≤ ln 2 / 2, so the next term is below 1.2e-7.
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    f32::from_bits(((whole + 127) as u32) << 23) * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_one() {
        for step in -400..400 {
            let x = step as f32 * 0.2;
            let exact = f64::from(x).exp();
            assert!((f64::from(exponential(x)) / exact - 1.0).abs() < 1e-5, "{x}");
        }
    }
}
