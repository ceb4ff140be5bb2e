-- A burglar: has doors opened, which takes the game its time, and gives up on one that stays shut.

blackboard { agent = { loot = { "integer", default = 0 }, alarm = { "bool", default = false } } }

local function room(name)
  return bt.sequence {
    bt.command { name = "open " .. name, seconds = 2 },       -- until the game answers, 2 s at most
    bt.command { name = "search " .. name, into = "loot" },   -- what is found comes with the answer
    bt.mode { name = name, bt.wait { seconds = 0.5 } },
  }
end

local flee = bt.mode { name = "flee", bt.wait { seconds = 60 } }

return bt.tree("burglar", bt.reactive_selector {
  bt.guard { when = bt.has_value { key = "alarm" }, flee },
  bt.sequence {
    bt.selector { room "cellar", room "kitchen" },
    room "attic",
  },
})
