-- siege.lua: hold the narrow ring, and attack two at a time.
-- Two tokens go round: whoever holds one leaves the ring for a few seconds, and then lets another have it.

local detect, search, patrol = require "detect", require "search", require "patrol"
local formation, direct_chase = require "formation", require "direct_chase"

local attackers = 2   -- how many attack at once
local seconds = 3     -- how long an attack lasts
local rest = 5        -- s; how long an attacker then stays on the ring

local attack = bt.cooldown {
  seconds = rest,
  bt.guard {
    when = bt.sequence { bt.ring_set {}, bt.token_free { token = "melee" } },
    bt.lease {
      token = "melee", capacity = attackers,
      bt.time_limit { seconds = seconds, direct_chase },
    },
  },
}

return bt.tree("siege", bt.reactive_selector {
  bt.guard {
    when = detect,
    bt.reactive_selector {
      attack,
      formation.narrow { radius = 6, close_in = false, hold = true },
    },
  },
  search,
  patrol,
})
