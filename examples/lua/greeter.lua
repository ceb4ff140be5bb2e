-- Leaves of our own. `self` is the agent; what a leaf returns says how it went.
blackboard { agent = { greetings = { "integer", default = 0 } } }

local greet = bt.action {
  enter = function(self) self:set_mode("greet") end,
  tick = function(self)
    self.board.greetings = self.board.greetings + 1
    self:say("hello " .. self.board.greetings)
    if self.board.greetings < 3 then return "running" else return "success" end
  end,
  exit = function(self, reason) self:say("done: " .. reason) end,
}

local clumsy = bt.action {
  tick = function(self)
    if self.key == 1 then
      self.board.greetngs = 7   -- a mistake, and only one agent comes here
    end
    return "success"
  end,
}

return bt.tree("greeter", bt.sequence { greet, clumsy, bt.wait { seconds = 60 } })
