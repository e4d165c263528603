//! What a form of the designer draws: its fields in order, each with its value, its note and what is wrong with it.

/// A form, ready to draw.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FormView {
    /// `New entity`, `Entity Project`.
    pub title: String,
    /// A sentence under the title: what it is, or what it would do.
    pub words: String,
    /// Its fields in order.
    pub fields: Vec<FieldView>,
    /// What the button says that does it.
    pub apply: &'static str,
    /// What the button says that removes what the form is of; none for something new.
    pub remove: Option<&'static str>,
    /// The colour slot of the entity it is about.
    pub slot: u8,
}

/// A field of a form, or something to read between fields.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldView {
    /// The name its value goes by; what buttons ask for.
    pub name: String,
    /// What it is called.
    pub label: String,
    /// What it looks like.
    pub kind: FieldKind,
    /// What stands in it.
    pub value: String,
    /// An example of what could.
    pub hint: String,
    /// What to know about it.
    pub note: String,
    /// What is wrong with it.
    pub problem: String,
    /// True where it cannot be changed; the note says why.
    pub is_fixed: bool,
}

/// What a field looks like.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// A title between fields.
    Heading,
    /// Words to read.
    Words,
    /// A line of text.
    Text,
    /// A line of names, keys or values.
    Code,
    /// A number.
    Number,
    /// Several lines, such as JSON.
    Lines,
    /// Yes or no: `true` or nothing.
    Check,
    /// One of some values, each with its words, in a list that opens.
    Choice(Vec<(String, String)>),
    /// One of few values, each with its words, side by side.
    Segment(Vec<(String, String)>),
    /// One of few values, each with its words and figures, one below the other.
    Options(Vec<(String, String, String)>),
    /// A key template, and the key that the values tried make of it.
    Template(String),
    /// Fields side by side.
    Row(Vec<FieldView>),
    /// Buttons: what each does, by name, and what it says.
    Actions(Vec<(String, String)>),
    /// Names with what is to be read of each.
    Facts(Vec<FactView>),
    /// A share of a whole, 0 to 1, as a bar.
    Share(f32),
}

/// Something to read in a form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactView {
    /// What it is about.
    pub name: String,
    /// The letter of the entity it is about; empty for none.
    pub letter: String,
    /// That entity's colour slot.
    pub slot: u8,
    /// A key template, drawn with its slots; empty for none.
    pub template: String,
    /// What there is to say.
    pub text: String,
    /// True where it is a warning.
    pub is_problem: bool,
}

/// Why a form cannot be taken, and at which of its fields to say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormRefusal {
    /// The field's name.
    pub field: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl From<super::Refusal> for FormRefusal {
    /// A refusal of the form as a whole.
    fn from(refusal: super::Refusal) -> Self {
        Self { field: String::new(), message: refusal.words() }
    }
}
