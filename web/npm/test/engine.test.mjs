// The built package in Node.js: `cargo xtask web` first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from '../node.js'

const TABLE = {
  TableName: 'Orders',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
  ],
}

async function withOrders() {
  const engine = await createEngine()
  engine.call('CreateTable', TABLE)
  for (const n of [1, 2, 3]) {
    engine.call('PutItem', { TableName: 'Orders', Item: { pk: { S: 'é' }, sk: { N: `${n}` } } })
  }
  return engine
}

test('a table is created active', async () => {
  const engine = await createEngine()
  const { TableDescription } = engine.call('CreateTable', TABLE)
  assert.equal(TableDescription.TableName, 'Orders')
  assert.equal(engine.call('DescribeTable', { TableName: 'Orders' }).Table.TableStatus, 'ACTIVE')
  assert.deepEqual(engine.call('ListTables'), { TableNames: ['Orders'] })
})

test('what was put is got', async () => {
  const engine = await withOrders()
  const key = { pk: { S: 'é' }, sk: { N: '2' } }
  assert.deepEqual(engine.call('GetItem', { TableName: 'Orders', Key: key }), { Item: key })
})

test('a query pages through an item collection and says what it cost', async () => {
  const engine = await withOrders()
  const query = {
    TableName: 'Orders',
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': { S: 'é' } },
    Limit: 2,
    ReturnConsumedCapacity: 'TOTAL',
  }
  const first = engine.call('Query', query)
  assert.equal(first.Count, 2)
  assert.equal(first.ConsumedCapacity.CapacityUnits, 0.5)
  const second = engine.call('Query', { ...query, ExclusiveStartKey: first.LastEvaluatedKey })
  assert.deepEqual(second.Items.map((item) => item.sk.N), ['3'])
})

test('a refusal is thrown with the name of the exception', async () => {
  const engine = await createEngine()
  assert.throws(
    () => engine.send('GetItem', '{"TableName": "None", "Key": {"pk": {"S": "a"}}}'),
    { name: 'ResourceNotFoundException', message: 'Requested resource not found', status: 400 },
  )
})

test('a broken request is thrown and the engine goes on', async () => {
  const engine = await createEngine()
  assert.throws(() => engine.send('ListTables', '{not json'), { name: 'SerializationException' })
  assert.throws(() => engine.send('ListTables', { Limit: 1 }), TypeError)
  assert.throws(() => engine.send(undefined), TypeError)
  assert.deepEqual(engine.call('ListTables'), { TableNames: [] })
})

test('a condition that fails carries the item in its body', async () => {
  const engine = await withOrders()
  const put = {
    TableName: 'Orders',
    Item: { pk: { S: 'é' }, sk: { N: '1' } },
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
  assert.throws(
    () => engine.call('PutItem', put),
    (error) =>
      error.name === 'ConditionalCheckFailedException' &&
      JSON.parse(error.body).Item.sk.N === '1',
  )
})

test('the endpoint answers what it refuses', async () => {
  const engine = await createEngine()
  const reply = engine.sendText('DynamoDB_20120810.GetItem', '{}')
  assert.equal(reply.status, 400)
  assert.match(JSON.parse(reply.body).message, /Value null at 'tableName'/)
})

test('engines share nothing', async () => {
  await withOrders()
  assert.deepEqual((await createEngine()).call('ListTables'), { TableNames: [] })
})
