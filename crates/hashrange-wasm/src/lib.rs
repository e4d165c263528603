//! The JavaScript door: a DynamoDB in memory as one class that takes and gives JSON text.
//!
//! Invariant: nothing but conversion. What a request means is the engine's; how it is spelled is the wire's.
//! Time enters here, from the page's clock, and nowhere else.
//!
//! Not here: the page, designs and lessons (`hashrange-playground`), and loading the module (`web/npm`).

mod types;

use hashrange_engine::Database;
use hashrange_types::{ApiError, Operation, Response, Timestamp, Voice};
use js_sys::{Error, Object, Reflect};
use wasm_bindgen::prelude::*;

/// A database without tables. Each engine is on its own; `free()` gives its memory back.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Engine {
    database: Database,
}

#[wasm_bindgen]
impl Engine {
    /// A database without tables.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends a request such as `send("GetItem", '{"TableName": …}')` and returns the response's JSON text.
    ///
    /// A request that is left out is `{}`.
    ///
    /// # Errors
    /// Throws an `EngineError` for whatever DynamoDB refuses, and a `TypeError` where an argument is not text.
    pub fn send(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "OperationName")] operation: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] json: &JsValue,
    ) -> Result<String, JsValue> {
        let name = operation
            .as_string()
            .ok_or_else(|| not_text("the operation must be text, such as \"GetItem\""))?;
        let json = request_text(json)?;
        let reply = Operation::from_name(&name)
            .ok_or(ApiError::UnknownOperation)
            .and_then(|operation| self.call(operation, &json));
        reply.map(|response| hashrange_wire::encode(&response)).map_err(|error| thrown(&error))
    }

    /// Answers as DynamoDB's HTTP endpoint does: `target` is the header `X-Amz-Target`, `body` the request.
    ///
    /// Refusals are replies here, with their status and body; only an argument that is not text throws.
    ///
    /// # Errors
    /// Throws a `TypeError` where an argument is not text.
    #[wasm_bindgen(js_name = sendText, unchecked_return_type = "EngineReply")]
    pub fn send_text(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "string")] target: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] body: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let target = target.as_string().ok_or_else(|| {
            not_text("the target must be text, such as \"DynamoDB_20120810.GetItem\"")
        })?;
        let body = request_text(body)?;
        let reply =
            hashrange_wire::target(&target).and_then(|operation| self.call(operation, &body));
        Ok(match reply {
            Ok(response) => http_reply(200, &hashrange_wire::encode(&response)),
            Err(error) => {
                let encoded = hashrange_wire::encode_error(&error, &Voice::default());
                http_reply(encoded.status, &encoded.body)
            }
        })
    }

    fn call(&mut self, operation: Operation, json: &str) -> Result<Response, ApiError> {
        let request = hashrange_wire::decode(operation, json)?;
        self.database.call(request, now()).reply
    }
}

/// The page's clock, to the millisecond.
#[expect(clippy::cast_possible_truncation, reason = "milliseconds of this era fit 53 bits")]
fn now() -> Timestamp {
    Timestamp::from_millis(js_sys::Date::now() as i64)
}

/// The text of a request; one that is left out is empty.
fn request_text(json: &JsValue) -> Result<String, JsValue> {
    if json.is_undefined() || json.is_null() {
        return Ok("{}".to_owned());
    }
    json.as_string()
        .ok_or_else(|| not_text("the request must be JSON text: pass it through JSON.stringify"))
}

fn not_text(sentence: &str) -> JsValue {
    js_sys::TypeError::new(sentence).into()
}

/// A refusal as a JavaScript error: `name` is the exception, `status` and `body` what the endpoint would send.
fn thrown(error: &ApiError) -> JsValue {
    let encoded = hashrange_wire::encode_error(error, &Voice::default());
    let thrown = Error::new(&error.to_string());
    thrown.set_name(error.name());
    set(&thrown, "status", &encoded.status.into());
    set(&thrown, "body", &encoded.body.into());
    thrown.into()
}

fn http_reply(status: u16, body: &str) -> JsValue {
    let reply = Object::new();
    set(&reply, "status", &status.into());
    set(&reply, "body", &body.into());
    reply.into()
}

fn set(object: &JsValue, name: &str, value: &JsValue) {
    let is_set = Reflect::set(object, &name.into(), value);
    debug_assert!(is_set.is_ok(), "a new object takes any member");
}
