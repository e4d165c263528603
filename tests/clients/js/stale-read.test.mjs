// A stale read on purpose: `hashrange serve --simulate lagging.json --clock manual` under the AWS SDK.

import assert from 'node:assert/strict'
import test from 'node:test'

import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'

const endpoint = process.env.SIMULATED_ENDPOINT
const TableName = 'StaleReads'

test('a read lags until the clock was moved', { skip: endpoint === undefined && 'no SIMULATED_ENDPOINT' }, async () => {
  const client = new DynamoDBClient({ endpoint })
  const Item = { pk: { S: 'order#1' } }
  const read = async (ConsistentRead) =>
    (await client.send(new GetItemCommand({ TableName, Key: Item, ConsistentRead }))).Item
  await client.send(new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  }))
  await client.send(new PutItemCommand({ TableName, Item }))
  assert.deepEqual(await read(true), Item)
  assert.equal(await read(false), undefined)
  const clock = await fetch(`${endpoint}/_hashrange/clock`, { method: 'POST', body: '{"advance_ms": 150}' })
  assert.equal((await clock.json()).is_settled, true)
  assert.deepEqual(await read(false), Item)
  const { events } = await (await fetch(`${endpoint}/_hashrange/events`)).json()
  const behind = events.filter(({ name, table }) => name === 'read.served' && table === TableName).map((read) => read.missing)
  assert.deepEqual(behind.slice(-2), [1, 0])
  await client.send(new DeleteTableCommand({ TableName }))
  client.destroy()
})
