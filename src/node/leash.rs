use super::prelude::*;
use super::steering::rule;

/// Keeps its branch within a range of a place. Whoever gets beyond it turns round and goes all the way back, whatever is to
/// be seen; and a target that stands beyond it is not set out for. So nobody shuttles at the end of the leash.
///
/// It stands round all that leads away: the chase and the search after it.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::aim(
            "home",
            "from where it is measured: \"home\", where it was spawned, a vec3, or bt.key \"…\"",
        )
        .default_text("home"),
        Param::number("range", "how far from there it goes at most")
            .unit("m")
            .range(0.1, 1e6)
            .default(30.0)
            .live(),
        Param::number("back", "how near to there it is back; less than the range")
            .unit("m")
            .range(0.1, 1e6)
            .default(5.0)
            .live(),
        Param::number("speed", "how fast it goes back; the top speed when left out")
            .unit("m/s")
            .range(0.0, 1000.0)
            .optional()
            .live(),
        Param::text("mode", "what it is called in events while it goes back").default_text("return"),
    ],
    running: "the child is running within the range, or it is on its way back",
    success: "the child succeeded",
    failure: "the child failed; it is back; the target stands beyond the range, or there is no home",
    abort: "exits the child; it does not go on back",
    memory: &[("returning", SlotType::Bool)],
    ..NodeDef::new("leash", Kind::Decorator, "keeps its branch within a range of a place", |make| {
        let mode = make.text("mode").to_owned();
        Part::control(Leash {
            home: make.aim("home")?.unwrap_or(Aim::Home),
            range: make.live("range")?,
            back: make.live("back")?,
            speed: make.live("speed")?,
            mode: make.symbol(&mode),
        })
    })
};

struct Leash {
    home: Aim,
    range: Live,
    back: Live,
    speed: Live,
    mode: Symbol,
}

impl Leash {
    /// Whether the target may be set out for: it is not beyond the leash, or there is none.
    fn reaches(&self, view: &View<'_>, home: Vec3) -> bool {
        let off = |point: Vec3| {
            let way = point - home;
            if view.flies() { way.length() } else { flat(way).length() }
        };
        view.target().is_none_or(|track| off(track.position) <= view.number(self.range))
    }

    fn go_back(&self, cx: &mut Cx<'_>, home: Vec3) -> Step {
        let view = cx.view();
        let back = view.number(self.back).min(0.9 * view.number(self.range));
        if view.distance(home) <= back {
            cx.store(0, false);
            return Step::Done(false);
        }
        let (speed, reach) = (view.number(self.speed), 3.0 * view.radius());
        cx.intent().mode = self.mode;
        cx.head_for(home, Look::Ahead);
        let mut walk = rule("arrive", 1.0, [0.0, speed, 0.0, 0.0]);
        walk.order.point = home;
        cx.follow(walk);
        cx.follow(rule("separation", 1.0, [reach, 0.0, 0.0, 0.0]));
        Step::Yield
    }

    fn home(&self, cx: &Cx<'_>) -> Option<Vec3> {
        cx.view().aim(self.home).map(|(home, _)| home)
    }
}

impl Control for Leash {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, false);
        match self.home(cx) {
            Some(home) if self.reaches(&cx.view(), home) && !self.is_beyond(cx, home) => Step::Continue,
            _ => Step::Done(false),
        }
    }
    fn tick(&self, cx: &mut Cx<'_>, idle: bool) -> Step {
        let Some(home) = self.home(cx) else { return Step::Done(false) };
        if cx.load::<bool>(0) || self.is_beyond(cx, home) {
            cx.store(0, true);
            return self.go_back(cx, home);
        }
        if idle { Step::Child(0) } else { Step::Continue }
    }
    fn asks(&self) -> bool {
        true
    }
    fn yields(&self) -> bool {
        true
    }
    fn why(&self) -> Why {
        Why::Guard
    }
    fn ends(&self, child: Ends) -> Ends {
        child.or(Ends::FAILURE)
    }
    fn evidence(&self, cx: &Cx<'_>) -> Evidence {
        let off = self.home(cx).map_or(Value::Nothing, |home| cx.view().distance(home).into());
        Evidence::of(What::Distance, off).against(cx.view().number(self.range))
    }
}

impl Leash {
    fn is_beyond(&self, cx: &Cx<'_>, home: Vec3) -> bool {
        cx.view().distance(home) > cx.view().number(self.range)
    }
}
