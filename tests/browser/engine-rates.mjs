// How many requests a second the JavaScript package answers in Chromium:
// `node tests/browser/engine-rates.mjs put|get|scan`.
//
// Prints one JSON object: `per_second` with objects in and out, `text_per_second` with JSON text.
//
// Invariant: of several turns the fastest counts, because other work on the machine only ever adds.
//
// Not here: what is fast enough. Those are the rows of `cargo xtask bench` that run this.

import { inPackage } from "./package.mjs";

await inPackage(measure, process.argv[2]);

/** Runs in the page. */
async function measure(load) {
  const TURNS = 5;
  const TURN_MS = 600;
  const { createEngine } = await import("/index.js");
  const engine = await createEngine();
  const withObjects = engine.send.bind(engine);
  const attribute = (name) => ({ AttributeName: name, AttributeType: "S" });
  withObjects("CreateTable", {
    TableName: "Orders",
    AttributeDefinitions: [attribute("pk"), attribute("sk")],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  const item = (number, size) => ({
    pk: { S: `P#${String(Math.floor(number / 10)).padStart(5, "0")}` },
    sk: { S: `ORDER#${String(number).padStart(6, "0")}` },
    n: { N: String(number % 100) },
    status: { S: "shipped" },
    note: { S: "x".repeat(size - 50) },
  });
  // Each item comes twice with another content, so that every put of it is a change.
  const put = (number, size, version = 0) =>
    ["PutItem", { TableName: "Orders", Item: { ...item(number, size), version: { N: String(version) } } }];
  const get = (number) => {
    const { pk, sk } = item(number, 50);
    return ["GetItem", { TableName: "Orders", Key: { pk, sk } }];
  };
  const scan = ["Scan", {
    TableName: "Orders",
    FilterExpression: "n = :n",
    ExpressionAttributeValues: { ":n": { N: "7" } },
  }];
  const numbers = Array.from({ length: load === "scan" ? 10_000 : 500 }, (_, number) => number);
  for (const number of numbers) withObjects(...put(number, load === "scan" ? 90 : 1_000));
  const requests = {
    put: [1, 2].flatMap((version) => numbers.map((number) => put(number, 1_000, version))),
    get: numbers.map(get),
    scan: [scan],
  }[load];
  if (load === "scan" && withObjects(...scan).ScannedCount !== 10_000) throw new Error("the scan is not whole");

  const perSecond = (answer) => {
    let best = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
      let answered = 0;
      const started = performance.now();
      let took = 0;
      while (took < TURN_MS) {
        for (const request of requests) answer(request);
        answered += requests.length;
        took = performance.now() - started;
      }
      best = Math.max(best, (answered * 1_000) / took);
    }
    return Math.round(best);
  };
  const texts = new Map(requests.map((request) =>
    [request, [`DynamoDB_20120810.${request[0]}`, JSON.stringify(request[1])]]));
  return {
    per_second: perSecond(([operation, input]) => withObjects(operation, input)),
    text_per_second: perSecond((request) => engine.sendText(...texts.get(request))),
  };
}
