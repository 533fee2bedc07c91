//! scratch
use crowdloom_motion::*; use crowdloom_motion::graph::*; use crowdloom_synthesis::*; use crowdloom_world::*; use glam::*; use std::sync::Arc;
fn main(){
 let (g,_)=build_graph(&builtin::library(),&BuildOptions::default()).unwrap();
 let o=Options::default();
 let rep=Arc::new(Repertoire::new(Arc::new(g),&o.locomotion,o.weights).unwrap());
 let g=rep.graph();
 let ground=Arc::new(Ground::builder().floor(Outline::solid("f",rectangle(DVec2::splat(-20.0),DVec2::splat(20.0)))).build().unwrap());
 let stand=g.find_node("stand").unwrap();
 let mut tasks=vec![];
 let mut r=Stream::new(3,3);
 for k in 0..30 { let mut u=|a:f32,b:f32| a+(b-a)*r.unit() as f32;
  tasks.push(Task{name:format!("{k}"),start:Placement::new(u(-18.0,18.0),u(-18.0,18.0),u(-3.0,3.0)),pose:stand,goals:vec![Goal{at:Some(Vec2::new(u(-18.0,18.0),u(-18.0,18.0))),facing:Some(u(-3.0,3.0)),pose:Some(stand),time:None}]}); }
 let mut p=Planner::new(ground,rep.clone(),o,&[]);
 let planned=p.plan(&tasks).unwrap();
 let mut all=vec![]; let mut skates=vec![];
 for (k,one) in planned.iter().enumerate(){ if one.failure.is_some(){println!("{}",one.failure.as_ref().unwrap());continue;}
  let clip=one.motion.to_clip(&rep,"x");
  skates.push(crowdloom_motion::quality::contact_speed(g.skeleton(),&clip).unwrap());
  let shown=|f:u32|->Vec<Quat>{match one.motion.at(&rep,f).1{Showing::Still(n)=>g.node(n).state.pose.rotations.clone(),Showing::Clip(a,at)=>{let c=&g.action(a).clip;let b=(at as usize).min(c.frames()-2);c.frame_rotations(b).iter().zip(c.frame_rotations(b+1)).map(|(x,y)|x.slerp(*y,at-b as f32)).collect()}}};
  for f in 1..clip.frames(){ let (a,b)=(shown(f as u32-1),shown(f as u32));
   for j in 0..g.skeleton().len(){ let own=clip.frame_rotations(f-1)[j].angle_between(clip.frame_rotations(f)[j]).to_degrees(); let s=a[j].angle_between(b[j]).to_degrees();
    all.push((own-s,k,f,j,own,s,one.motion.at(&rep,f as u32).1,clip.contacts[f].0,clip.contacts[f-1].0,one.motion.legs()[0].adjustment())); }}
 }
 all.sort_by(|a,b|b.0.total_cmp(&a.0));
 println!("skate mean {:.4} max {:.4}",skates.iter().sum::<f32>()/skates.len() as f32,skates.iter().fold(0f32,|a,b|a.max(*b)));
 println!("over 1 deg: {} of {}; over .5 {}",all.iter().filter(|x|x.0>1.0).count(),all.len(),all.iter().filter(|x|x.0>0.5).count());
 for x in all.iter().take(25){ let n=&g.skeleton().joints()[x.3].name; let name=match x.6{Showing::Clip(a,at)=>format!("{}@{at:.1}/{}",g.action(a).clip.name,g.action(a).clip.frames()),s=>format!("{s:?}")}; println!("{:.2} agent {} frame {} {n} own {:.2} src {:.2} {name} contacts {:04b} {:04b} adj {:.3} {:.1}deg",x.0,x.1,x.2,x.4,x.5,x.7,x.8,x.9.position,x.9.heading.to_degrees()); }
}
