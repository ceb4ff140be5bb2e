//! Reading TOML so that every mistake is found in one go, each with its line and a near name.
//!
//! A [`Fields`] remembers which names it was asked for: what is left over at the end is unknown, and the names
//! that were asked for are those that it could have meant. So there is no second list of fields. It must not know what a
//! scenario is.

use crate::error::{Error, ErrorKind, Place};
use crate::math::{Vec3, vec3};
use std::cell::RefCell;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text that is read and the faults found in it so far.
pub(super) struct Source<'t> {
    file: Arc<str>,
    text: &'t str,
    faults: RefCell<Vec<Error>>,
}

impl<'t> Source<'t> {
    pub fn new(file: &str, text: &'t str) -> Self {
        Self { file: file.into(), text, faults: RefCell::default() }
    }

    /// The place of a byte of the text.
    pub fn place(&self, offset: usize) -> Place {
        let before = self.text.as_bytes().iter().take(offset);
        let line = before.filter(|byte| **byte == b'\n').count() + 1;
        Place::new(self.file.clone(), u32::try_from(line).unwrap_or(0))
    }

    pub fn fault(&self, error: Error) {
        self.faults.borrow_mut().push(error);
    }

    /// What was found, in the order of lines; the same fault only once. In a text that is no TOML, only where it
    /// is not: the rest follows from that.
    pub fn into_faults(self) -> Vec<Error> {
        let mut faults = self.faults.into_inner();
        if faults.iter().any(|error| error.kind() == ErrorKind::Syntax && error.path().is_none()) {
            faults.retain(|error| error.kind() == ErrorKind::Syntax);
        }
        faults.sort_by_key(|error| error.place().map(|place| place.line));
        faults.dedup();
        faults
    }

    /// The text as a table; what is no TOML becomes a fault.
    pub fn parse(&self) -> Spanned<DeTable<'t>> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            let place = self.place(error.span().map_or(0, |span| span.start));
            let message = error.message().replace('\n', ", ").replace('`', "'");
            self.fault(Error::new(ErrorKind::Syntax, format!("not legal TOML: {message}")).at(place));
        }
        table
    }
}

/// The largest length, speed or coordinate: its square and sums of those are far from what `f32` can hold.
const LARGEST: f64 = 1e9;

/// Which numbers a field takes.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    low: f64,
    high: f64,
    open: bool,
}

impl Bounds {
    /// Any finite number.
    pub const ANY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, open: false };
    /// Any finite number, also one that is no length.
    pub const VALUE: Self = Self::between(f64::MIN, f64::MAX);
    /// 0 and more.
    pub const POSITIVE: Self = Self::between(0.0, f64::INFINITY);
    /// More than 0.
    pub const ABOVE_ZERO: Self = Self { low: 0.0, high: f64::INFINITY, open: true };

    /// From `low` to `high`, both included.
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low, high, open: false }
    }

    fn contains(self, number: f64) -> bool {
        number.is_finite()
            && number <= self.high
            && if self.open { number > self.low } else { number >= self.low }
    }

    /// Whether there is no other end than that of what can be reckoned with.
    fn is_endless(self) -> bool {
        self.high == f64::INFINITY
    }

    fn text(self) -> String {
        match (self.open, self.low.is_finite(), self.high.is_finite()) {
            (true, ..) => format!("above {}", self.low),
            (_, true, true) => format!("between {} and {}", self.low, self.high),
            (_, true, false) => format!("at least {}", self.low),
            _ => "a finite number".to_owned(),
        }
    }
}

/// A value and where it stands, with what it is the value of.
#[derive(Clone)]
pub(super) struct Item<'t, 's> {
    source: &'s Source<'t>,
    value: &'s Spanned<DeValue<'t>>,
    name: String,
    path: Arc<str>,
}

impl<'t, 's> Item<'t, 's> {
    /// Reports a fault of this value.
    pub fn fault(&self, kind: ErrorKind, message: impl Into<String>) {
        self.report(Error::new(kind, message));
    }

    /// Reports a fault of this value, with its place and path added.
    pub fn report(&self, error: Error) {
        let error = error.at(self.place());
        self.source.fault(if self.path.is_empty() { error } else { error.on_path(&*self.path) });
    }

    pub fn place(&self) -> Place {
        self.source.place(self.value.span().start)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    fn wrong_type<T>(&self, takes: &str) -> Option<T> {
        let message = format!("'{}' takes {takes}, got {}", self.name, self.got());
        self.fault(ErrorKind::WrongType, message);
        None
    }

    /// What was given, as its author wrote it; lists and tables only by their kind.
    fn got(&self) -> &'t str {
        match self.value.get_ref() {
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
            _ => self.source.text.get(self.value.span()).unwrap_or_default(),
        }
    }

    pub fn is_text(&self) -> bool {
        self.value.get_ref().is_str()
    }

    pub fn is_whole(&self) -> bool {
        self.value.get_ref().is_integer()
    }

    pub fn is_list(&self) -> bool {
        self.value.get_ref().is_array()
    }

    pub fn as_flag(&self) -> Option<bool> {
        self.value.get_ref().as_bool()
    }

    pub fn text(&self) -> Option<String> {
        match self.value.get_ref() {
            DeValue::String(text) if !text.is_empty() => Some(text.to_string()),
            DeValue::String(_) => {
                self.fault(ErrorKind::Missing, format!("'{}' is an empty string", self.name));
                None
            }
            _ => self.wrong_type("a string"),
        }
    }

    pub fn flag(&self) -> Option<bool> {
        self.value.get_ref().as_bool().or_else(|| self.wrong_type("true or false"))
    }

    pub fn whole(&self) -> Option<i64> {
        let DeValue::Integer(number) = self.value.get_ref() else { return self.wrong_type("a whole number") };
        let read = i64::from_str_radix(number.as_str(), number.radix()).ok();
        if read.is_none() {
            self.fault(ErrorKind::OutOfRange, format!("'{}' is too large, got {}", self.name, self.got()));
        }
        read
    }

    /// A number that may be infinite or none.
    fn raw(&self) -> Option<f64> {
        match self.value.get_ref() {
            DeValue::Integer(_) => self.whole().map(|number| number as f64),
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => self.wrong_type("a number"),
        }
    }

    pub fn number(&self, bounds: Bounds) -> Option<f64> {
        let number = self.raw()?;
        if bounds.is_endless() && number.abs() > LARGEST && (number as f32).is_finite() {
            let message = format!("'{}' must be between -1e9 and 1e9, got {}", self.name, self.got());
            self.fault(ErrorKind::OutOfRange, message);
            return None;
        }
        // A number that f32 cannot hold is as useless as an infinite one.
        if bounds.contains(number) && (number as f32).is_finite() {
            return Some(number);
        }
        let finite = (number as f32).is_finite();
        let kind = if finite { ErrorKind::OutOfRange } else { ErrorKind::NotFinite };
        let text = if finite { bounds.text() } else { Bounds::ANY.text() };
        self.fault(kind, format!("'{}' must be {text}, got {}", self.name, self.got()));
        None
    }

    /// The values of a list.
    pub fn list(&self) -> Option<Vec<Item<'t, 's>>> {
        let Some(array) = self.value.get_ref().as_array() else { return self.wrong_type("a list") };
        let item = |(at, value)| Item { value, name: format!("{}[{}]", self.name, at + 1), ..self.clone() };
        Some(array.iter().enumerate().map(item).collect())
    }

    /// A point: `[x, z]` on the ground or `[x, y, z]`.
    pub fn point(&self) -> Option<Vec3> {
        let shape = "a point, [x, z] or [x, y, z]";
        let Some(array) = self.value.get_ref().as_array() else { return self.wrong_type(shape) };
        if array.len() != 2 && array.len() != 3 {
            let message = format!("'{}' takes {shape}, got a list of {}", self.name, array.len());
            self.fault(ErrorKind::WrongType, message);
            return None;
        }
        let numbers: Vec<_> = self.list()?.iter().map(|item| item.number(Bounds::ANY)).collect();
        match *numbers.as_slice() {
            [Some(x), Some(z)] => Some(vec3(x as f32, 0.0, z as f32)),
            [Some(x), Some(y), Some(z)] => Some(vec3(x as f32, y as f32, z as f32)),
            _ => None,
        }
    }

    /// A list of points; those that are none are left out, with a fault.
    pub fn points(&self) -> Option<Vec<Vec3>> {
        Some(self.list()?.iter().filter_map(Item::point).collect())
    }

    /// The values of a table whose names are the author's own.
    pub fn entries(&self) -> Option<Vec<Item<'t, 's>>> {
        let Some(table) = self.value.get_ref().as_table() else { return self.wrong_type("a table") };
        let path: Arc<str> = format!("{}, {}", self.path, self.name).into();
        let named = |key: &str, value| {
            let path = path.clone();
            Item { source: self.source, value, name: key.to_owned(), path }
        };
        Some(table.iter().map(|(key, value)| named(key.get_ref(), value)).collect())
    }

    /// A table, known in errors by its name and what it is in.
    pub fn fields(&self) -> Option<Fields<'t, 's>> {
        let inside = !self.path.is_empty();
        let path = if inside { format!("{}, {}", self.path, self.name) } else { self.name.clone() };
        match self.value.get_ref() {
            DeValue::Table(table) => Some(Fields::new(self.source, table, self.value.span().start, &path)),
            _ => self.wrong_type("a table"),
        }
    }
}

/// A table and the names it was asked for. [`Fields::close`] must end it.
pub(super) struct Fields<'t, 's> {
    source: &'s Source<'t>,
    table: &'s DeTable<'t>,
    start: usize,
    path: Arc<str>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'t, 's> Fields<'t, 's> {
    /// `start` is where it begins in the text; `path` says what it is, for errors.
    pub fn new(source: &'s Source<'t>, table: &'s DeTable<'t>, start: usize, path: &str) -> Self {
        Self { source, table, start, path: path.into(), asked: RefCell::default() }
    }

    /// From now on it is known as `path`.
    pub fn rename(&mut self, path: &str) {
        self.path = path.into();
    }

    pub fn place(&self) -> Place {
        self.source.place(self.start)
    }

    /// Reports a fault of the whole table.
    pub fn report(&self, error: Error) {
        let error = error.at(self.place());
        self.source.fault(if self.path.is_empty() { error } else { error.on_path(&*self.path) });
    }

    /// The value of a field, if it is there.
    pub fn get(&self, name: &'static str) -> Option<Item<'t, 's>> {
        self.asked.borrow_mut().push(name);
        let (_, value) = self.table.iter().find(|(key, _)| key.get_ref() == name)?;
        Some(Item { source: self.source, value, name: name.to_owned(), path: self.path.clone() })
    }

    /// The value of a field that must be there; `what` says what it is for.
    pub fn need(&self, name: &'static str, what: &str) -> Option<Item<'t, 's>> {
        let item = self.get(name);
        if item.is_none() {
            self.report(Error::new(ErrorKind::Missing, format!("field '{name}' is missing: {what}")));
        }
        item
    }

    pub fn text(&self, name: &'static str) -> Option<String> {
        self.get(name)?.text()
    }

    pub fn flag(&self, name: &'static str) -> Option<bool> {
        self.get(name)?.flag()
    }

    pub fn number(&self, name: &'static str, bounds: Bounds) -> Option<f64> {
        self.get(name)?.number(bounds)
    }

    /// Overwrites `slot` with a field, if that is there and good.
    pub fn put(&self, name: &'static str, bounds: Bounds, slot: &mut f32) {
        if let Some(number) = self.number(name, bounds) {
            *slot = number as f32;
        }
    }

    /// The tables of `[[name]]`.
    pub fn tables(&self, name: &'static str) -> Vec<Fields<'t, 's>> {
        let items = self.get(name).and_then(|item| item.list()).unwrap_or_default();
        items.iter().filter_map(Item::fields).collect()
    }

    /// Which of `names` is there; a fault unless it is exactly one.
    pub fn one_of(&self, names: &[&'static str]) -> Option<Item<'t, 's>> {
        let mut found: Vec<_> = names.iter().filter_map(|name| self.get(name)).collect();
        let list = names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
        match found.len() {
            0 => self.report(Error::new(ErrorKind::Missing, format!("one of {list} is missing"))),
            1 => {}
            _ => found[1].fault(
                ErrorKind::TooMany,
                format!("'{}' and '{}' exclude each other: give one of {list}", found[0].name, found[1].name),
            ),
        }
        (found.len() == 1).then(|| found.remove(0))
    }

    /// Reports the fields that nobody asked for.
    pub fn close(self) {
        let asked = self.asked.borrow();
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            if !asked.contains(&name) {
                let error = Error::new(ErrorKind::UnknownName, format!("unknown field '{name}'"))
                    .hint(format!("there are {}", list_of(&asked)))
                    .near(name, asked.iter().copied())
                    .at(self.source.place(key.span().start));
                self.source.fault(if self.path.is_empty() { error } else { error.on_path(&*self.path) });
            }
        }
    }
}

fn list_of(names: &[&'static str]) -> String {
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}
