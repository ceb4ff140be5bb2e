return bt.tree("guard", bt.sequence {
  bt.wait { seconds = 1 ,
})
