//! scratch
fn main() {
    println!("{}", crowdloom_lab::experiment::synthesis::run());
}
