local nosuch
return bt.tree("guard", bt.selector {
  bt.succeed {},
  nosuch,
  bt.patrol {},
})
