blackboard { agent = { mood = "string" } }
return bt.switch { key = "mood", bt.patrol {}, bt.wait { seconds = 1 } }
