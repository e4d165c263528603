//! The settings store: theme, drawer and single-letter keys, kept in local storage.

use crate::browser::settings as kept;
use crate::signal::RwSignal;

/// Which theme the page wears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    /// What the system says.
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// Its word in storage and in `data-theme`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn of_word(word: &str) -> Self {
        match word {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    /// The one that the toggle goes to next.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

/// What a person set and expects to find again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SettingsStore {
    theme: RwSignal<Theme>,
    drawer: RwSignal<&'static str>,
    has_letter_keys: RwSignal<bool>,
}

impl SettingsStore {
    /// The defaults: the system's theme, the drawer open where there is room, letter keys on.
    pub(crate) fn new() -> Self {
        Self {
            theme: RwSignal::new(Theme::System),
            drawer: RwSignal::new("auto"),
            has_letter_keys: RwSignal::new(true),
        }
    }

    /// Takes over what the browser kept.
    pub(crate) fn load(self) {
        if let Some(word) = kept::read("theme") {
            self.theme.set(Theme::of_word(&word));
        }
        match kept::read("drawer").as_deref() {
            Some("open") => self.drawer.set("open"),
            Some("closed") => self.drawer.set("closed"),
            _ => {}
        }
        self.has_letter_keys.set(kept::read("letter-keys").as_deref() != Some("off"));
    }

    /// The theme. Tracks it.
    pub(crate) fn theme(self) -> Theme {
        self.theme.get()
    }

    /// Wears a theme from now on.
    pub(crate) fn set_theme(self, theme: Theme) {
        self.theme.set(theme);
        kept::write("theme", theme.word());
        kept::wear(theme.word());
    }

    /// The drawer's state: `auto`, `open` or `closed`. Tracks it.
    pub(crate) fn drawer(self) -> &'static str {
        self.drawer.get()
    }

    /// Opens or closes the drawer.
    pub(crate) fn open_drawer(self, is_open: bool) {
        let word = if is_open { "open" } else { "closed" };
        self.drawer.set(word);
        kept::write("drawer", word);
    }

    /// True if single letters act outside text fields. Tracks it.
    pub(crate) fn has_letter_keys(self) -> bool {
        self.has_letter_keys.get()
    }

    /// Switches single-letter keys on or off.
    pub(crate) fn set_letter_keys(self, is_on: bool) {
        self.has_letter_keys.set(is_on);
        kept::write("letter-keys", if is_on { "on" } else { "off" });
    }
}
