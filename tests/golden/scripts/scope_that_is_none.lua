blackboard { health = { max = "number" } } return bt.succeed {}
