//! What somebody wears, and in which colours.

use crate::outfits::{Garb, HsbRange, Outfit};
use crate::{Chance, pieces, room_with};
use crowdloom_shapes::carried::carried;
use crowdloom_shapes::wardrobe::Slot;

/// A colour as screens show it (sRGB).
pub type Colour = [u8; 3];

/// The colours of a person, part by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Skin.
    pub skin: Colour,
    /// Hair, brows and beard.
    pub hair: Colour,
    /// Irises.
    pub eyes: Colour,
    /// Lips.
    pub lips: Colour,
    /// What is worn from the shoulders down.
    pub top: Colour,
    /// Patterns of it, shirts under it.
    pub second: Colour,
    /// What is worn from the waist down.
    pub bottom: Colour,
    /// Shoes.
    pub shoes: Colour,
    /// Hats and scarves.
    pub hat: Colour,
    /// Bags.
    pub bag: Colour,
}

impl Colours {
    /// All of them, in the order of the look-up texture.
    pub fn all(&self) -> [Colour; 10] {
        [
            self.skin,
            self.hair,
            self.eyes,
            self.lips,
            self.top,
            self.second,
            self.bottom,
            self.shoes,
            self.hat,
            self.bag,
        ]
    }
}

/// What is worn in each slot after the skin, by the numbers of pieces; none in a slot is as good as any other choice.
pub type Worn = [Option<u8>; 12];

/// Clothes, hair, accessories and colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The name of the outfit.
    pub outfit: String,
    /// Pieces by slot: hair, beard, top, bottom, shoes, and the seven accessories (hat, eyes, neck, back, shoulder, left hand,
    /// right hand).
    pub worn: Worn,
    /// Colours.
    pub colours: Colours,
    /// The number of the top's pattern.
    pub pattern: u8,
    /// A number for whatever else differs: freckles, folds, the print on a chest.
    pub salt: u8,
}

mod purpose {
    pub const OUTFIT: u32 = 40;
    pub const TOP: u32 = 41;
    pub const BOTTOM: u32 = 42;
    pub const SHOES: u32 = 43;
    pub const HAIR: u32 = 44;
    pub const BEARD: u32 = 45;
    pub const PATTERN: u32 = 46;
    pub const SALT: u32 = 47;
    pub const ACCESSORY: u32 = 60;
    pub const COLOUR: u32 = 80;
    pub const SKIN: u32 = 200;
    pub const HAIR_COLOUR: u32 = 210;
    pub const EYES: u32 = 220;
    pub const GREY: u32 = 230;
}

/// Hue in degrees, saturation and brightness from 0 to 1, as screens show it.
fn hsb(hue: f32, saturation: f32, brightness: f32) -> Colour {
    let sector = (hue.rem_euclid(360.0)) / 60.0;
    let channel = |offset: f32| {
        let k = (offset + sector) % 6.0;
        let value = brightness - brightness * saturation * k.min(4.0 - k).clamp(0.0, 1.0);
        (value.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    [channel(5.0), channel(3.0), channel(1.0)]
}

fn colour(ranges: &[HsbRange], chance: &Chance, purpose: u32) -> Colour {
    let choices: Vec<(HsbRange, f32)> = ranges.iter().map(|range| (*range, range.share)).collect();
    let Some(range) = chance.pick(purpose, &choices) else { return [128; 3] };
    let draw = |offset: u32, [from, to]: [f32; 2]| chance.between(purpose * 7 + offset + 5000, from, to);
    hsb(draw(1, range.hue), draw(2, range.saturation) / 100.0, draw(3, range.brightness) / 100.0)
}

fn mix(a: Colour, b: Colour, t: f32) -> Colour {
    std::array::from_fn(|i| (f32::from(a[i]) + (f32::from(b[i]) - f32::from(a[i])) * t).round() as u8)
}

/// Tones of skin from light to dark with how often each is there.
const SKIN: [(Colour, f32); 7] = [
    ([244, 214, 190], 2.0),
    ([236, 196, 166], 3.0),
    ([222, 176, 142], 2.5),
    ([201, 150, 114], 2.0),
    ([168, 116, 82], 1.6),
    ([124, 82, 58], 1.2),
    ([84, 56, 42], 0.9),
];

/// Hair: black, dark brown, brown, light brown, blond, red.
const HAIR: [Colour; 6] =
    [[28, 23, 20], [52, 36, 26], [84, 58, 38], [126, 92, 58], [188, 154, 102], [140, 66, 34]];

fn slot_of(piece: u8) -> usize {
    usize::from(pieces()[usize::from(piece)].slot)
}

impl Look {
    /// The look that is drawn by `number`; `outfit` is a name where one is told.
    pub fn draw(woman: bool, age: f32, outfit: Option<&str>, number: u32, outfits: &[Outfit]) -> Self {
        let chance = Chance::of(number);
        let told = outfit.and_then(|name| outfits.iter().find(|own| own.name == name));
        let shares: Vec<(&Outfit, f32)> = outfits
            .iter()
            .map(|own| {
                // Nobody under fourteen goes to an office.
                let child = age < 14.0 && own.name == "business";
                (own, if child { 0.0 } else { own.share })
            })
            .collect();
        let Some(outfit) =
            told.or_else(|| chance.pick(purpose::OUTFIT, &shares).copied()).or(outfits.first())
        else {
            return Self::plain();
        };
        let mut worn: Worn = [None; 12];
        let mut put = |name: Option<&str>| {
            if let Some(piece) = name.and_then(crate::piece_named) {
                worn[slot_of(piece) - 1] = Some(piece);
            }
        };
        let choose = |list: &[Garb], purpose: u32| -> Option<String> {
            let choices: Vec<(&Garb, f32)> =
                list.iter().map(|garb| (garb, if woman { garb.women } else { garb.men })).collect();
            chance.pick(purpose, &choices).map(|garb| garb.piece.clone())
        };
        let top = choose(&outfit.top, purpose::TOP);
        let dressed = top.as_deref() == Some("dress");
        put(top.as_deref());
        if !dressed {
            put(choose(&outfit.bottom, purpose::BOTTOM).as_deref());
        }
        put(choose(&outfit.shoes, purpose::SHOES).as_deref());
        put(Some(hair_style(woman, age, &chance)));
        put(beard_style(woman, age, &chance));
        // Of each slot one accessory by its share, most often the empty one.
        for slot in Slot::Hat as usize..=Slot::RightHand as usize {
            let mut left = chance.unit(purpose::ACCESSORY + slot as u32);
            for garb in &outfit.accessories {
                let Some(piece) = crate::piece_named(&garb.piece).filter(|&piece| slot_of(piece) == slot)
                else {
                    continue;
                };
                let of_age = (garb.ages[0]..=garb.ages[1]).contains(&age);
                left -= if !of_age {
                    0.0
                } else if woman {
                    garb.women
                } else {
                    garb.men
                };
                if left < 0.0 {
                    worn[slot - 1] = Some(piece);
                    break;
                }
            }
        }
        // A headscarf covers what a scarf would; a backpack and a shoulder bag would be one too many.
        let headscarf = crate::piece_named("headscarf");
        if worn[Slot::Hat as usize - 1].is_some() && worn[Slot::Hat as usize - 1] == headscarf {
            worn[Slot::Neck as usize - 1] = None;
            worn[Slot::Hair as usize - 1] = None;
        }
        if worn[Slot::Back as usize - 1].is_some() {
            worn[Slot::Shoulder as usize - 1] = None;
        }
        // Who wears the same as others draws the colours by the outfit, not by oneself.
        let paint = if outfit.alike { Chance::of(0) } else { chance };
        let skin = skin_tone(&chance);
        let colours = Colours {
            skin,
            hair: hair_colour(&chance, skin, age),
            eyes: eye_colour(&chance, skin),
            lips: mix(skin, [176, 62, 66], if woman { 0.42 } else { 0.24 }),
            top: colour(&outfit.top_colours, &paint, purpose::COLOUR),
            second: colour(&outfit.second_colours, &paint, purpose::COLOUR + 1),
            bottom: colour(&outfit.bottom_colours, &paint, purpose::COLOUR + 2),
            shoes: colour(&outfit.shoe_colours, &paint, purpose::COLOUR + 3),
            hat: colour(&outfit.hat_colours, &paint, purpose::COLOUR + 4),
            bag: colour(&outfit.bag_colours, &paint, purpose::COLOUR + 5),
        };
        let pattern = chance.pick(purpose::PATTERN, &outfit.patterns).copied().unwrap_or(0);
        let salt = (chance.unit(purpose::SALT) * 255.0) as u8;
        let mut look = Self { outfit: outfit.name.clone(), worn, colours, pattern, salt };
        look.free_hands();
        look
    }

    /// Puts pieces on by their names, in place of what is in their slots.
    pub(crate) fn take(&mut self, names: &[String]) {
        for piece in names.iter().filter_map(|name| crate::piece_named(name)) {
            if slot_of(piece) > 0 {
                self.worn[slot_of(piece) - 1] = Some(piece);
            }
        }
        self.free_hands();
    }

    /// Takes all accessories away: every slot may be empty.
    pub(crate) fn lay_down_accessories(&mut self) {
        for slot in Slot::Hat as usize..=Slot::RightHand as usize {
            self.worn[slot - 1] = None;
        }
    }

    /// Takes away what asks for a disc of more than so many metres.
    pub(crate) fn lay_down_wider_than(&mut self, radius: f32) {
        for worn in &mut self.worn {
            let name = worn.map(|piece| &*pieces()[usize::from(piece)].name);
            if room_with(name) > radius {
                *worn = None;
            }
        }
    }

    /// Takes away what hands hold.
    pub(crate) fn empty_hands(&mut self) {
        for slot in [Slot::LeftHand, Slot::RightHand] {
            self.worn[slot as usize - 1] = None;
        }
    }

    /// What takes both hands leaves none for anything else.
    fn free_hands(&mut self) {
        let held = self.worn[Slot::RightHand as usize - 1]
            .and_then(|piece| carried(&pieces()[usize::from(piece)].name));
        if held.is_some_and(|thing| thing.grips.len() > 1) {
            self.worn[Slot::LeftHand as usize - 1] = None;
        }
        if held.is_some_and(|thing| thing.seated) {
            self.worn[Slot::Back as usize - 1] = None;
            self.worn[Slot::Shoulder as usize - 1] = None;
        }
    }

    fn plain() -> Self {
        let grey = [128; 3];
        let colours = Colours {
            skin: SKIN[2].0,
            hair: HAIR[1],
            eyes: [90, 70, 50],
            lips: [180, 110, 100],
            top: grey,
            second: grey,
            bottom: grey,
            shoes: grey,
            hat: grey,
            bag: grey,
        };
        Self { outfit: String::new(), worn: [None; 12], colours, pattern: 0, salt: 0 }
    }

    /// The pieces that are seen, the skin first, and the skin that they hide: hats lie over hair, and what stands up from the skull
    /// would come through.
    pub fn seen(&self) -> (Vec<u8>, u8) {
        const HIGH: [&str; 4] = ["quiff", "curls", "bun", "short hair"];
        let hat = self.worn[Slot::Hat as usize - 1].is_some();
        let name = |piece: u8| &*pieces()[usize::from(piece)].name;
        let worn = self.worn.iter().flatten().copied().filter(|&piece| !(hat && HIGH.contains(&name(piece))));
        let seen: Vec<u8> = std::iter::once(0).chain(worn).collect();
        let covers = seen.iter().fold(0, |bits, &piece| bits | pieces()[usize::from(piece)].covers);
        (seen, covers)
    }

    /// Whether two people look the same to somebody who stands before them: they wear the same, and no colour that is seen
    /// differs by more than a twentieth.
    pub fn is_alike(&self, other: &Self) -> bool {
        let near = |a: Colour, b: Colour| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 13);
        self.worn == other.worn
            && self.pattern == other.pattern
            && self.colours.all().into_iter().zip(other.colours.all()).all(|(a, b)| near(a, b))
    }
}

fn hair_style(woman: bool, age: f32, chance: &Chance) -> &'static str {
    let (old, child) = (age > 55.0, age < 13.0);
    let choices: Vec<(&str, f32)> = if woman {
        vec![
            ("long hair", if old { 0.6 } else { 4.0 }),
            ("bob", if old { 4.0 } else { 2.5 }),
            ("ponytail", if old { 0.5 } else { 2.5 }),
            ("bun", 1.2),
            ("curls", 0.8),
            ("short hair", if old { 3.0 } else { 0.7 }),
        ]
    } else {
        vec![
            ("short hair", 4.0),
            ("cropped hair", if child { 1.0 } else { 2.5 }),
            ("quiff", if old { 0.5 } else { 2.0 }),
            (
                "bald crown",
                if old {
                    3.0
                } else if age > 38.0 {
                    0.8
                } else {
                    0.0
                },
            ),
            ("curls", 0.5),
            ("none", if age > 30.0 { 0.6 } else { 0.1 }),
        ]
    };
    chance.pick(purpose::HAIR, &choices).copied().unwrap_or("short hair")
}

fn beard_style(woman: bool, age: f32, chance: &Chance) -> Option<&'static str> {
    if woman || age < 19.0 {
        return None;
    }
    let draw = chance.unit(purpose::BEARD);
    if draw < 0.13 {
        Some("full beard")
    } else if draw < 0.26 {
        Some("stubble beard")
    } else {
        None
    }
}

fn skin_tone(chance: &Chance) -> Colour {
    let tones: Vec<(usize, f32)> =
        SKIN.iter().enumerate().map(|(index, (_, share))| (index, *share)).collect();
    let index = chance.pick(purpose::SKIN, &tones).copied().unwrap_or(2);
    let next = (index + 1).min(SKIN.len() - 1);
    mix(SKIN[index].0, SKIN[next].0, chance.unit(purpose::SKIN + 1) * 0.8)
}

fn hair_colour(chance: &Chance, skin: Colour, age: f32) -> Colour {
    let dark = skin[0] < 190;
    let shares = if dark { [6.0, 2.0, 0.4, 0.0, 0.0, 0.0] } else { [2.0, 3.0, 3.0, 2.0, 1.6, 0.5] };
    let choices: Vec<(Colour, f32)> = HAIR.into_iter().zip(shares).collect();
    let own = chance.pick(purpose::HAIR_COLOUR, &choices).copied().unwrap_or(HAIR[1]);
    let own = mix(own, [own[0] / 2, own[1] / 2, own[2] / 2], chance.unit(purpose::HAIR_COLOUR + 1) * 0.5);
    // Hair greys from forty on, sooner or later.
    let grey = ((age - 42.0) / 26.0 + chance.between(purpose::GREY, -0.5, 0.35)).clamp(0.0, 1.0);
    mix(own, [206, 204, 200], grey * 0.9)
}

fn eye_colour(chance: &Chance, skin: Colour) -> Colour {
    let shares = if skin[0] < 210 { [6.0, 1.0, 0.1, 0.1] } else { [3.0, 1.6, 2.2, 1.2] };
    let irises: [Colour; 4] = [[74, 48, 30], [112, 82, 46], [92, 128, 158], [96, 118, 84]];
    let choices: Vec<(Colour, f32)> = irises.into_iter().zip(shares).collect();
    chance.pick(purpose::EYES, &choices).copied().unwrap_or(irises[0])
}

#[cfg(test)]
mod tests {
    use crate::{Person, Told, outfits};

    #[test]
    fn of_ten_thousand_no_two_within_five_metres_are_alike() {
        let outfits = outfits();
        outfits.iter().for_each(|outfit| outfit.check().unwrap());
        // A dense square of 100 m, one person a square metre, numbered as they come.
        let people: Vec<Person> =
            (0..10_000).map(|id| Person::draw(&Told::default(), id, &outfits)).collect();
        for (id, person) in people.iter().enumerate() {
            let (x, y) = ((id * 37) % 100, (id * 37) / 100 % 100);
            for (other, neighbour) in people.iter().enumerate().skip(id + 1) {
                let (dx, dy) = (x.abs_diff((other * 37) % 100), y.abs_diff((other * 37) / 100 % 100));
                if dx * dx + dy * dy <= 25 {
                    let same = person.template == neighbour.template && person.look.is_alike(&neighbour.look);
                    assert!(!same, "{id} and {other}");
                }
            }
        }
    }

    #[test]
    fn outfits_are_worn_as_told() {
        let outfits = outfits();
        let uniform =
            |id| Person::draw(&Told { outfit: Some("uniform".into()), ..Told::default() }, id, &outfits).look;
        let (a, b) = (uniform(3), uniform(900));
        assert_eq!((a.colours.top, a.worn[2], a.worn[5]), (b.colours.top, b.worn[2], b.worn[5]));
        assert_eq!(a.worn[2], crate::piece_named("shirt"));
        assert!(a.worn[5].is_some(), "a cap belongs to it");
    }

    #[test]
    fn bad_outfits_are_told() {
        let mut bad = outfits().remove(0);
        bad.top[0].piece = "toga".into();
        assert!(bad.check().unwrap_err().to_string().contains("toga"));
        let mut bad = outfits().remove(0);
        bad.top_colours[0].brightness = [0.0, f32::NAN];
        assert!(bad.check().is_err());
    }
}
