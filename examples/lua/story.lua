-- A hound that smells something, goes there, sniffs about, and waits for its master.
blackboard {
    agent = { scent = "vec3", called = { "bool", default = false } },
}

local follow = bt.coroutine {
    enter = function(self)
        self.memory.walks = 0
    end,

    run = function(self)
        self:say("I smell something")
        self.memory.walks = self.memory.walks + 1
        self:seek(self.board.scent)
        self:say("it was here")
        self:wander()
        wait(0.5)
        self:say("and now? I have walked " .. self.memory.walks .. " time")
        if not wait_until(function() return self.board.called end, 3) then
            self:say("nobody calls")
            return "failure"
        end
        self:arrive("home")
        wait(0.3)
        self:say("here I am")
    end,

    exit = function(self, reason)
        self:say("that was " .. reason)
    end,
}

return bt.tree("hound", bt.selector { follow, bt.wait { seconds = 60 } })
