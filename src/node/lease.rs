use super::prelude::*;

/// Lets its child run while the agent holds a token that few may hold at once: of its squad, or of the target that the
/// squad is after, which all squads share that hunt it.
///
/// The token is returned when the node is left, however that comes about. A squad's token is given at once, in the
/// order of keys; a target's between two ticks, to those who asked first and among those of one tick in the order of
/// squads and keys, so the child begins in the next thought. A second child is what the agent does until then, and as long
/// as it waits; without one it does nothing meanwhile. A target's token is for that target: the node ends when
/// the squad is after somebody else or nobody, and when the target is gone or not present any more.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Few(1, 2),
    params: &[
        Param::text("token", "what it is called: \"melee\"").names(Named::Token),
        Param::choice("of", &["squad", "target"], "who offers it: the agent's squad, or whom that is after")
            .default_text("squad"),
        Param::integer(
            "capacity",
            "how many agents may hold it at once; what its owner offers when left out, or 1. What a target offers \
             itself stands",
        )
        .range(1.0, 10_000.0)
        .optional(),
        Param::bool("wait", "whether it waits in the queue when none is free; else it fails")
            .default_bool(false),
        Param::number("hold", "how long it may be held while others wait; no limit when left out")
            .unit("s")
            .range(0.0, 1e6)
            .optional(),
    ],
    running: "the first child is running, or it waits for the token, or (of a target) for the answer",
    success: "the first child succeeded",
    failure: "the first child failed, no token is free, or it was held long enough and another waits; of a target also if \
              the squad is after nobody, or that target is no longer",
    abort: "exits the child and returns the token",
    memory: &[
        ("stage", SlotType::Count),
        ("since", SlotType::Time),
        ("owner", SlotType::Count),
        ("round", SlotType::Count),
    ],
    ..NodeDef::new("lease", Kind::Decorator, "lets its child run while the agent holds a token", |make| {
        let token = make.text("token").to_owned();
        let lease = Lease {
            token: make.symbol(&token),
            capacity: make.args.get("capacity").map(|_| make.number("capacity") as u32),
            wait: make.bool("wait"),
            hold: make.args.get("hold").map(|_| make.time("hold")),
            meanwhile: make.children() > 1,
        };
        if make.text("of") == "target" { Part::control(OfTarget(lease)) } else { Part::control(OfSquad(lease)) }
    })
};

/// A stage: it neither has the token nor wants it.
const NONE: u64 = 0;
/// A stage: it waits for the token.
const WAITS: u64 = 1;
/// A stage: it has the token.
const HOLDS: u64 = 2;

struct Lease {
    token: Symbol,
    capacity: Option<u32>,
    wait: bool,
    hold: Option<u64>,
    /// Whether there is a second child.
    meanwhile: bool,
}

impl Lease {
    /// It waits from now on.
    fn queue_up(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, WAITS);
        if self.meanwhile { Step::Child(1) } else { Step::Yield }
    }
    /// A child ended, or had nothing to do: the second one leaves the waiting to the node.
    fn ended(child: usize, success: bool) -> Step {
        if child == 1 { Step::Yield } else { Step::Done(success) }
    }
    /// It has the token from now on.
    fn begin(&self, cx: &mut Cx<'_>) {
        let now = cx.view().now();
        cx.store(0, HOLDS);
        cx.store(1, now);
    }
    /// When it has held the token long enough.
    fn over_at(&self, cx: &Cx<'_>) -> u64 {
        self.hold.map_or(u64::MAX, |hold| cx.load::<u64>(1).saturating_add(hold))
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        format!("for token '{}'", at.name(self.token))
    }
    fn held_for(&self, cx: &Cx<'_>) -> Evidence {
        let held = cx.view().now().saturating_sub(cx.load(1));
        Evidence::of(What::TokenHeldFor, held as f64 * 1e-9)
    }
}

struct OfSquad(Lease);

impl OfSquad {
    fn take(&self, cx: &mut Cx<'_>) -> bool {
        let key = cx.view().key();
        let got = cx.leases().take(self.0.token.number(), key);
        if got {
            self.0.begin(cx);
        }
        got
    }
}

impl Control for OfSquad {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let (token, key) = (self.0.token.number(), cx.view().key());
        cx.store(0, NONE);
        let offered = cx.leases().token(token).is_some();
        if self.0.capacity.is_some() || !offered {
            cx.leases().offer(token, self.0.capacity.unwrap_or(1));
        }
        if self.take(cx) {
            return Step::Continue;
        }
        if !self.0.wait {
            return Step::Done(false);
        }
        cx.leases().wait(token, key);
        self.0.queue_up(cx)
    }
    fn tick(&self, cx: &mut Cx<'_>, idle: bool) -> Step {
        let (token, key) = (self.0.token.number(), cx.view().key());
        if cx.load::<u64>(0) == HOLDS {
            let over = cx.view().now() >= self.0.over_at(cx) && cx.leases().is_wanted(token);
            return if over { Step::Done(false) } else { Step::Continue };
        }
        if self.take(cx) {
            return Step::Child(0);
        }
        cx.leases().stay(token, key);
        if idle { Step::Yield } else { Step::Continue }
    }
    fn ended(&self, _: &mut Cx<'_>, child: usize, success: bool) -> Step {
        Lease::ended(child, success)
    }
    fn skipped(&self, _: &mut Cx<'_>, child: usize) -> Step {
        Lease::ended(child, true)
    }
    fn exit(&self, cx: &mut Cx<'_>, _: Exit) {
        let (token, key) = (self.0.token.number(), cx.view().key());
        match cx.load(0) {
            HOLDS => cx.leases().give_back(token, key),
            WAITS => cx.leases().leave(token, key),
            _ => {}
        }
        cx.store(0, NONE);
    }
    fn asks(&self) -> bool {
        self.0.hold.is_some() || self.0.meanwhile
    }
    fn yields(&self) -> bool {
        self.0.wait
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        self.0.waiting(at)
    }
    fn why(&self) -> Why {
        Why::Token
    }
    fn evidence(&self, cx: &Cx<'_>) -> Evidence {
        self.0.held_for(cx)
    }
}

struct OfTarget(Lease);

impl OfTarget {
    fn owner(cx: &Cx<'_>) -> Entity {
        Entity::unpack(cx.load(2))
    }
    /// Whether the squad is after the same target, that is there, and has not taken its tokens back meanwhile.
    fn lasts(cx: &Cx<'_>) -> bool {
        let (view, owner) = (cx.view(), Self::owner(cx));
        let same = view.target().is_some_and(|track| track.target == owner);
        same && view.exists(owner) && view.token_round(owner) == cx.load::<u64>(3)
    }
    fn claim(&self, cx: &mut Cx<'_>, wish: Wish) {
        let (owner, round) = (Self::owner(cx), cx.load(3));
        cx.claim(owner, round, self.0.token, wish);
    }
    fn has_it(&self, cx: &Cx<'_>) -> bool {
        cx.view().token_standing(Self::owner(cx), self.0.token).holds > 0
    }
}

impl Control for OfTarget {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, NONE);
        let Some(owner) = cx.view().target().map(|track| track.target) else { return Step::Done(false) };
        let round = cx.view().token_round(owner);
        let free = cx.view().token_is_free(owner, self.0.token);
        if !cx.view().exists(owner) || !(free || self.0.wait) {
            return Step::Done(false);
        }
        cx.store(2, owner.pack());
        cx.store(3, round);
        // Another node of the agent may hold it: then this one has it at once.
        let has_it = self.has_it(cx);
        self.claim(cx, Wish::Ask(self.0.capacity));
        if has_it {
            self.0.begin(cx);
            return Step::Continue;
        }
        self.0.queue_up(cx)
    }
    fn tick(&self, cx: &mut Cx<'_>, idle: bool) -> Step {
        if !Self::lasts(cx) {
            return Step::Done(false);
        }
        if cx.load::<u64>(0) == HOLDS {
            let over = cx.view().now() >= self.0.over_at(cx);
            let wanted = over && cx.view().token_is_wanted(Self::owner(cx), self.0.token);
            return if wanted { Step::Done(false) } else { Step::Continue };
        }
        if self.has_it(cx) {
            self.0.begin(cx);
            return Step::Child(0);
        }
        match (self.0.wait, idle) {
            (false, _) => Step::Done(false),
            (true, true) => Step::Yield,
            (true, false) => Step::Continue,
        }
    }
    fn ended(&self, _: &mut Cx<'_>, child: usize, success: bool) -> Step {
        Lease::ended(child, success)
    }
    fn skipped(&self, _: &mut Cx<'_>, child: usize) -> Step {
        Lease::ended(child, true)
    }
    fn exit(&self, cx: &mut Cx<'_>, _: Exit) {
        if cx.load::<u64>(0) != NONE {
            self.claim(cx, Wish::LetGo);
        }
        cx.store(0, NONE);
    }
    fn asks(&self) -> bool {
        true
    }
    fn yields(&self) -> bool {
        true
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        // Once it was held long enough, only who waits matters.
        let over_at = self.0.over_at(cx);
        let over = over_at <= cx.view().now();
        Wake::on_target().or(Wake::on_offers()).or(Wake::at(if over { u64::MAX } else { over_at }))
    }
    fn idle_wake(&self, _: &Cx<'_>) -> Wake {
        Wake::on_target().or(Wake::on_offers())
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        self.0.waiting(at)
    }
    fn why(&self) -> Why {
        Why::Token
    }
    fn evidence(&self, cx: &Cx<'_>) -> Evidence {
        let (view, owner) = (cx.view(), Self::owner(cx));
        match Self::lasts(cx) {
            true if cx.load::<u64>(0) == HOLDS => self.0.held_for(cx),
            true => Evidence::of(What::TokenFree, false),
            false if !view.exists(owner) => Evidence::of(What::TokenOwner, Value::Nothing),
            false => {
                let same = view.target().is_some_and(|track| track.target == owner);
                Evidence::of(What::TokenOwner, same)
            }
        }
    }
}
