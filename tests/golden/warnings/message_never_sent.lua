return bt.tree("message_never_sent", bt.sequence {
  bt.send { name = "help" },
  bt.wait_for { message = "hlp" },
})
