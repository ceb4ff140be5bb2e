use super::prelude::*;

/// Chooses a child by a number, with hysteresis: the margin keeps it from flickering at a border.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    params: &[
        Param::text("by", "the number: \"target_distance\" (m, on the ground, to where the target is believed to be) or bt.key \"…\"")
            .default_text("target_distance")
            .live(),
        Param::number("margin", "how far past a border the number must be before the child changes")
            .range(0.0, f64::INFINITY)
            .default(0.0),
        Param::number("dwell", "how long a child stays chosen at least, however the number moves")
            .unit("s")
            .range(0.0, 1e6)
            .default(0.0),
    ],
    edge: &[Param::number("below", "the upper border of this child's band; the last child has none").optional()],
    running: "the chosen child is running",
    success: "the chosen child succeeded",
    failure: "the chosen child failed, or there is no number",
    abort: "exits the chosen child",
    memory: &[("band", SlotType::Count), ("stays_until", SlotType::Time)],
    ..NodeDef::new("bands", Kind::Composite, "chooses a child by a number, with hysteresis", |make| {
        let mut borders = Vec::new();
        for (at, edge) in make.edges.iter().enumerate() {
            let last = at + 1 == make.children();
            match edge.get("below") {
                Some(_) => borders.push(edge.number("below") as f32),
                None if last => {}
                None => return Err(Error::new(ErrorKind::Missing, format!("band {} has no 'below'", at + 1))
                    .hint("only the last band may go without")),
            }
        }
        if !borders.is_sorted() {
            return Err(Error::new(ErrorKind::OutOfRange, "the bands must stand in the order of their 'below'"));
        }
        let by = match make.args.get("by") {
            Some(crate::args::Arg::Key(_)) => By::Number(make.live("by")?),
            _ if make.text("by") == "target_distance" => By::TargetDistance,
            _ => return Err(Error::new(ErrorKind::UnknownName, format!("no number is called '{}'", make.text("by")))
                .hint("\"target_distance\", or bt.key \"…\"")),
        };
        let (margin, dwell) = (make.number("margin"), make.time("dwell"));
        Part::control(Bands { by, margin, dwell, borders, children: make.children() })
    })
};

enum By {
    TargetDistance,
    Number(Live),
}

struct Bands {
    by: By,
    margin: f32,
    dwell: u64,
    borders: Vec<f32>,
    children: usize,
}

impl Bands {
    fn number(&self, view: View<'_>) -> Option<f32> {
        match self.by {
            By::Number(live) => Some(view.number(live)),
            By::TargetDistance => {
                let way = view.target()?.position - view.position();
                Some(if view.flies() { way.length() } else { flat(way).length() })
            }
        }
    }
    /// The band of a number that comes from `band`, or from nowhere.
    fn choose(&self, number: f32, band: Option<usize>) -> usize {
        let Some(band) = band else {
            return self
                .borders
                .iter()
                .position(|border| number < *border)
                .unwrap_or(self.borders.len())
                .min(self.children - 1);
        };
        let inner = &self.borders[..band.min(self.borders.len())];
        if let Some(inwards) = inner.iter().position(|border| number <= *border - self.margin) {
            return inwards;
        }
        let outer = self.borders.iter().skip(band).take_while(|border| number > **border + self.margin);
        (band + outer.count()).min(self.children - 1)
    }
}

impl Bands {
    fn stay(&self, cx: &mut Cx<'_>, band: usize) -> Step {
        let until = cx.view().now().saturating_add(self.dwell);
        cx.store(0, band as u64);
        cx.store(1, until);
        Step::Child(band)
    }
}

impl Control for Bands {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let Some(number) = self.number(cx.view()) else { return Step::Done(false) };
        let band = self.choose(number, None);
        self.stay(cx, band)
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        let Some(number) = self.number(cx.view()) else { return Step::Done(false) };
        let band = cx.load::<u64>(0) as usize;
        let chosen = self.choose(number, Some(band));
        if chosen == band || cx.view().now() < cx.load::<u64>(1) {
            return Step::Continue;
        }
        self.stay(cx, chosen)
    }
    fn asks(&self) -> bool {
        true
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        let dwells = cx.load::<u64>(1);
        let free = if cx.view().now() < dwells { Wake::at(dwells) } else { Wake::NEVER };
        match self.by {
            By::Number(Live::Key(key, _)) => free.or(Wake::on(key.scope)),
            By::Number(Live::Fixed(_)) => Wake::NEVER,
            By::TargetDistance => Wake::NOW,
        }
    }
    fn ends(&self, child: Ends) -> Ends {
        child.or(Ends::FAILURE)
    }
    fn evidence(&self, cx: &Cx<'_>) -> Evidence {
        let found = self.number(cx.view()).map_or(Value::Nothing, Value::from);
        match self.by {
            By::Number(Live::Key(key, _)) => Evidence::of(What::Key(key), found),
            _ => Evidence::of(What::Distance, found),
        }
    }
}
