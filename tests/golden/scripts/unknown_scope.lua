blackboard { sqaud = { target = "entity" } }
return bt.tree("guard", bt.patrol {})
