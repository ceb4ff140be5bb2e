return bt.tree("guard", bt.reactive_selector {
  bt.service {
    interval = 0.5,
    run = function(self) self:say("looking") end,
    bt.guard { when = bt.sees_target {}, bt.direct_chase {} },
  },
  bt.patrol {},
})
