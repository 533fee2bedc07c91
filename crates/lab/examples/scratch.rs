//! scratch
use crowdloom_lab::experiment::cell_marking as cm;
fn main(){ let seeds=std::env::args().nth(1).and_then(|s|s.parse().ok()).unwrap_or(1); let t=std::time::Instant::now(); let s=cm::Setup::new(&Default::default()); println!("book {:?} {} {} reach {}", t.elapsed(), s.book.len(), s.book.transition_count(), s.book.reach()); let r=cm::run_with(&s,seeds); print!("{r}"); println!("{:?}", t.elapsed()); }
