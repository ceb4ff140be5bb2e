//! A goal that cannot be reached: the agent stops where it is, and the search eats the mesh.

use super::yard::{Walker, mesh, wall};
use super::{Measure, at_most, exactly};
use warband::nav::PathStatus;
use warband::steer::Limits;
use warband::{Walls, vec3};

pub fn measure() -> Vec<Measure> {
    let cell = [[12.0, -3.0, 18.0, -3.0], [18.0, -3.0, 18.0, 3.0], [18.0, 3.0, 12.0, 3.0], [12.0, 3.0, 12.0, -3.0]];
    let walls = Walls::new(cell.map(|side| wall([side[0], side[1]], [side[2], side[3]])).to_vec());
    let goal = vec3(13.0, 0.0, 0.5);
    let mut walker = Walker::new(&walls, mesh(&walls), vec3(-20.0, 0.0, 0.5), goal, Limits::of(0.5, 5.0));
    walker.until("no_way", 1.0 / 60.0, 1.0);
    let partial = walker.world.output(walker.agent).is_some_and(|out| out.path == Some(PathStatus::Partial));
    let seconds = 1.0 + walker.until("no_way", 1.0 / 60.0, 30.0);
    vec![
        at_most("seconds until it says that there is no way", seconds, 12.0),
        at_most("distance from the nearest place there is, m", walker.at().distance(vec3(11.5, 0.0, 0.5)), 0.4),
        exactly("whether its path is told to be a part", f64::from(u8::from(partial)), 1.0),
    ]
}
