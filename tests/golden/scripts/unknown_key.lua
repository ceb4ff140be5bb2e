blackboard { squad = { target = "entity" } }
return bt.tree("guard", bt.selector {
  bt.wait { seconds = 60 },
  bt.has_value { key = "targt" },
})
