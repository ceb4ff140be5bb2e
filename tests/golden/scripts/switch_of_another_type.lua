blackboard { agent = { mood = "string" } }
return bt.switch { key = "mood",
  { case = 1, bt.patrol {} },
}
