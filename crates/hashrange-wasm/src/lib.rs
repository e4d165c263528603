//! The JavaScript door: a DynamoDB in memory as one class, spoken to in objects, JSON text or HTTP's parts.
//!
//! Invariant: nothing but conversion. What a request means is the engine's; how it is spelled is the wire's.
//! Time enters here, from the page's clock, and nowhere else.
//!
//! Not here: the page, designs and lessons (`hashrange-playground`), loading the module, the AWS SDK and
//! Node's server (`web/npm`).

mod driver;
mod input;
mod options;
mod output;
#[cfg(feature = "simulation")]
mod simulated;
mod types;

use std::cell::RefCell;

use hashrange_types::{ApiError, Operation, Request};
use hashrange_wire::{Credentials, EncodedError};
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

use driver::Driver;
use options::Options;
use output::{set, thrown};

/// A database without tables. Each engine is on its own; `free()` gives its memory back.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine {
    /// In a cell so that a getter of a request that throws, or asks the engine, leaves it usable.
    driver: RefCell<Driver>,
    options: Options,
}

#[wasm_bindgen]
impl Engine {
    /// A database without tables.
    ///
    /// # Errors
    /// Throws a `TypeError` for an option that does not exist or a value that is not offered.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "EngineOptions")] options: &JsValue,
    ) -> Result<Engine, JsValue> {
        let options = Options::read(options).map_err(|sentence| type_error(&sentence))?;
        let driver = Driver::new(&options);
        let driver = RefCell::new(driver.map_err(|sentence| type_error(&sentence))?);
        Ok(Self { driver, options })
    }

    /// Sends a request such as `send("GetItem", { TableName: … })` and returns the reply as plain objects.
    ///
    /// A request that is left out is `{}`.
    ///
    /// # Errors
    /// Throws an `EngineError` for whatever DynamoDB refuses, and a `TypeError` where an argument is of the
    /// wrong kind.
    #[wasm_bindgen(skip_typescript)]
    pub fn send(&self, operation: &JsValue, input: &JsValue) -> Result<JsValue, JsValue> {
        let name = operation
            .as_string()
            .ok_or_else(|| type_error("the operation must be text, such as \"GetItem\""))?;
        let text = if input.is_undefined() || input.is_null() {
            "{}".to_owned()
        } else if input.is_object() {
            input::text(input.clone()).map_err(|error| {
                type_error(&format!("the request can't be written as JSON: {error}"))
            })?
        } else {
            return Err(type_error("the request must be an object; sendText takes JSON text"));
        };
        let reply = Operation::from_name(&name)
            .ok_or(ApiError::UnknownOperation)
            .and_then(|operation| self.answer_json(operation, &text));
        match reply {
            Ok(text) => output::object(&text),
            Err(error) => Err(thrown(&error, &self.options.voice)),
        }
    }

    /// Answers as DynamoDB's HTTP endpoint does: `target` is the header `X-Amz-Target`, `body` the request.
    ///
    /// Refusals are replies here, with their status and body; only an argument that is not text throws.
    ///
    /// # Errors
    /// Throws a `TypeError` where an argument is not text.
    #[wasm_bindgen(js_name = sendText, unchecked_return_type = "EngineReply")]
    pub fn send_text(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] target: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] body: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let target = target.as_string().ok_or_else(|| {
            type_error("the target must be text, such as \"DynamoDB_20120810.GetItem\"")
        })?;
        let body = if body.is_undefined() || body.is_null() {
            "{}".to_owned()
        } else {
            body.as_string().ok_or_else(|| {
                type_error("the request must be JSON text: pass it through JSON.stringify")
            })?
        };
        let operation = hashrange_wire::target(&target);
        let (status, body) =
            self.settle(operation.and_then(|operation| self.answer_json(operation, &body)));
        Ok(reply(status, &body))
    }

    /// Answers an HTTP POST as DynamoDB's front end does: protocol, target, JSON and its types, credentials in
    /// form, then the request.
    ///
    /// `headers` has lower-case names, as Node's requests do; `query` is the query string without its
    /// question mark. A `body` that is left out was larger than a request may be.
    #[wasm_bindgen(js_name = answerPost, unchecked_return_type = "HttpReply")]
    pub fn answer_post(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string | string[] | undefined>")]
        headers: &JsValue,
        query: &str,
        body: Option<Vec<u8>>,
    ) -> JsValue {
        let header =
            |name: &str| Reflect::get(headers, &name.into()).ok().and_then(|text| text.as_string());
        let protocol = hashrange_wire::protocol(&header("content-type").unwrap_or_default());
        let typed = |content_type: &str, (status, body): (u16, String)| {
            let reply = reply(status, &body);
            set(&reply, "contentType", &content_type.into());
            reply
        };
        let content_type = protocol.unwrap_or("application/x-amz-json-1.0");
        let Some(body) = body else {
            return typed(content_type, self.settle(Err(ApiError::RequestTooLarge)));
        };
        if protocol.is_none() {
            let unknown = "<UnknownOperationException/>\n".to_owned();
            return typed("text/plain; charset=utf-8", (404, unknown));
        }
        let authorization = header("authorization");
        let credentials = Credentials {
            authorization: authorization.as_deref(),
            has_date: header("x-amz-date").or_else(|| header("date")).is_some(),
            query,
        };
        let target = header("x-amz-target").unwrap_or_default();
        typed(content_type, self.front_end(&target, body, credentials))
    }
}

impl Engine {
    /// What the front end answers to a request whose body it has, as status and text.
    fn front_end(&self, target: &str, body: Vec<u8>, credentials: Credentials) -> (u16, String) {
        let decoded = hashrange_wire::target(target).and_then(|operation| {
            let text = String::from_utf8(body)
                .map_err(|_| ApiError::Serialization { message: String::new(), place: None })?;
            match hashrange_wire::decode(operation, &text) {
                Err(error @ ApiError::Serialization { .. }) => Err(error),
                decoded => Ok(decoded),
            }
        });
        let decoded = match decoded {
            Ok(decoded) => decoded,
            Err(error) => return self.settle(Err(error)),
        };
        if let Err(error) = credentials.check() {
            return (400, hashrange_wire::encode_front_end_error(error.name, &error.message));
        }
        self.settle(decoded.and_then(|request| self.call(request)))
    }

    fn answer_json(&self, operation: Operation, json: &str) -> Result<String, ApiError> {
        self.call(hashrange_wire::decode(operation, json)?)
    }

    /// Answers a request now, in JSON.
    fn call(&self, request: Request) -> Result<String, ApiError> {
        let response = self.driver.borrow_mut().call(request)?;
        Ok(hashrange_wire::encode_in(&response, &self.options.voice))
    }

    fn settle(&self, reply: Result<String, ApiError>) -> (u16, String) {
        match reply {
            Ok(body) => (200, body),
            Err(error) => {
                let EncodedError { status, body } =
                    hashrange_wire::encode_error(&error, &self.options.voice);
                (status, body)
            }
        }
    }
}

fn type_error(sentence: &str) -> JsValue {
    js_sys::TypeError::new(sentence).into()
}

fn reply(status: u16, body: &str) -> JsValue {
    let reply = Object::new();
    set(&reply, "status", &status.into());
    set(&reply, "body", &body.into());
    reply.into()
}
