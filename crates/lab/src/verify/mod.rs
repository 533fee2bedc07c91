//! The standard verification tests of pedestrian dynamics.
