//! Vehicles in a chunk: where each is while it is on its way.

use super::column::{Damaged, Numbers, put_number, put_signed};
use crowdloom_motion::Placement;
use glam::Vec2;

/// A vehicle in one recorded frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VehicleMoment {
    /// Recorded frame of the chunk, from 0.
    pub record: u32,
    /// The vehicle, by its number.
    pub vehicle: u16,
    /// Where its middle is and where it faces, to a millimetre and a ten-thousandth of a radian.
    pub placement: Placement,
    /// Whether people can get on and off.
    pub open: bool,
}

/// What numbers of a moment count: millimetres, and ten-thousandths of a radian.
const PARTS: [f32; 3] = [1000.0, 1000.0, 10_000.0];

/// Appends moments.
pub fn put_vehicles(out: &mut Vec<u8>, moments: &[VehicleMoment]) {
    put_number(out, moments.len() as u64);
    for VehicleMoment { record, vehicle, placement, open } in moments {
        put_number(out, (*record).into());
        put_number(out, (*vehicle).into());
        put_number(out, (*open).into());
        for (value, parts) in
            [placement.position.x, placement.position.y, placement.heading].iter().zip(PARTS)
        {
            put_signed(out, (value * parts).round() as i64);
        }
    }
}

/// Reads what [`put_vehicles`] wrote.
pub fn vehicles(numbers: &mut Numbers, records: u32) -> Result<Vec<VehicleMoment>, Damaged> {
    let count = numbers.at_most(numbers.0.len() as u64)?;
    let moment = |_| {
        let record = numbers.at_most(records.into())? as u32;
        let vehicle = numbers.at_most(u16::MAX.into())? as u16;
        let open = numbers.at_most(1)? == 1;
        let mut values = [0.0; 3];
        for (value, parts) in values.iter_mut().zip(PARTS) {
            *value = numbers.signed()? as f32 / parts;
        }
        let [x, y, heading] = values;
        Ok(VehicleMoment {
            record,
            vehicle,
            placement: Placement { position: Vec2::new(x, y), heading },
            open,
        })
    };
    (0..count).map(moment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn any_moment()(record in 0u32..60, vehicle in any::<u16>(), open in any::<bool>(),
            x in -100_000i32..100_000, y in -100_000i32..100_000, heading in -31_000i32..31_000) -> VehicleMoment {
            let position = Vec2::new(x as f32 / PARTS[0], y as f32 / PARTS[1]);
            VehicleMoment { record, vehicle, placement: Placement { position, heading: heading as f32 / PARTS[2] }, open }
        }
    }

    proptest! {
        #[test]
        fn vehicles_come_back(moments in prop::collection::vec(any_moment(), 0..9)) {
            let mut bytes = Vec::new();
            put_vehicles(&mut bytes, &moments);
            prop_assert_eq!(vehicles(&mut Numbers(&bytes), 60), Ok(moments));
        }

        #[test]
        fn damage_is_no_disaster(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = vehicles(&mut Numbers(&bytes), 60);
        }
    }
}
