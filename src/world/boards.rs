//! Blackboards from the game's side, and who watches them.

use super::World;
use crate::blackboard::{Board, Change, Key, KeyDecl, KeyId, Scope, Typed, Value};
use crate::entity::{AgentId, Entity, SquadId};
use crate::error::{Error, ErrorKind, Result};

/// Whose board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardOf<'a> {
    /// An agent's own.
    Agent(AgentId),
    /// A squad's.
    Squad(SquadId),
    /// A team's, by name.
    Team(&'a str),
    /// The world's.
    World,
}

impl BoardOf<'_> {
    fn scope(&self) -> Scope {
        match self {
            BoardOf::Agent(_) => Scope::Agent,
            BoardOf::Squad(_) => Scope::Squad,
            BoardOf::Team(_) => Scope::Team,
            BoardOf::World => Scope::World,
        }
    }
}

/// A watch on one key of one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Observer(u32);

#[derive(Clone, Debug)]
struct Watched {
    owner: Owner,
    key: KeyId,
    version: u32,
}

/// Whose board, as the world keeps it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owner {
    Agent(AgentId),
    Squad(SquadId),
    Team(u32),
    World,
}

/// Where a board lies, until agents or squads come or go.
#[derive(Clone, Copy)]
enum BoardAt {
    Agent(usize),
    Squad(usize),
    Team(usize),
    World,
}

/// Who watches what, and whose key changed in the last tick.
#[derive(Default)]
pub(super) struct Observers {
    watched: Vec<Watched>,
    changed: Vec<Observer>,
}

impl World {
    /// Declares a key; the same key in the same words may be declared again.
    ///
    /// # Errors
    /// A name that is not legal or declared otherwise, or a default of another type.
    pub fn declare(&mut self, decl: KeyDecl) -> Result<KeyId> {
        let id = self.scene_mut().schema.declare(decl)?;
        self.grow_boards();
        Ok(id)
    }

    pub(super) fn grow_boards(&mut self) {
        let schema = self.scene.schema.clone();
        for mind in &mut self.minds {
            mind.board.grow(schema.keys(Scope::Agent));
        }
        let scene = self.scene_mut();
        scene.squads.iter_mut().for_each(|squad| squad.board.grow(schema.keys(Scope::Squad)));
        scene.teams.iter_mut().for_each(|board| board.grow(schema.keys(Scope::Team)));
        scene.board.grow(schema.keys(Scope::World));
    }

    /// The key of that name, of type `T`: look it up once and keep it.
    ///
    /// # Errors
    /// An undeclared name, with a near one, or a key of another type.
    pub fn key<T: Typed>(&self, name: &str) -> Result<Key<T>> {
        self.scene.schema.key(name)
    }

    /// The declared keys.
    pub fn schema(&self) -> &crate::blackboard::Schema {
        &self.scene.schema
    }

    /// Reads a key of type `T` from a board.
    ///
    /// # Errors
    /// A key of another scope than the board's, or an owner that is gone.
    pub fn get<T: Typed>(&self, of: BoardOf<'_>, key: Key<T>) -> Result<Option<T>> {
        Ok(T::read(self.board(of, key.id())?.value(key.id())))
    }

    /// Writes a key of type `T`; trees see it from the next tick on.
    ///
    /// # Errors
    /// A key of another scope than the board's, an owner that is gone, or a number that is not finite.
    pub fn set<T: Typed>(&mut self, of: BoardOf<'_>, key: Key<T>, value: T) -> Result<()> {
        self.change(of, key.id(), value.write())
    }

    /// Reads a key by name.
    ///
    /// # Errors
    /// As [`World::get`], or an undeclared name.
    pub fn value(&self, of: BoardOf<'_>, key: &str) -> Result<Value> {
        let key = self.scene.schema.id(key)?;
        Ok(self.board(of, key)?.value(key).clone())
    }

    /// Writes a key by name; [`Value::Nothing`] brings back its default.
    ///
    /// # Errors
    /// As [`World::set`], an undeclared name, or a value of another type.
    pub fn set_value(&mut self, of: BoardOf<'_>, key: &str, value: impl Into<Value>) -> Result<()> {
        let key = self.scene.schema.id(key)?;
        self.change(of, key, value.into())
    }

    fn change(&mut self, of: BoardOf<'_>, key: KeyId, value: Value) -> Result<()> {
        let at = self.find_board(of, key)?;
        let value = self.scene.schema.fit(key, value).map_err(|error| error.hint(crate::tree::OLD_STAYS))?;
        let (now, change) = (self.scene.clock, Change::Set(value));
        if let BoardAt::Agent(index) = at {
            self.minds[index].board.apply(self.scene.schema.info(key), &change, now);
            return Ok(());
        }
        let scene = Self::part(&mut self.scene);
        let board = match at {
            BoardAt::Squad(index) => &mut scene.squads[index].board,
            BoardAt::Team(index) => &mut scene.teams[index],
            BoardAt::Agent(_) | BoardAt::World => &mut scene.board,
        };
        board.apply(scene.schema.info(key), &change, now);
        Ok(())
    }

    /// Where the board lies that has this key.
    fn find_board(&self, of: BoardOf<'_>, key: KeyId) -> Result<BoardAt> {
        let found = match of {
            _ if key.scope != of.scope() => None,
            BoardOf::Agent(agent) => self.agent_index(agent).map(BoardAt::Agent),
            BoardOf::Squad(squad) => self.cast.squad(squad).map(BoardAt::Squad),
            BoardOf::Team(team) => self.cast.teams.get(team).map(|team| BoardAt::Team(*team as usize)),
            BoardOf::World => Some(BoardAt::World),
        };
        found.ok_or_else(|| self.no_board(of, key))
    }

    /// Why there is no board for this key.
    #[cold]
    fn no_board(&self, of: BoardOf<'_>, key: KeyId) -> Error {
        let name = &self.scene.schema.info(key).name;
        if key.scope != of.scope() {
            let message = format!("key '{name}' belongs to the {}, not to the {}", key.scope, of.scope());
            return Error::new(ErrorKind::WrongType, message);
        }
        let what = match of {
            BoardOf::Team(team) => {
                let teams = self.cast.teams.keys().map(String::as_str);
                return Error::new(ErrorKind::UnknownName, format!("unknown team '{team}'"))
                    .near(team, teams);
            }
            BoardOf::Squad(_) => "squad",
            BoardOf::Agent(_) | BoardOf::World => "agent",
        };
        Error::new(ErrorKind::Gone, format!("the {what} whose key '{name}' is asked for is gone"))
    }

    fn board(&self, of: BoardOf<'_>, key: KeyId) -> Result<&Board> {
        Ok(match self.find_board(of, key)? {
            BoardAt::Agent(index) => &self.minds[index].board,
            BoardAt::Squad(index) => &self.scene.squads[index].board,
            BoardAt::Team(index) => &self.scene.teams[index],
            BoardAt::World => &self.scene.board,
        })
    }

    pub(super) fn board_of(&self, owner: &Owner) -> Option<&Board> {
        match owner {
            Owner::Agent(agent) => self.agent_index(*agent).map(|index| &self.minds[index].board),
            Owner::Squad(squad) => self.cast.squad(*squad).map(|index| &self.scene.squads[index].board),
            Owner::Team(team) => self.scene.teams.get(*team as usize),
            Owner::World => Some(&self.scene.board),
        }
    }

    #[cfg(feature = "lua")]
    pub(super) fn board_mut(&mut self, owner: &Owner) -> Option<&mut Board> {
        match owner {
            Owner::Agent(agent) => self.agent_index(*agent).map(|index| &mut self.minds[index].board),
            Owner::Squad(squad) => {
                let index = self.cast.squad(*squad)?;
                Some(&mut self.scene_mut().squads[index].board)
            }
            Owner::Team(team) => self.scene_mut().teams.get_mut(*team as usize),
            Owner::World => Some(&mut self.scene_mut().board),
        }
    }

    /// Watches a key: from now on [`World::changed`] lists the observer after each tick in which its value became
    /// another, once however often it was written. An equal write does not count.
    ///
    /// # Errors
    /// As [`World::value`].
    pub fn observe(&mut self, of: BoardOf<'_>, key: &str) -> Result<Observer> {
        let key = self.scene.schema.id(key)?;
        let version = self.board(of, key)?.version(key);
        let owner = match of {
            BoardOf::Agent(agent) => Owner::Agent(agent),
            BoardOf::Squad(squad) => Owner::Squad(squad),
            BoardOf::Team(team) => Owner::Team(self.cast.teams.get(team).copied().unwrap_or_default()),
            BoardOf::World => Owner::World,
        };
        self.observers.watched.push(Watched { owner, key, version });
        Ok(Observer(self.observers.watched.len() as u32 - 1))
    }

    /// The observers whose key has changed since the tick before.
    pub fn changed(&self) -> &[Observer] {
        &self.observers.changed
    }

    /// Watches on from the values that there are now.
    pub(super) fn look_anew(&mut self) {
        self.look_at_boards();
        self.observers.changed.clear();
    }

    pub(super) fn look_at_boards(&mut self) {
        let mut observers = std::mem::take(&mut self.observers);
        observers.changed.clear();
        for (at, watched) in observers.watched.iter_mut().enumerate() {
            let version =
                self.board_of(&watched.owner).map_or(watched.version, |board| board.version(watched.key));
            if version != watched.version {
                watched.version = version;
                observers.changed.push(Observer(at as u32));
            }
        }
        self.observers = observers;
    }

    /// Puts back the defaults of values whose time has ended.
    pub(super) fn expire_values(&mut self) {
        let now = self.scene.clock;
        let scene = Self::part(&mut self.scene);
        let ends = |scope| scene.schema.keys(scope).iter().any(|info| info.ttl.is_some());
        if ends(Scope::Agent) {
            for mind in &mut self.minds {
                mind.board.expire(scene.schema.keys(Scope::Agent), now, |_| {});
            }
        }
        if ends(Scope::Squad) {
            for squad in &mut scene.squads {
                squad.board.expire(scene.schema.keys(Scope::Squad), now, |_| {});
            }
        }
        for board in &mut scene.teams {
            board.expire(scene.schema.keys(Scope::Team), now, |_| {});
        }
        scene.board.expire(scene.schema.keys(Scope::World), now, |_| {});
    }

    /// Everybody who has a board of this scope.
    #[cfg(feature = "lua")]
    pub(super) fn owners(&self, scope: Scope) -> Vec<Owner> {
        match scope {
            Scope::Agent => self.scene.bodies.id[..self.minds.len()]
                .iter()
                .map(|id| Owner::Agent(AgentId::new(*id)))
                .collect(),
            Scope::Squad => self.scene.squads.iter().map(|squad| Owner::Squad(squad.id)).collect(),
            Scope::Team => (0..self.scene.teams.len() as u32).map(Owner::Team).collect(),
            Scope::World => vec![Owner::World],
        }
    }

    /// A key has another type now: its values are lost.
    #[cfg(feature = "lua")]
    pub(super) fn reset_on_boards(&mut self, info: &crate::blackboard::KeyInfo) {
        let scene = Self::part(&mut self.scene);
        match info.id.scope {
            Scope::Agent => self.minds.iter_mut().for_each(|mind| mind.board.reset(info)),
            Scope::Squad => scene.squads.iter_mut().for_each(|squad| squad.board.reset(info)),
            Scope::Team => scene.teams.iter_mut().for_each(|board| board.reset(info)),
            Scope::World => scene.board.reset(info),
        }
    }

    /// Does what agents wrote to shared boards in this tick, in the order of squads and keys; the last one wins.
    pub(super) fn commit_writes(&mut self) {
        let scene = Self::part(&mut self.scene);
        for squad in self.agenda.open.iter().map(|squad| *squad as usize) {
            for write in self.desks[squad].writes.drain(..) {
                let info = scene.schema.info(write.key);
                let board = match write.key.scope {
                    Scope::Agent => None,
                    Scope::Squad => Some(&mut scene.squads[squad].board),
                    Scope::Team => scene.squads[squad].team.map(|team| &mut scene.teams[team as usize]),
                    Scope::World => Some(&mut scene.board),
                };
                if let Some(board) = board {
                    board.apply(info, &write.change, scene.clock);
                }
            }
        }
    }

    /// Entities that are gone leave the boards: their keys have their defaults again.
    pub(super) fn clear_gone(&mut self, gone: Entity) {
        let scene = Self::part(&mut self.scene);
        let schema = &scene.schema;
        let now = scene.clock;
        let clear = |board: &mut Board, scope| {
            for info in schema.keys(scope) {
                if *board.value(info.id) == Value::Entity(gone) {
                    board.apply(info, &Change::Set(Value::Nothing), now);
                }
            }
        };
        self.minds.iter_mut().for_each(|mind| clear(&mut mind.board, Scope::Agent));
        scene.squads.iter_mut().for_each(|squad| clear(&mut squad.board, Scope::Squad));
        scene.teams.iter_mut().for_each(|board| clear(board, Scope::Team));
        clear(&mut scene.board, Scope::World);
    }
}
