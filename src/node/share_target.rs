use super::prelude::*;
use crate::sense::{How, Report};

/// Tells others whom the squad knows of, and where: on keys that they read, or by calling out to friendly squads near by.
///
/// On keys only what is perceived right now is told, never what was told. A call is news as old as the sighting, however
/// often it is told again; it is told by those who perceived it, and by those whom `hops` lets tell it on.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::key("to", "an entity key, of the team or the world: who it is").written().optional(),
        Param::key("at", "a vec3 key: where it was perceived").written().optional(),
        Param::key(
            "when",
            "a number key: when it was perceived, on the world's clock; `learn_target` reads it",
        )
        .written()
        .optional(),
        Param::number(
            "radius",
            "how far a call is heard by friendly squads, less through walls; 0 calls nobody",
        )
        .unit("m")
        .range(0.0, 10_000.0)
        .default(0.0)
        .live(),
        Param::integer(
            "hops",
            "through how many mouths a call goes at most; 1 is told by those alone who perceived it",
        )
        .range(1.0, 16.0)
        .default(1.0),
        Param::number(
            "interval",
            "seconds between two times, each agent at a time of its own; 0 tells each tick",
        )
        .unit("s")
        .range(0.0, 1e6)
        .default(0.0),
    ],
    running: "the child is running",
    success: "the child succeeded",
    failure: "the child failed",
    abort: "exits the child; nothing is told any more",
    memory: &[("next_at", SlotType::Time)],
    ..NodeDef::new(
        "share_target",
        Kind::Service,
        "tells others whom the squad itself perceives: on shared keys, or by calling out",
        |make| {
            let optional = |name: &str, ty: ValueType| {
                make.args.get(name).map(|_| make.key_typed(name, &[ty])).transpose()
            };
            let keys = (
                optional("to", ValueType::Entity)?,
                optional("at", ValueType::Vec3)?,
                optional("when", ValueType::Number)?,
            );
            let radius = make.live("radius")?;
            if keys.0.is_some() != keys.1.is_some() || (keys.0.is_none() && keys.2.is_some()) {
                let fault = Error::new(ErrorKind::Missing, "'to' and 'at' belong together");
                return Err(fault.hint("give both, and 'when' if it is read; or 'radius' alone"));
            }
            if keys.0.is_none() && radius == Live::Fixed(0.0) {
                let fault = Error::new(ErrorKind::Missing, "it tells nobody: neither keys nor a 'radius'");
                return Err(fault.hint("give 'to' and 'at', or 'radius'"));
            }
            let hops = make.number("hops") as u8;
            Part::service(make.time("interval"), ShareTarget { keys, radius, hops })
        },
    )
};

struct ShareTarget {
    keys: (Option<KeyId>, Option<KeyId>, Option<KeyId>),
    radius: Live,
    hops: u8,
}

impl ShareTarget {
    fn write(&self, cx: &mut Cx<'_>, track: &Track) {
        let (Some(to), Some(at), when) = self.keys else { return };
        if cx.write(to, Change::Set(Value::Entity(track.target))) == Status::Success {
            cx.write(at, Change::Set(Value::Vec3(track.position)));
            if let Some(when) = when {
                cx.write(when, Change::Set(Value::Number(track.seen_at as f64 * 1e-9)));
            }
        }
    }

    fn call(&self, cx: &mut Cx<'_>, track: &Track) {
        let radius = cx.view().number(self.radius);
        if radius > 0.0 && track.hops < self.hops {
            let report = Report {
                target: track.target,
                position: track.position,
                velocity: Vec3::ZERO,
                by: track.by,
                how: How::Told,
                at: track.seen_at,
                hops: track.hops + 1,
            };
            cx.call_out(radius, report);
        }
    }
}

impl Service for ShareTarget {
    fn run(&self, cx: &mut Cx<'_>) {
        let Some(track) = cx.view().target().cloned() else { return };
        if track.lost_at.is_none() {
            self.write(cx, &track);
            self.call(cx, &track);
        } else if track.how == How::Told {
            self.call(cx, &track);
        }
    }
}
