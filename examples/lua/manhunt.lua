-- manhunt.lua: who is lost from sight is searched for wherever he can have got to since, each member in a part of its own.

return bt.tree("manhunt", bt.reactive_selector {
  bt.guard { when = bt.sees_target {}, bt.direct_chase { stop = 1.4 } },
  bt.guard {
    when = bt.remembers_target { within = 20 },
    bt.search { spread = true, target_speed = 4 },
  },
  bt.patrol { order = "loop" },
})
