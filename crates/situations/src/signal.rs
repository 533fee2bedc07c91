//! Signals: things in the world that are on or off, by timer or by hand.

use serde::{Deserialize, Serialize};

/// Index of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalId(pub u16);

/// A signal that switches itself on and off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// The signal's name.
    pub name: String,
    /// Frames that it stays on; zero for a signal that is switched by hand only.
    pub on_frames: u32,
    /// Frames that it stays off.
    pub off_frames: u32,
    /// Frames by which its cycle starts earlier.
    pub offset: u32,
    /// Switched by hand: overrides the timer until it is `None` again.
    pub by_hand: Option<bool>,
}

impl Signal {
    /// Whether the signal is on in `frame`.
    pub fn is_on(&self, frame: u32) -> bool {
        let cycle = self.on_frames.saturating_add(self.off_frames);
        self.by_hand.unwrap_or_else(|| cycle > 0 && frame.wrapping_add(self.offset) % cycle < self.on_frames)
    }

    /// Frames, counted from `frame`, until the timer switches the signal off; zero while it is off.
    pub fn frames_left(&self, frame: u32) -> u32 {
        match self.by_hand {
            Some(on) => {
                if on {
                    u32::MAX
                } else {
                    0
                }
            }
            None if self.off_frames == 0 && self.on_frames > 0 => u32::MAX,
            None if self.on_frames == 0 => 0,
            None => {
                let phase = frame.wrapping_add(self.offset) % (self.on_frames + self.off_frames);
                self.on_frames.saturating_sub(phase)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_and_hands() {
        let mut light =
            Signal { name: "light".into(), on_frames: 10, off_frames: 20, offset: 5, by_hand: None };
        assert!(light.is_on(0) && light.is_on(4) && !light.is_on(5) && !light.is_on(24) && light.is_on(25));
        assert_eq!((light.frames_left(0), light.frames_left(5)), (5, 0));
        light.by_hand = Some(true);
        assert!(light.is_on(5));
    }
}
