use super::prelude::*;
use std::borrow::Cow;

/// Compares a key with a value.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::key("key", "what to compare"),
        Param::choice("is", &["==", "~=", "<", "<=", ">", ">="], "how; the last four are for numbers")
            .default_text("=="),
        Param::value("to", "the value, of the key's type; or bt.key \"…\" of the same type"),
    ],
    success: "it is so",
    failure: "it is not so, or an ordering is asked of a key without a value",
    ..NodeDef::new("compare", Kind::Condition, "compares a key with a value", |make| {
        let key = make.key("key")?;
        let to = make.value_for("to", key)?;
        let is = make.text("is").to_owned();
        let number = matches!(make.schema().info(key).ty, ValueType::Number | ValueType::Integer);
        if !number && is != "==" && is != "~=" {
            return Err(Error::new(
                ErrorKind::WrongType,
                format!(
                    "key '{}' is {}, which '{is}' cannot order",
                    make.text("key"),
                    make.schema().info(key).ty
                ),
            ));
        }
        Part::condition(Compare { key, is, to })
    })
};

struct Compare {
    key: KeyId,
    is: String,
    to: Result<Value, KeyId>,
}

impl Condition for Compare {
    fn check(&self, view: &View<'_>) -> bool {
        let left = view.peek(self.key);
        let right = match &self.to {
            Ok(value) => Cow::Borrowed(value),
            Err(other) => view.peek(*other),
        };
        match (self.is.as_str(), left.as_number(), right.as_number()) {
            ("==", _, _) => left == right,
            ("~=", _, _) => left != right,
            ("<", Some(a), Some(b)) => a < b,
            ("<=", Some(a), Some(b)) => a <= b,
            (">", Some(a), Some(b)) => a > b,
            (">=", Some(a), Some(b)) => a >= b,
            _ => false,
        }
    }
    fn wake(&self, _: &View<'_>) -> Wake {
        let other = self.to.as_ref().err().map_or(Wake::NEVER, |other| Wake::on(other.scope));
        Wake::on(self.key.scope).or(other)
    }
    fn evidence(&self, view: &View<'_>) -> Evidence {
        let wanted = match &self.to {
            Ok(value) => value.clone(),
            Err(other) => view.value(*other),
        };
        Evidence::of(What::Key(self.key), view.value(self.key)).against(wanted)
    }
}
