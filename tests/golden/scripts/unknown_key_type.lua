blackboard { squad = { target = "entitty" } }
return bt.tree("guard", bt.patrol {})
