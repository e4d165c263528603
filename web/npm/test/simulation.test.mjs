// Simulated time: what an application meets in production, met on purpose through the AWS SDK.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ThrottlingException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createEngine, requestHandler } from '../node.js'

const TableName = 'Orders'
const Key = { pk: { S: 'order#1' } }
const TABLE = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
}
const LAGGING = { preset: 'lesson', lag: { followers_ms: [0, 150] }, eventual_reads: 'slowest-follower' }

/** An engine that plays a scenario, and the SDK's client over it. */
async function simulate(context, settings, steps = [], maxAttempts = 1) {
  const engine = await createEngine({ simulate: { settings, tables: [TABLE], steps } })
  const credentials = { accessKeyId: 'in', secretAccessKey: 'page' }
  const client = new DynamoDBClient({
    region: 'us-east-1', credentials, requestHandler: requestHandler(engine), maxAttempts,
  })
  context.after(() => {
    client.destroy()
    engine.free()
  })
  return { engine, client }
}

test('a read is stale on purpose until the follower has caught up', async (context) => {
  const { engine, client } = await simulate(context, LAGGING)
  const read = async (ConsistentRead) =>
    (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead }))).Item
  assert.equal(engine.now, Date.UTC(2026, 0, 1))
  await client.send(new PutItemCommand({ TableName, Item: Key }))
  assert.equal(await read(false), undefined)
  assert.deepEqual(await read(true), Key)
  engine.advance(149.5)
  assert.equal(await read(false), undefined)
  engine.advance(0.5)
  assert.deepEqual(await read(false), Key)
  const reads = engine.events().filter(({ name }) => name === 'read.served')
  assert.deepEqual(reads.map((read) => [read.at_ms, read.replica, read.missing, read.behind_ms]), [
    [0, 2, 1, 0], [0, 0, 0, 0], [149.5, 2, 1, 149.5], [150, 2, 0, 0],
  ])
})

test('a partition throttles with the exception that the SDK types', async (context) => {
  const { client, engine } = await simulate(context, { preset: 'lesson', driver: 'cluster', cap: { wcu: 2 } })
  const put = () => client.send(new PutItemCommand({ TableName, Item: Key }))
  await put()
  await put()
  await assert.rejects(put, (error) => {
    assert.ok(error instanceof ThrottlingException)
    assert.equal(error.throttlingReasons[0].reason, 'TableWriteKeyRangeThroughputExceeded')
    return true
  })
  engine.advance(1_000)
  await put()
})

test('a reply that is lost is asked for again, and the write happens twice', async (context) => {
  const { client, engine } = await simulate(context, { preset: 'lesson' }, [{ fault: 'lose_reply' }], 3)
  engine.advance(1)
  const count = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': { N: '1' } } }
  await client.send(new UpdateItemCommand({ TableName, Key, ...count }))
  const { Item } = await client.send(new GetItemCommand({ TableName, Key }))
  assert.equal(Item.n.N, '2')
})

test('the same scenario and requests give the same events', async (context) => {
  const played = async (seed) => {
    const steps = [{ operation: 'PutItem', request: { TableName, Item: { pk: { S: 'order#{n}' } } }, times: 20, every_ms: 3 }]
    const { engine } = await simulate(context, { seed }, steps)
    engine.advance(1_000)
    return engine.events()
  }
  assert.deepEqual(await played(1), await played(1))
  assert.notDeepEqual(await played(1), await played(2))
})

test('what is wrong with a scenario is said in one sentence', async () => {
  const refused = (simulate, message) => assert.rejects(createEngine({ simulate }), { name: 'TypeError', message })
  await refused({ settings: { moon: 1 } }, /^simulate: there is no setting settings\.moon: choose from preset, seed/)
  await refused({ settings: { seed: -1 } }, /^simulate: settings\.seed must be a whole number from 0 to \d+, not -1$/)
  await refused({ tables: [{ TableName: 5 }] }, /^simulate: tables\[0\] is no CreateTable request: /)
  const engine = await createEngine({ simulate: {} })
  for (const ms of [-1, NaN, 1e12]) assert.throws(() => engine.advance(ms), /^TypeError: advance takes milliseconds from 0/)
})
