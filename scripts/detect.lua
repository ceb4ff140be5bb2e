-- detect.lua: is there a target to hunt?
-- One pair of eyes is enough: what a member sees, its whole squad knows in the same tick.
-- How far and how wide an agent sees, and how near a target is noticed from behind, belongs to its body
-- (`senses` in a scenario, `Senses` in Rust): 40 m ahead, 120 degrees, 2.5 m all round.

return bt.subtree {
  name = "detect",
  params = {
    by = "squad",     -- "squad": any member sees it; "self": only what the agent itself sees
  },
  bt.sees_target { by = bt.param "by" },
}
