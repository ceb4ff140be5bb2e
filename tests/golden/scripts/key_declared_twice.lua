blackboard { squad = { alarm = "bool" } }
blackboard { squad = { alarm = "number" } }
return bt.tree("guard", bt.patrol {})
