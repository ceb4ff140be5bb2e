-- A search goes on until a guard ends it.
return bt.tree("guard", bt.sequence {
  bt.search {},
  bt.log { text = "nobody here" },
})
