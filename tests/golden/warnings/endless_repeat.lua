blackboard { world = { alarm = { "integer", default = 0 } } }

return bt.tree("guard", bt.repeat_times {
  bt.sequence { bt.increment { key = "alarm" }, bt.log { text = "alarm" } },
})
