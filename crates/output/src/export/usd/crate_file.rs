//! A stage in USD's binary form (`.usdc`), "crate", version 0.8.0, which all programs of today read. Facts of the layout:
//! OpenUSD's `crateFile.h` and `crateFile.cpp`.
//!
//! A file is values, then tables: of tokens, of fields (a name with a value), of sets of fields, of paths, and of specs (a
//! path with a set of fields). A value is told by eight bytes: its type, and itself or where it stands.

use super::packing;
use super::stage::{Content, Prim, Property, Stage, Value};
use glam::Vec3;
use std::collections::HashMap;
use std::io::{Result, Write};
use std::rc::Rc;

/// Types of values.
#[derive(Clone, Copy)]
enum Type {
    Bool = 1,
    Int = 3,
    Float = 8,
    Double = 9,
    String = 10,
    Token = 11,
    Matrix4d = 15,
    Quatf = 17,
    Vec2f = 20,
    Vec3f = 24,
    Vec3h = 25,
    TokenListOp = 32,
    PathListOp = 34,
    ReferenceListOp = 35,
    TokenVector = 41,
    Specifier = 42,
    Variability = 44,
    TimeSamples = 46,
    DoubleVector = 48,
}

const IS_ARRAY: u64 = 1 << 63;
const IS_INLINED: u64 = 1 << 62;
/// What specs are of.
const ATTRIBUTE: u32 = 1;
const PRIM: u32 = 6;
const PSEUDO_ROOT: u32 = 7;
const RELATIONSHIP: u32 = 8;
/// Specifiers.
const DEF: u64 = 0;
const CLASS: u64 = 2;
/// A list that says all there is, with its items; one whose items come before others.
const EXPLICIT_ITEMS: u8 = 1 | 2;
const PREPENDED_ITEMS: u8 = 1 << 5;
/// One in half precision.
const HALF_ONE: [u8; 2] = [0x00, 0x3c];
/// Bytes before the first value: name, version, where the table of contents is, and room for more.
const HEAD: usize = 88;

/// How a value is told.
fn inlined(kind: Type, payload: u64) -> u64 {
    IS_INLINED | (kind as u64) << 48 | payload
}

fn standing_at(kind: Type, offset: usize) -> u64 {
    (kind as u64) << 48 | offset as u64
}

/// A path, with what a reader needs to rebuild it.
struct Path {
    element: u32,
    is_property: bool,
    children: Vec<u32>,
}

/// A file in the making.
struct Crate {
    bytes: Vec<u8>,
    tokens: Vec<String>,
    token_numbers: HashMap<String, u32>,
    /// Tokens that are strings.
    strings: Vec<u32>,
    fields: Vec<(u32, u64)>,
    field_numbers: HashMap<(u32, u64), u32>,
    field_sets: Vec<u32>,
    paths: Vec<Path>,
    path_numbers: HashMap<String, u32>,
    specs: Vec<(u32, u32, u32)>,
    /// Where values that are shared stand, by their addresses: the stage outlives the file in the making.
    shared: HashMap<usize, u64>,
    times: HashMap<usize, u64>,
    /// Where arrays stand, by their types and contents: people who wear the same share it.
    arrays: HashMap<(u64, Vec<u8>), u64>,
}

/// Writes a stage in binary.
pub fn write(stage: &Stage, out: &mut impl Write) -> Result<()> {
    let mut file = Crate {
        bytes: vec![0; HEAD],
        tokens: Vec::new(),
        token_numbers: HashMap::new(),
        strings: Vec::new(),
        fields: Vec::new(),
        field_numbers: HashMap::new(),
        field_sets: Vec::new(),
        paths: vec![Path { element: 0, is_property: false, children: Vec::new() }],
        path_numbers: HashMap::from([("/".to_owned(), 0)]),
        specs: Vec::new(),
        shared: HashMap::new(),
        times: HashMap::new(),
        arrays: HashMap::new(),
    };
    // Elements of paths that are properties have their tokens' numbers below 0: none of them may be 0.
    file.token("nothing");
    // Paths first: relationships name those of prims that come later.
    for prim in &stage.prims {
        file.add_paths(prim, "/", 0);
    }
    file.add_root(stage);
    for prim in &stage.prims {
        file.add_prim(prim, "/");
    }
    out.write_all(&file.finish())
}

impl Crate {
    fn token(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.token_numbers.get(text) {
            return number;
        }
        let number = self.tokens.len() as u32;
        self.tokens.push(text.to_owned());
        self.token_numbers.insert(text.to_owned(), number);
        number
    }

    fn string(&mut self, text: &str) -> u64 {
        let token = self.token(text);
        self.strings.push(token);
        inlined(Type::String, self.strings.len() as u64 - 1)
    }

    fn here(&mut self) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        self.bytes.len()
    }

    fn u32(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.bytes.extend(number.to_le_bytes());
    }

    /// A list with its length.
    fn numbers(&mut self, numbers: &[u32]) {
        self.u64(numbers.len() as u64);
        numbers.iter().for_each(|&number| self.u32(number));
    }

    fn token_vector(&mut self, texts: &[&str]) -> u64 {
        let numbers: Vec<u32> = texts.iter().map(|text| self.token(text)).collect();
        let at = self.here();
        self.numbers(&numbers);
        standing_at(Type::TokenVector, at)
    }

    fn list_op(&mut self, kind: Type, bits: u8, numbers: &[u32]) -> u64 {
        let at = self.here();
        self.bytes.push(bits);
        self.numbers(numbers);
        standing_at(kind, at)
    }

    /// A reference to a prim of this file, before any other.
    fn reference(&mut self, path: &str) -> u64 {
        let nothing = self.string("") & 0xffff_ffff;
        let at = self.here();
        self.bytes.push(PREPENDED_ITEMS);
        self.u64(1);
        self.u32(nothing as u32);
        self.u32(self.path_numbers[path]);
        // No other times, no other data.
        self.bytes.extend(0.0f64.to_le_bytes());
        self.bytes.extend(1.0f64.to_le_bytes());
        self.u64(0);
        standing_at(Type::ReferenceListOp, at)
    }

    fn double(&mut self, number: f64) -> u64 {
        let at = self.here();
        self.bytes.extend(number.to_le_bytes());
        standing_at(Type::Double, at)
    }

    /// An array: its length and its items.
    fn array(&mut self, kind: Type, count: usize, items: impl IntoIterator<Item = u8>) -> u64 {
        if count == 0 {
            return IS_ARRAY | (kind as u64) << 48;
        }
        // Poses are shared by those who show them; to look for each would take as much memory again.
        if matches!(kind, Type::Quatf) {
            let at = self.here();
            self.u64(count as u64);
            self.bytes.extend(items);
            return IS_ARRAY | standing_at(kind, at);
        }
        let key = (kind as u64, items.into_iter().collect::<Vec<u8>>());
        if let Some(&told) = self.arrays.get(&key) {
            return told;
        }
        let at = self.here();
        self.u64(count as u64);
        self.bytes.extend(&key.1);
        let told = IS_ARRAY | standing_at(kind, at);
        self.arrays.insert(key, told);
        told
    }

    fn value(&mut self, value: &Value) -> u64 {
        let vector = |v: &Vec3| v.to_array().map(f32::to_le_bytes).into_iter().flatten();
        match value {
            Value::Token(text) => inlined(Type::Token, self.token(text).into()),
            Value::Tokens(texts) => {
                let numbers: Vec<u32> = texts.iter().map(|text| self.token(text)).collect();
                self.array(Type::Token, texts.len(), numbers.into_iter().flat_map(u32::to_le_bytes))
            }
            Value::Flag(flag) => inlined(Type::Bool, u64::from(*flag)),
            Value::Pair(pair) => {
                let at = self.here();
                self.bytes.extend(pair.map(f32::to_le_bytes).into_iter().flatten());
                standing_at(Type::Vec2f, at)
            }
            Value::Float(number) => inlined(Type::Float, number.to_bits().into()),
            Value::Vector(v) => {
                let at = self.here();
                self.bytes.extend(vector(v));
                standing_at(Type::Vec3f, at)
            }
            Value::Integers(numbers) => {
                self.array(Type::Int, numbers.len(), numbers.iter().flat_map(|number| number.to_le_bytes()))
            }
            Value::Floats(numbers) => {
                self.array(Type::Float, numbers.len(), numbers.iter().flat_map(|number| number.to_le_bytes()))
            }
            Value::Vectors(vectors) => {
                self.array(Type::Vec3f, vectors.len(), vectors.iter().flat_map(vector))
            }
            Value::Rotations(turns) => {
                let turn = |q: &glam::Quat| q.to_array().map(f32::to_le_bytes).into_iter().flatten();
                self.array(Type::Quatf, turns.len(), turns.iter().flat_map(turn))
            }
            Value::UnitScales(count) => {
                self.array(Type::Vec3h, *count, std::iter::repeat_n(HALF_ONE, 3 * count).flatten())
            }
            Value::Matrices(all) => {
                let matrix = |(scale, at): &(Vec3, Vec3)| {
                    let [[a, b, c], [x, y, z]] = [scale, at].map(|v| v.as_dvec3().to_array());
                    let rows = [a, 0.0, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, 0.0, c, 0.0, x, y, z, 1.0f64];
                    rows.into_iter().flat_map(f64::to_le_bytes)
                };
                self.array(Type::Matrix4d, all.len(), all.iter().flat_map(matrix))
            }
        }
    }

    /// A value that others may share.
    fn shared(&mut self, value: &Rc<Value>) -> u64 {
        let address = Rc::as_ptr(value) as usize;
        if let Some(&told) = self.shared.get(&address) {
            return told;
        }
        let told = self.value(value);
        self.shared.insert(address, told);
        told
    }

    fn samples(&mut self, times: &Rc<Vec<f64>>, values: &[Rc<Value>]) -> u64 {
        let address = Rc::as_ptr(times) as usize;
        let told_times = match self.times.get(&address) {
            Some(&told) => told,
            None => {
                let at = self.here();
                self.u64(times.len() as u64);
                times.iter().for_each(|time| self.bytes.extend(time.to_le_bytes()));
                let told = standing_at(Type::DoubleVector, at);
                self.times.insert(address, told);
                told
            }
        };
        let values: Vec<u64> = values.iter().map(|value| self.shared(value)).collect();
        let at = self.here();
        // Each part is found by a jump, here to what follows.
        self.u64(8);
        self.u64(told_times);
        self.u64(8);
        self.u64(values.len() as u64);
        values.into_iter().for_each(|value| self.u64(value));
        standing_at(Type::TimeSamples, at)
    }

    fn add_path(&mut self, parent: u32, path: String, element: &str, is_property: bool) -> u32 {
        let element = self.token(element);
        let number = self.paths.len() as u32;
        self.paths.push(Path { element, is_property, children: Vec::new() });
        self.paths[parent as usize].children.push(number);
        self.path_numbers.insert(path, number);
        number
    }

    fn add_paths(&mut self, prim: &Prim, above: &str, parent: u32) {
        let path = joined(above, &prim.name);
        let number = self.add_path(parent, path.clone(), &prim.name, false);
        for child in &prim.children {
            self.add_paths(child, &path, number);
        }
        for property in &prim.properties {
            self.add_path(number, format!("{path}.{}", property.name), property.name, true);
        }
    }

    fn add_spec(&mut self, path: &str, kind: u32, fields: &[(&str, u64)]) {
        let set = self.field_sets.len() as u32;
        for &(name, value) in fields {
            let field = (self.token(name), value);
            let next = self.fields.len() as u32;
            let number = *self.field_numbers.entry(field).or_insert(next);
            if number == next {
                self.fields.push(field);
            }
            self.field_sets.push(number);
        }
        self.field_sets.push(u32::MAX);
        self.specs.push((self.path_numbers[path], set, kind));
    }

    fn add_root(&mut self, stage: &Stage) {
        let names: Vec<&str> = stage.prims.iter().map(|prim| prim.name.as_str()).collect();
        let children = self.token_vector(&names);
        let first = self.token(names.first().copied().unwrap_or_default());
        let up = self.token("Z");
        let fields = [
            ("primChildren", children),
            ("defaultPrim", inlined(Type::Token, first.into())),
            ("documentation", self.string(&stage.documentation)),
            ("upAxis", inlined(Type::Token, up.into())),
            ("metersPerUnit", self.double(1.0)),
            ("timeCodesPerSecond", self.double(stage.rate)),
            ("framesPerSecond", self.double(stage.rate)),
            ("startTimeCode", self.double(0.0)),
            ("endTimeCode", self.double(stage.last)),
        ];
        self.add_spec("/", PSEUDO_ROOT, &fields);
    }

    fn add_prim(&mut self, prim: &Prim, above: &str) {
        let path = joined(above, &prim.name);
        let specifier = if prim.is_class { CLASS } else { DEF };
        let kind = self.token(prim.kind);
        let mut fields = vec![
            ("specifier", inlined(Type::Specifier, specifier)),
            ("typeName", inlined(Type::Token, kind.into())),
        ];
        if prim.binds {
            let schema = self.token("SkelBindingAPI");
            fields.push(("apiSchemas", self.list_op(Type::TokenListOp, PREPENDED_ITEMS, &[schema])));
        }
        if let Some(of) = &prim.instance_of {
            fields.push(("instanceable", inlined(Type::Bool, 1)));
            fields.push(("references", self.reference(of)));
        }
        if !prim.properties.is_empty() {
            let names: Vec<&str> = prim.properties.iter().map(|property| property.name).collect();
            fields.push(("properties", self.token_vector(&names)));
        }
        if !prim.children.is_empty() {
            let names: Vec<&str> = prim.children.iter().map(|child| child.name.as_str()).collect();
            fields.push(("primChildren", self.token_vector(&names)));
        }
        self.add_spec(&path, PRIM, &fields);
        for property in &prim.properties {
            self.add_property(property, &path);
        }
        for child in &prim.children {
            self.add_prim(child, &path);
        }
    }

    fn add_property(&mut self, property: &Property, prim: &str) {
        let path = format!("{prim}.{}", property.name);
        let mut fields = Vec::new();
        let spec = match &property.content {
            Content::To(target) => {
                let target = self.path_numbers[target];
                fields.push(("variability", inlined(Type::Variability, 1)));
                fields.push(("targetPaths", self.list_op(Type::PathListOp, EXPLICIT_ITEMS, &[target])));
                RELATIONSHIP
            }
            content => {
                let kind = self.token(property.kind);
                fields.push(("typeName", inlined(Type::Token, kind.into())));
                if property.uniform {
                    fields.push(("variability", inlined(Type::Variability, 1)));
                }
                match content {
                    Content::Sampled(times, values) => {
                        fields.push(("timeSamples", self.samples(times, values)))
                    }
                    Content::Fixed(value) => fields.push(("default", self.value(value))),
                    Content::To(_) => {}
                }
                ATTRIBUTE
            }
        };
        if let Some((interpolation, size)) = property.interpolation {
            let interpolation = self.token(interpolation);
            fields.push(("interpolation", inlined(Type::Token, interpolation.into())));
            if size > 1 {
                fields.push(("elementSize", inlined(Type::Int, size as u64)));
            }
        }
        self.add_spec(&path, spec, &fields);
    }

    /// The tables after the values, and the head that leads to them.
    fn finish(mut self) -> Vec<u8> {
        let mut sections: Vec<(&str, usize, usize)> = Vec::new();
        let mut section = |this: &mut Self, name, write: &dyn Fn(&mut Self)| {
            let start = this.here();
            write(this);
            sections.push((name, start, this.bytes.len() - start));
        };
        section(&mut self, "TOKENS", &|this| {
            let text: Vec<u8> = this.tokens.iter().flat_map(|token| token.bytes().chain([0])).collect();
            this.u64(this.tokens.len() as u64);
            this.u64(text.len() as u64);
            this.packed(&packing::block(&text));
        });
        section(&mut self, "STRINGS", &|this| this.numbers(&this.strings.clone()));
        section(&mut self, "FIELDS", &|this| {
            this.u64(this.fields.len() as u64);
            let names = packing::numbers(this.fields.iter().map(|&(name, _)| name as i32));
            let values: Vec<u8> = this.fields.iter().flat_map(|(_, value)| value.to_le_bytes()).collect();
            this.packed(&names);
            this.packed(&packing::block(&values));
        });
        section(&mut self, "FIELDSETS", &|this| {
            this.u64(this.field_sets.len() as u64);
            let sets = packing::numbers(this.field_sets.iter().map(|&field| field as i32));
            this.packed(&sets);
        });
        section(&mut self, "PATHS", &|this| {
            let mut tree = Vec::with_capacity(this.paths.len());
            this.lay_out(0, false, &mut tree);
            this.u64(this.paths.len() as u64);
            this.u64(this.paths.len() as u64);
            for column in 0..3 {
                this.packed(&packing::numbers(tree.iter().map(|row| row[column])));
            }
        });
        section(&mut self, "SPECS", &|this| {
            this.u64(this.specs.len() as u64);
            let specs = this.specs.clone();
            this.packed(&packing::numbers(specs.iter().map(|spec| spec.0 as i32)));
            this.packed(&packing::numbers(specs.iter().map(|spec| spec.1 as i32)));
            this.packed(&packing::numbers(specs.iter().map(|spec| spec.2 as i32)));
        });
        let contents = self.here();
        self.u64(sections.len() as u64);
        for (name, start, size) in sections {
            let mut padded = [0; 16];
            padded[..name.len()].copy_from_slice(name.as_bytes());
            self.bytes.extend(padded);
            self.u64(start as u64);
            self.u64(size as u64);
        }
        self.bytes[..8].copy_from_slice(b"PXR-USDC");
        self.bytes[8..11].copy_from_slice(&[0, 8, 0]);
        self.bytes[16..24].copy_from_slice(&(contents as u64).to_le_bytes());
        self.bytes
    }

    /// Something packed, behind its length.
    fn packed(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// A path with all below it, each as its number, its element (below 0 where it is a property) and the way to what is
    /// beside it: so many rows on where there is something below, too; 0 where it comes next; else -1 where only something
    /// is below, and -2 where nothing is.
    fn lay_out(&self, number: u32, has_sibling: bool, tree: &mut Vec<[i32; 3]>) {
        let Path { element, is_property, children } = &self.paths[number as usize];
        let element = if *is_property { -(*element as i32) } else { *element as i32 };
        let row = tree.len();
        tree.push([number as i32, element, 0]);
        for (index, &child) in children.iter().enumerate() {
            self.lay_out(child, index + 1 < children.len(), tree);
        }
        tree[row][2] = match (children.is_empty(), has_sibling) {
            (false, true) => (tree.len() - row) as i32,
            (false, false) => -1,
            (true, true) => 0,
            (true, false) => -2,
        };
    }
}

fn joined(above: &str, name: &str) -> String {
    if above == "/" { format!("/{name}") } else { format!("{above}/{name}") }
}
