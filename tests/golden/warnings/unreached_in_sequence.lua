return bt.tree("guard", bt.sequence {
  bt.sees_target {},
  bt.force_failure { bt.log { text = "there" } },
  bt.direct_chase {},
})
