blackboard { squad = { alarm = "bool" } }

return bt.tree("guard", bt.selector {
  bt.guard { when = bt.has_value { key = "alarm" }, bt.direct_chase {} },
  bt.patrol {},
})
