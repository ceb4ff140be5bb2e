-- search.lua: the target is out of sight. Go to where it was last seen and look about, for five seconds.
-- Nothing else is known: where it really is cannot be asked.

return bt.subtree {
  name = "search",
  params = {
    seconds = 5,      -- s, counted from when the last member lost sight
    radius = 2.5,     -- m; how far round that place the members spread
    sweep = 90,       -- degrees per second; how fast they look about
  },
  bt.guard {
    when = bt.remembers_target { within = bt.param "seconds" },
    bt.search { radius = bt.param "radius", sweep = bt.param "sweep" },
  },
}
