-- two_packs.lua: two squads besiege one target, and never more than two attack it, whoever they belong to.
-- The tokens are the target's: `of = "target"`. Who has none holds the ring of his own squad meanwhile.

local detect, search, patrol = require "detect", require "search", require "patrol"
local formation, direct_chase = require "formation", require "direct_chase"

local attackers = 2   -- how many attack at once, unless the target itself says how many
local seconds = 3     -- how long an attack lasts
local rest = 5        -- s; how long an attacker then stays on the ring

local ring = formation.narrow { radius = 6, close_in = false, hold = true }

local attack = bt.cooldown {
  seconds = rest,
  bt.guard {
    when = bt.sequence { bt.ring_set {}, bt.token_free { token = "melee", of = "target" } },
    bt.lease {
      token = "melee", of = "target", capacity = attackers,
      bt.time_limit { seconds = seconds, direct_chase },
      ring,   -- until the answer is there, in the next tick
    },
  },
}

return bt.tree("two_packs", bt.reactive_selector {
  bt.guard {
    when = detect,
    bt.reactive_selector {
      attack,
      ring,
    },
  },
  search,
  patrol,
})
