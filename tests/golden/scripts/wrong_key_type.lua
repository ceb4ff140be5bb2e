blackboard { squad = { target = "entity" } }
return bt.tree("guard", bt.selector {
  bt.increment { key = "target" },
  bt.set { key = "target", to = 7 },
})
