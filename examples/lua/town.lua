-- A script may return several trees, by name. Here two of one team: who sees an enemy tells the team where; who does not see one goes there.
blackboard {
  team = { enemy_at = { "vec3", ttl = 2 } },       -- one value for all squads of the team
  squad = { reports = { "integer", default = 0 } }, -- each squad has its own
}

local lookout = bt.guard {
  when = bt.sees_target {},
  bt.service {
    interval = 1,
    run = function(self)
      self.board.enemy_at = self.target and self.target.position
      self.board.reports = self.board.reports + 1
    end,
    bt.face {},
  },
}

local archer = bt.guard {
  when = bt.has_value { key = "enemy_at" },
  bt.mode { name = "to the gate", bt.arrive { to = bt.key "enemy_at" } },
}

return { lookout = lookout, archer = archer }
