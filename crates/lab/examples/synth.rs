//! scratch
fn main() {
    let only = std::env::args().nth(1);
    println!("{}", crowdloom_lab::experiment::synthesis::run_only(only.as_deref()));
}
