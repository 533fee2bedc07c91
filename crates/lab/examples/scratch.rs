//! scratch
use crowdloom_lab::experiment::cell_marking as cm;
use crowdloom_crowd::cell_marking::*;
use crowdloom_crowd::velocity::*;
fn e(n:&str,d:f32)->f32{std::env::var(n).ok().and_then(|s|s.parse().ok()).unwrap_or(d)}
fn main(){ let seeds=std::env::args().nth(1).and_then(|s|s.parse().ok()).unwrap_or(1); let t=std::time::Instant::now();
 let mut b=BookOptions::default(); b.threshold=e("T",b.threshold); b.stride=e("STRIDE",b.stride as f32) as usize;
 let mut s=cm::Setup::new(&b);
 let o=&mut s.options; o.rvo.safety=e("S",o.rvo.safety); o.rvo.horizon=e("H",o.rvo.horizon); if e("PEER",0.0)>0.0 {o.role=Role::Peer;}
 o.weights.difference=e("WM",o.weights.difference); o.weights.velocity=e("WV",o.weights.velocity); o.weights.location=e("WL",o.weights.location); o.weights.orientation=e("WO",o.weights.orientation);
 o.patience=e("P",o.patience); o.promises=Promises::Cells(e("CELL",0.1)); o.max_speed=e("MS",o.max_speed);o.max_neighbours=e("N",o.max_neighbours as f32) as usize;
 println!("book {:?} {} {} reach {}", t.elapsed(), s.book.len(), s.book.transition_count(), s.book.reach()); let r=cm::run_with(&s,seeds); print!("{r}"); println!("{:?}", t.elapsed()); }
