//! The sandbox that rules run in: built once, shared by all.

use super::me::register;
use rhai::packages::{ArithmeticPackage, BasicIteratorPackage, LogicPackage, Package};
use rhai::{Engine, OptimizationLevel};
use std::sync::{Arc, LazyLock};

static ENGINE: LazyLock<Arc<Engine>> = LazyLock::new(|| Arc::new(build()));

/// The engine.
pub fn engine() -> Arc<Engine> {
    ENGINE.clone()
}

fn build() -> Engine {
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    engine
        // Names are known when a rule is compiled, so that `check` finds the wrong ones.
        .set_strict_variables(true)
        .set_allow_shadowing(false)
        // What sensors read must not be folded into the compiled rule.
        .set_optimization_level(OptimizationLevel::None)
        .set_max_operations(super::MOST_STEPS)
        .set_max_expr_depths(32)
        .set_max_variables(64)
        .set_max_string_size(256)
        .set_max_map_size(32);
    // A power is the platform's own and may differ between machines.
    engine.disable_symbol("**").disable_symbol("**=").disable_symbol("eval");
    maths(&mut engine);
    register(&mut engine);
    engine
}

/// Functions that give the same bits on every machine.
fn maths(engine: &mut Engine) {
    engine.register_fn("sqrt", |x: f64| libm::sqrt(x.max(0.0)));
    engine.register_fn("sin", libm::sin);
    engine.register_fn("cos", libm::cos);
    engine.register_fn("exp", libm::exp);
    engine.register_fn("atan2", libm::atan2);
    engine.register_fn("floor", |x: f64| x.floor());
    engine.register_fn("round", |x: f64| x.round());
    engine.register_fn("min", |a: f64, b: f64| a.min(b));
    engine.register_fn("max", |a: f64, b: f64| a.max(b));
    engine.register_fn("min", |a: i64, b: i64| a.min(b));
    engine.register_fn("max", |a: i64, b: i64| a.max(b));
    engine.register_fn("number", |x: i64| x as f64);
}
