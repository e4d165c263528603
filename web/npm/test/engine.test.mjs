// The built package in Node.js: `cargo xtask web --package-only` first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from '../node.js'
import { ORDERS, withOrders } from './orders.mjs'

test('a table is created active', async () => {
  const engine = await createEngine()
  const { TableDescription } = engine.send('CreateTable', ORDERS)
  assert.equal(TableDescription.TableName, 'Orders')
  assert.equal(engine.send('DescribeTable', { TableName: 'Orders' }).Table.TableStatus, 'ACTIVE')
  assert.deepEqual(engine.send('ListTables'), { TableNames: ['Orders'] })
})

test('what was put is got as plain objects', async () => {
  const engine = await withOrders()
  const Item = {
    ...{ pk: { S: 'é' }, sk: { N: '2' } },
    ...{ list: { L: [{ BOOL: true }, { NULL: true }, { M: {} }] }, set: { NS: ['1', '2'] } },
  }
  assert.deepEqual(engine.send('PutItem', { TableName: 'Orders', Item }), {})
  const reply = engine.send('GetItem', { TableName: 'Orders', Key: { pk: Item.pk, sk: Item.sk } })
  assert.deepEqual(reply, { Item })
  assert.equal(JSON.stringify(reply), JSON.stringify(JSON.parse(JSON.stringify(reply))))
})

test('bytes are sent as they are or as base64, and come back as base64', async () => {
  const engine = await withOrders()
  const Key = { pk: { S: 'bytes' }, sk: { N: '1' } }
  const bytes = Uint8Array.of(0, 255, 128)
  const base64 = Buffer.from(bytes).toString('base64')
  const values = { view: { B: bytes }, buffer: { B: bytes.buffer }, text: { B: base64 }, set: { BS: [bytes] } }
  engine.send('PutItem', { TableName: 'Orders', Item: { ...Key, ...values, node: { B: Buffer.from(bytes) } } })
  const { Item } = engine.send('GetItem', { TableName: 'Orders', Key })
  for (const name of ['view', 'buffer', 'text', 'node']) assert.deepEqual(Item[name], { B: base64 })
  assert.deepEqual(Item.set, { BS: [base64] })
})

test('members that are undefined are left out, and null is no attribute value', async () => {
  const engine = await withOrders()
  const Item = { pk: { S: 'a' }, sk: { N: '1' }, gone: undefined }
  engine.send('PutItem', { TableName: 'Orders', Item, ConditionExpression: undefined })
  const { Items } = engine.send('Scan', { TableName: 'Orders', FilterExpression: 'attribute_exists(gone)' })
  assert.deepEqual(Items, [])
  assert.throws(
    () => engine.send('PutItem', { TableName: 'Orders', Item: { ...Item, gone: null } }),
    { name: 'ValidationException' },
  )
})

test('an attribute may have any name', async () => {
  const engine = await withOrders()
  const Key = { pk: { S: 'names' }, sk: { N: '1' } }
  const Item = JSON.parse('{"__proto__": {"S": "a"}, "constructor": {"S": "b"}, "\\u0000\\"\\\\": {"S": "c"}}')
  engine.send('PutItem', { TableName: 'Orders', Item: Object.assign(Object.create(null), Key, { toString: { S: 'd' } }) })
  engine.send('PutItem', { TableName: 'Orders', Item: { ...Item, ...Key } })
  const reply = engine.send('GetItem', { TableName: 'Orders', Key })
  assert.deepEqual(Object.keys(reply.Item).sort(), [...Object.keys(Item), 'pk', 'sk'].sort())
  assert.deepEqual(Object.getOwnPropertyDescriptor(reply.Item, '__proto__').value, { S: 'a' })
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
  const first = engine.send('Query', query)
  assert.equal(first.Count, 2)
  assert.equal(first.ConsumedCapacity.CapacityUnits, 0.5)
  const second = engine.send('Query', { ...query, ExclusiveStartKey: first.LastEvaluatedKey })
  assert.deepEqual(second.Items.map((item) => item.sk.N), ['3'])
})

test('a reply without a body is an empty object', async () => {
  const engine = await withOrders()
  const ResourceArn = engine.send('DescribeTable', { TableName: 'Orders' }).Table.TableArn
  const Tags = [{ Key: 'team', Value: 'a' }]
  assert.deepEqual(engine.send('TagResource', { ResourceArn, Tags }), {})
  assert.deepEqual(engine.send('ListTagsOfResource', { ResourceArn }), { Tags })
})

test('a refusal is thrown as the AWS SDK throws it', async () => {
  const engine = await createEngine()
  assert.throws(
    () => engine.send('GetItem', { TableName: 'None', Key: { pk: { S: 'a' } } }),
    {
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found',
      status: 400,
      $fault: 'client',
      $metadata: { httpStatusCode: 400 },
    },
  )
  assert.throws(() => engine.send('GetItems'), { name: 'UnknownOperationException' })
})

test('a condition that fails carries the item', async () => {
  const engine = await withOrders()
  const put = {
    TableName: 'Orders',
    Item: { pk: { S: 'é' }, sk: { N: '1' } },
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
  assert.throws(() => engine.send('PutItem', put), {
    name: 'ConditionalCheckFailedException',
    Item: put.Item,
  })
  const { ReturnValuesOnConditionCheckFailure, ...Put } = put
  assert.throws(() => engine.send('TransactWriteItems', { TransactItems: [{ Put }] }), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }],
  })
})

test('a request that is no object is a type error and the engine goes on', async () => {
  const engine = await createEngine()
  for (const input of ['{}', 1, true, Symbol('a'), () => {}]) {
    assert.throws(() => engine.send('ListTables', input), TypeError)
  }
  for (const value of [new Set(['a']), () => {}, Symbol('a'), 2n ** 70n]) {
    assert.throws(() => engine.send('ListTables', { Limit: value }), TypeError)
  }
  assert.throws(() => engine.send(undefined), TypeError)
  assert.throws(() => engine.send('ListTables', []), { name: 'SerializationException' })
  assert.throws(() => engine.send('ListTables', { Limit: 'a' }), { name: 'SerializationException' })
  assert.throws(() => engine.send('ListTables', { Limit: NaN, ExclusiveStartTableName: 1.5 }), {
    name: 'SerializationException',
  })
  assert.deepEqual(engine.send('ListTables', null), { TableNames: [] })
})

test('an object that contains itself is refused as too deep', async () => {
  const engine = await withOrders()
  const value = { M: {} }
  value.M.a = value
  value.M.b = value
  const put = { TableName: 'Orders', Item: { pk: { S: 'a' }, sk: { N: '1' }, value } }
  assert.throws(() => engine.send('PutItem', put), { name: 'ValidationException', message: /^Nesting Levels/ })
})

test('a getter that throws or asks the engine leaves it as it was', async () => {
  const engine = await withOrders()
  const failure = new Error('mine')
  const throwing = { get TableName() { throw failure } }
  assert.throws(() => engine.send('DescribeTable', throwing), failure)
  const asking = { get TableName() { return engine.send('ListTables').TableNames[0] } }
  assert.equal(engine.send('DescribeTable', asking).Table.TableName, 'Orders')
})

test('the endpoint answers what it refuses', async () => {
  const engine = await createEngine()
  const reply = engine.sendText('DynamoDB_20120810.GetItem', '{}')
  assert.equal(reply.status, 400)
  assert.match(JSON.parse(reply.body).message, /Value null at 'tableName'/)
  assert.equal(engine.sendText('DynamoDB_20120810.ListTables', '{not json').status, 400)
  assert.deepEqual(engine.sendText('DynamoDB_20120810.ListTables'), { status: 200, body: '{"TableNames":[]}' })
  assert.throws(() => engine.sendText(undefined), TypeError)
  assert.throws(() => engine.sendText('DynamoDB_20120810.ListTables', {}), TypeError)
})

test('engines share nothing', async () => {
  await withOrders()
  assert.deepEqual((await createEngine()).send('ListTables'), { TableNames: [] })
})

test('an engine is made with options', async () => {
  const engine = await createEngine({ region: 'eu-west-2', delays: 'measured', wording: '2026-05' })
  const { TableDescription } = engine.send('CreateTable', ORDERS)
  assert.equal(TableDescription.TableArn, 'arn:aws:dynamodb:eu-west-2:000000000000:table/Orders')
  assert.equal(TableDescription.TableStatus, 'CREATING')
})

test('an option that is wrong is refused in one sentence', async () => {
  for (const [options, message] of [
    [{ delays: 'slow' }, 'delays is instant, short or measured; not slow'],
    [{ region: 'Europe' }, /^region is lower-case letters, digits and hyphens, .*; not Europe$/],
    [{ wording: '1999' }, /^wording: there is no wording 1999: choose 2026-05 or 2026-07/],
    [{ region: 1 }, 'region must be text'],
    [{ speed: 'short' }, /^there is no option speed/],
  ]) {
    await assert.rejects(createEngine(options), { name: 'TypeError', message })
  }
})
