use lariat_cluster::{Setting, run};
fn main() {
    let w: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    run(&Setting::alone(w), |ex, _| {
        for i in 0..3 {
            if ex.me() == 0 { std::thread::sleep(std::time::Duration::from_millis(1000)); if i > 0 && w > 1 { ex.send(1, vec![1]); } }
            let t = std::time::Instant::now();
            loop { if ex.rest().unwrap() == lariat_core::Event::Over { break } }
            eprintln!("{} phase {i}: {:?} rest", ex.me(), t.elapsed());
        }
    }).unwrap();
}
