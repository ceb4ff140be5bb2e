return bt.tree("guard", bt.selector {
  bt.guard { when = bt.sequence { bt.sees_target {}, bt.fail {} }, bt.direct_chase {} },
  bt.patrol {},
})
