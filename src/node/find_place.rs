use super::prelude::*;
use crate::args::Arg;
use crate::query::{Place, Query};

/// Looks for a place and writes it to a key: a query in one node, without Lua.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::key("into", "a vec3 key: where the place is written").written(),
        Param::aim_or_self("around", "the middle of the ring that is searched"),
        Param::number("inner", "from how far off").unit("m").range(0.0, 1e5).default(0.0),
        Param::number("outer", "up to how far off").unit("m").range(0.0, 1e5),
        Param::integer("points", "how many places are looked at").range(1.0, 4096.0).default(64.0),
        Param::bool("walkable", "whether the agent's body must be able to stand there").default_bool(true),
        Param::number("away_from_mates", "how far it is from every other member of the squad at least")
            .unit("m")
            .range(0.0, 1e5)
            .default(0.0),
        Param::aim_or_self("visible_from", "from where it must be in view").optional(),
        Param::aim_or_self("hidden_from", "from where it must be out of view: cover").optional(),
        Param::aim_or_self("near", "the nearer to this the better; the agent itself, if neither is given")
            .optional(),
        Param::aim_or_self("far", "the farther from this the better").optional(),
    ],
    success: "a place was found and written",
    abort: "it is never running",
    failure: "no place is right, or one that is asked about is not known; the key stays as it was",
    ..NodeDef::new(
        "find_place",
        Kind::Action,
        "looks for the best place on a ring: to stand, to hide, to shoot from",
        |make| {
            let into = make.key_typed("into", &[ValueType::Vec3])?;
            let (query, places) = query_of(make)?;
            Part::leaf(FindPlace { into, query, places })
        },
    )
};

const PLACES: &str =
    "\"self\", \"target\", \"place\", \"home\", \"squad\", \"leader\", a vec3, or bt.key \"…\"";

/// The query, and the places that it means by their numbers.
fn query_of(make: &Make<'_>) -> crate::Result<(Query, Vec<Aim>)> {
    let mut places = Vec::new();
    let mut given = |name: &str| -> crate::Result<Option<Place>> {
        if matches!(make.args.get(name), Some(Arg::Text(word)) if word == "self") {
            return Ok(Some(Place::Me));
        }
        let aim = make.aim(name).map_err(|error| match error.kind() {
            ErrorKind::UnknownName if error.message().contains("is no place") => error.hint(PLACES),
            _ => error,
        })?;
        places.extend(aim);
        Ok(aim.map(|_| Place::Given(places.len() as u8 - 1)))
    };
    let around = given("around")?.unwrap_or(Place::Me);
    let (inner, outer) = (make.number("inner"), make.number("outer"));
    let mut query = Query::ring(around, inner, outer, make.number("points") as usize)?;
    if make.number("away_from_mates") > 0.0 {
        query = query.away_from_mates(make.number("away_from_mates"))?;
    }
    if let Some(place) = given("near")? {
        query = query.near(place, 1.0)?;
    }
    if let Some(place) = given("far")? {
        query = query.far(place, 1.0)?;
    }
    if make.bool("walkable") {
        query = query.walkable();
    }
    if let Some(place) = given("visible_from")? {
        query = query.visible_from(place);
    }
    if let Some(place) = given("hidden_from")? {
        query = query.hidden_from(place);
    }
    Ok((query, places))
}

struct FindPlace {
    into: KeyId,
    query: Query,
    places: Vec<Aim>,
}

impl Leaf for FindPlace {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        match cx.find_place(&self.query, &self.places) {
            Some(place) => cx.write(self.into, Change::Set(Value::Vec3(place))),
            None => Status::Failure,
        }
    }
}
