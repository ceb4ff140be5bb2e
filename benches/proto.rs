#[path = "/tmp/fast_crowd.rs"]
mod crowd;
use crate::math::*;
use crate::space::*;
use crate::steer::*;
pub fn main() {
    for (n, k, vol) in [
        (1000, 8.0, false),
        (10_000, 8.0, false),
        (100_000, 8.0, false),
        (10_000, 32.0, false),
        (10_000, 8.0, true),
    ] {
        let r = 3.0;
        let pos = crowd::spread(n, k, r, vol);
        let mut d = crate::rng::Dice::new(3, &[1]);
        let vel: Vec<Vec3> =
            pos.iter().map(|_| vec3(d.unit() as f32 - 0.5, 0.0, d.unit() as f32 - 0.5) * 4.0).collect();
        let rules = SchoolRules {
            limits: Limits::of(0.5, 5.0),
            radii: Radii::all(r),
            weights: Weights::default(),
            ground: !vol,
            goal: Some(vec3(500.0, 0.0, 0.0)),
        };
        let rounds = 2_000_000 / n;
        let mut best = [f64::MAX; 4];
        let radius = vec![0.5; n];
        let id: Vec<u32> = (0..n as u32).collect();
        let mut out = vec![Flock::default(); n];
        let mut grid = Grid::default();
        let mut k = FlockKernel::default();
        let mut s = [School::default(), School::with_level(Level::Baseline)];
        for _ in 0..rounds {
            for (i, s) in s.iter_mut().enumerate() {
                let mut p = pos.clone();
                let mut v = vel.clone();
                let t = std::time::Instant::now();
                s.step(&rules, &mut p, &mut v, 1.0 / 60.0);
                best[i] = best[i].min(t.elapsed().as_secs_f64());
                std::hint::black_box(&p);
            }
            let t = std::time::Instant::now();
            grid.rebuild(&pos, r, if vol { Shape::Volume } else { Shape::Ground });
            let tb = t.elapsed().as_secs_f64();
            best[2] = best[2].min(tb);

            let f = Flocker { radii: rules.radii, max_speed: 5.0, ground: !vol };
            let t = std::time::Instant::now();
            k.run(
                &grid,
                &Crowd { position: &pos, velocity: &vel, radius: &radius, id: &id },
                |_| f,
                &mut out,
            );
            best[3] = best[3].min(t.elapsed().as_secs_f64());
        }
        println!(
            "{n} {vol}: detected {:.1} baseline {:.1} grid {:.1} kernel {:.1}",
            best[0] / n as f64 * 1e9,
            best[1] / n as f64 * 1e9,
            best[2] / n as f64 * 1e9,
            best[3] / n as f64 * 1e9
        );
    }
}
