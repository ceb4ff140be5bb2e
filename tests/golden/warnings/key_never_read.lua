blackboard { agent = { post = "vec3" } }

return bt.tree("guard", bt.sequence {
  bt.set { key = "post", to = vec3(1, 0, 2) },
  bt.patrol {},
})
