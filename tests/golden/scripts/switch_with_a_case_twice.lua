blackboard { agent = { mood = "string" } }
return bt.switch { key = "mood",
  { case = "angry", bt.patrol {} },
  { case = "angry", bt.wait { seconds = 1 } },
}
