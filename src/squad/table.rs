//! Several squads round one target: their angles are dealt together.
//!
//! Rings of squads that hunt the same target share its angles as one ring would: as many evenly spread slots as there are hunters, and the
//! assignment of all hunters to all slots with the least walking in sum. So places of two squads lie apart, a squad keeps to the
//! side that it comes from, and the largest empty angle is that of all hunters. Each ring keeps a radius of its own; what is
//! shared is laid out for the smallest.

use super::deal::{Circle, Dealer, Slot};
use super::{Member, Ring, RingRules};

/// The table at which rings are dealt together: between their [`Ring::prepare`] and [`Ring::finish`], [`Table::join`] for each, then
/// [`Table::deal`], then [`Table::take`] in the same order. It keeps its room.
#[derive(Clone, Debug, Default)]
pub struct Table {
    members: Vec<Member>,
    slots: Vec<Slot>,
    dealer: Dealer,
    taken: Vec<u32>,
    /// The circle of the first, and how many have taken their places.
    circle: Option<(Circle, RingRules)>,
    gone: usize,
}

impl Table {
    /// Clears the table.
    pub fn clear(&mut self) {
        self.members.clear();
        (self.circle, self.gone) = (None, 0);
    }

    /// Takes in the members of a ring. The centre and the rules are those of the first.
    pub fn join(&mut self, ring: &Ring) {
        self.members.extend_from_slice(&ring.scratch.members);
        let own = ring.circle();
        let (circle, _) = self.circle.get_or_insert((own, ring.rules));
        circle.radius = circle.radius.min(own.radius);
        circle.inner = circle.inner.min(own.inner);
        circle.spacing = circle.spacing.max(own.spacing);
    }

    /// Deals slots to all who joined.
    pub fn deal(&mut self) {
        let Some((circle, rules)) = &self.circle else { return };
        self.dealer.deal(&mut self.slots, &self.members, circle, rules);
    }

    /// Gives a ring its part.
    pub fn take(&mut self, ring: &mut Ring) {
        let count = ring.scratch.members.len();
        let slots =
            self.dealer.taken.iter().skip(self.gone).take(count).map(|slot| self.slots[*slot as usize]);
        ring.slots.clear();
        ring.slots.extend(slots);
        self.gone += count;
        self.taken.clear();
        self.taken.extend(0..ring.slots.len() as u32);
        ring.seat(&self.taken, self.slots.iter().filter(|slot| slot.row == 0).count());
    }
}
