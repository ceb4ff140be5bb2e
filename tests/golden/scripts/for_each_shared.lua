blackboard { squad = { spot = "vec3" }, agent = { spots = "list" } }
return bt.for_each { list = "spots", item = "spot", bt.patrol {} }
