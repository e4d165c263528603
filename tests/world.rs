//! `World`: a database and its clock, for pages and random requests.

use hashrange_engine::{Database, Delays};
use hashrange_types::{Operation, Timestamp, Voice};

/// The moment at which everything begins: 2026-01-01T00:00:00Z.
pub const START: Timestamp = Timestamp::from_millis(1_767_225_600_000);

/// A database, its clock and how it speaks.
#[derive(Debug, Clone)]
pub struct World {
    /// The database.
    pub database: Database,
    /// The time it is told.
    pub now: Timestamp,
    /// How it speaks.
    pub voice: Voice,
}

impl Default for World {
    /// An empty database at [`START`].
    fn default() -> Self {
        Self { database: Database::default(), now: START, voice: Voice::default() }
    }
}

impl World {
    /// Status and text of what is answered. `advance`, `delays` and `wording` are settings, as pages ask for them.
    pub fn answer(&mut self, operation: &str, text: &str) -> (u16, String) {
        match operation {
            "advance" => {
                let Ok(seconds) = text.parse::<i64>() else { return (400, "no number".to_owned()) };
                self.now = self.now.plus_millis(seconds * 1_000);
                return (200, String::new());
            }
            "delays" => {
                let delays = match text {
                    "measured" => Delays::MEASURED,
                    "short" => Delays::SHORT,
                    _ => return (400, "no such delays".to_owned()),
                };
                self.database = Database::with_delays(delays);
                return (200, String::new());
            }
            "wording" => match text.parse() {
                Ok(wording) => {
                    self.voice.wording = wording;
                    return (200, String::new());
                }
                Err(unknown) => return (400, unknown.to_string()),
            },
            _ => {}
        }
        let reply = hashrange_wire::target(&format!("DynamoDB_20120810.{operation}"))
            .or_else(|_| hashrange_wire::target(&format!("DynamoDBStreams_20120810.{operation}")))
            .and_then(|operation: Operation| hashrange_wire::decode(operation, text))
            .and_then(|request| self.database.call(request, self.now).reply);
        match reply {
            Ok(response) => (200, hashrange_wire::encode_in(&response, &self.voice)),
            Err(error) => {
                let encoded = hashrange_wire::encode_error(&error, &self.voice);
                (encoded.status, encoded.body)
            }
        }
    }
}
