// A day's work with the AWS SDK for JavaScript v3: its client, its document client and its streams client.

import assert from 'node:assert/strict'
import test from 'node:test'

import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBServiceException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
  paginateListTables,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  ExecuteStatementCommand,
  GetCommand,
  NumberValue,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb'

import {
  client,
  customer,
  definition,
  documents,
  endpoint,
  index,
  key,
  nOrders,
  order,
  orders,
  tableOfOrders,
  write,
} from './orders.mjs'

/** The error of a call that must be refused, after checking its class. */
async function refusal(type, promise) {
  let refused
  await assert.rejects(promise, (error) => {
    refused = error
    return error instanceof type
  })
  return refused
}

test('a table is made, described and deleted', async () => {
  const TableName = 'Sdk.lifecycle'
  const made = await client.send(new CreateTableCommand(definition(TableName)))
  assert.equal(made.TableDescription.TableArn, `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`)
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName })
  const names = []
  for await (const page of paginateListTables({ client }, {})) names.push(...page.TableNames)
  assert.ok(names.includes(TableName))

  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  assert.equal(Table.TableStatus, 'ACTIVE')
  assert.deepEqual(Table.KeySchema, definition(TableName).KeySchema)
  assert.deepEqual(Table.AttributeDefinitions, definition(TableName).AttributeDefinitions)
  assert.deepEqual(Table.StreamSpecification, definition(TableName).StreamSpecification)
  assert.deepEqual(Table.GlobalSecondaryIndexes.map((i) => [i.IndexName, i.IndexStatus]), [[index, 'ACTIVE']])
  assert.ok(Table.CreationDateTime instanceof Date)

  const taken = await refusal(ResourceInUseException, client.send(new CreateTableCommand(definition(TableName))))
  assert.equal(taken.message, `Table already exists: ${TableName}`)

  const gone = await client.send(new DeleteTableCommand({ TableName }))
  assert.equal(gone.TableDescription.TableStatus, 'DELETING')
  await waitUntilTableNotExists({ client, maxWaitTime: 60 }, { TableName })
  const missing = await refusal(ResourceNotFoundException, client.send(new DescribeTableCommand({ TableName })))
  assert.equal(missing.message, `Requested resource not found: Table: ${TableName} not found`)
})

test('batches are charged for the table and its index', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.batches')
  const read = await documents.send(
    new BatchGetCommand({
      RequestItems: { [TableName]: { Keys: [key(7), key(99)] } },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  )
  assert.deepEqual(read.Responses, { [TableName]: [order(7)] })
  assert.deepEqual(read.UnprocessedKeys, {})
  assert.deepEqual(read.ConsumedCapacity, [{ TableName, CapacityUnits: 1 }])

  const consumed = await write(TableName, orders.map((o) => ({ DeleteRequest: { Key: key(o.number) } })))
  const expected = [25, 5].map((n) => ({
    TableName,
    CapacityUnits: 2 * n,
    Table: { CapacityUnits: n },
    GlobalSecondaryIndexes: { [index]: { CapacityUnits: n } },
  }))
  assert.deepEqual(consumed, expected)
})

test('a query is paged through', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.pages')
  const pages = []
  const query = {
    TableName,
    KeyConditionExpression: 'customer = :customer',
    ExpressionAttributeValues: { ':customer': customer },
    ReturnConsumedCapacity: 'TOTAL',
  }
  for await (const page of paginateQuery({ client: documents, pageSize: 12 }, query)) pages.push(page)
  assert.deepEqual(pages.map((page) => page.Count), [12, 12, 6])
  assert.deepEqual(pages.map((page) => page.LastEvaluatedKey), [key(12), key(24), undefined])
  assert.deepEqual(pages.map((page) => page.ConsumedCapacity.CapacityUnits), [0.5, 0.5, 0.5])
  assert.deepEqual(pages.flatMap((page) => page.Items), orders)
})

test('an index is queried backwards', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.index')
  const reply = await documents.send(
    new QueryCommand({
      TableName,
      IndexName: index,
      KeyConditionExpression: '#state = :open',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':open': 'open' },
      ScanIndexForward: false,
      Limit: 3,
      ReturnConsumedCapacity: 'INDEXES',
    }),
  )
  const entries = [29, 27, 25].map((number) => ({ ...key(number), state: 'open' }))
  assert.deepEqual(reply.Items, entries)
  assert.deepEqual(reply.LastEvaluatedKey, entries.at(-1))
  assert.deepEqual(reply.ConsumedCapacity, {
    TableName,
    CapacityUnits: 0.5,
    Table: { CapacityUnits: 0 },
    GlobalSecondaryIndexes: { [index]: { CapacityUnits: 0.5 } },
  })
})

test('an update under a condition succeeds once', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.update')
  const request = {
    TableName,
    Key: key(1),
    UpdateExpression: 'SET #state = :paid, #total = #total + :tip',
    ConditionExpression: '#state = :open',
    ExpressionAttributeNames: { '#state': 'state', '#total': 'total' },
    ExpressionAttributeValues: { ':open': 'open', ':paid': 'paid', ':tip': 0.25 },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ReturnConsumedCapacity: 'INDEXES',
  }
  const reply = await documents.send(new UpdateCommand(request))
  assert.deepEqual(reply.Attributes, { ...key(1), state: 'paid', total: 10.75 })
  // The order leaves one place of the index and takes another: two writes.
  assert.deepEqual(reply.ConsumedCapacity, {
    TableName,
    CapacityUnits: 3,
    Table: { CapacityUnits: 1 },
    GlobalSecondaryIndexes: { [index]: { CapacityUnits: 2 } },
  })
  const refused = await refusal(ConditionalCheckFailedException, documents.send(new UpdateCommand(request)))
  assert.equal(refused.message, 'The conditional request failed')
  // Errors are the client's own, so their items stay in DynamoDB's JSON.
  assert.deepEqual(refused.Item, {
    customer: { S: customer },
    number: { N: '1' },
    state: { S: 'paid' },
    total: { N: '10.75' },
  })
})

test('a transaction is done whole', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.transaction')
  const request = {
    ClientRequestToken: crypto.randomUUID(),
    TransactItems: [
      { Put: { TableName, Item: order(31), ConditionExpression: 'attribute_not_exists(customer)' } },
      {
        Update: {
          TableName,
          Key: key(2),
          UpdateExpression: 'SET paidBy = :card',
          ExpressionAttributeValues: { ':card': 'card' },
        },
      },
      { Delete: { TableName, Key: key(3) } },
      { ConditionCheck: { TableName, Key: key(5), ConditionExpression: 'attribute_exists(customer)' } },
    ],
    ReturnConsumedCapacity: 'INDEXES',
  }
  const reply = await documents.send(new TransactWriteCommand(request))
  // Twice for the table; once for the index, which the update and the check do not touch.
  assert.deepEqual(reply.ConsumedCapacity, [
    {
      TableName,
      CapacityUnits: 10,
      WriteCapacityUnits: 10,
      Table: { CapacityUnits: 8, WriteCapacityUnits: 8 },
      GlobalSecondaryIndexes: { [index]: { CapacityUnits: 2, WriteCapacityUnits: 2 } },
    },
  ])
  // The same token again: done already, so the new order's condition does not fail.
  const again = await documents.send(new TransactWriteCommand(request))
  assert.equal(again.ConsumedCapacity[0].ReadCapacityUnits, again.ConsumedCapacity[0].CapacityUnits)

  const read = await documents.send(
    new TransactGetCommand({
      TransactItems: [31, 2, 3].map((number) => ({ Get: { TableName, Key: key(number) } })),
      ReturnConsumedCapacity: 'TOTAL',
    }),
  )
  assert.deepEqual(read.Responses, [{ Item: order(31) }, { Item: { ...order(2), paidBy: 'card' } }, {}])
  assert.deepEqual(read.ConsumedCapacity, [{ TableName, CapacityUnits: 6, ReadCapacityUnits: 6 }])
})

test('a cancelled transaction gives its reasons and changes nothing', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.cancelled')
  const request = {
    TransactItems: [
      { Delete: { TableName, Key: key(1) } },
      {
        Put: {
          TableName,
          Item: order(2),
          ConditionExpression: 'attribute_not_exists(customer)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
    ],
  }
  const refused = await refusal(TransactionCanceledException, documents.send(new TransactWriteCommand(request)))
  assert.equal(
    refused.message,
    'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
  )
  assert.deepEqual(refused.CancellationReasons, [
    { Code: 'None' },
    {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      Item: { customer: { S: customer }, number: { N: '2' }, state: { S: 'paid' }, total: { N: '20.5' } },
    },
  ])
  const { Item } = await documents.send(new GetCommand({ TableName, Key: key(1) }))
  assert.deepEqual(Item, order(1))
})

test('the stream tells what happened in order', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.stream')
  const paid = { ...order(1), state: 'paid' }
  await documents.send(new PutCommand({ TableName, Item: paid }))
  await documents.send(new PutCommand({ TableName, Item: paid }))
  await documents.send(new DeleteCommand({ TableName, Key: key(1) }))

  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  const StreamArn = Table.LatestStreamArn
  const streams = DynamoDBDocumentClient.from(new DynamoDBStreamsClient({ endpoint }))
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  assert.equal(StreamDescription.StreamViewType, 'NEW_AND_OLD_IMAGES')
  const records = []
  for (const { ShardId } of StreamDescription.Shards) {
    const start = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
    let { ShardIterator } = await streams.send(start)
    while (ShardIterator) {
      const page = await streams.send(new GetRecordsCommand({ ShardIterator, Limit: 10 }))
      assert.ok(page.Records.length <= 10)
      records.push(...page.Records)
      // An open shard always has a next iterator; an empty page says that we are up to date.
      ShardIterator = page.Records.length > 0 ? page.NextShardIterator : undefined
    }
  }
  const names = records.map((record) => record.eventName).sort()
  assert.deepEqual(names, [...Array(nOrders).fill('INSERT'), 'MODIFY', 'REMOVE'])
  const ofFirst = records.filter((record) => record.dynamodb.Keys.number.N === '1')
  const states = ofFirst.map(({ eventName, dynamodb: { OldImage, NewImage } }) => [
    eventName,
    OldImage?.state.S,
    NewImage?.state.S,
  ])
  assert.deepEqual(states, [
    ['INSERT', undefined, 'open'],
    ['MODIFY', 'open', 'paid'],
    ['REMOVE', 'paid', undefined],
  ])
})

test('PartiQL inserts, pages, changes and deletes', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.partiql')
  const run = (Statement, Parameters, more) =>
    documents.send(new ExecuteStatementCommand({ Statement, Parameters, ...more }))

  const insert = `INSERT INTO "${TableName}" VALUE {'customer': ?, 'number': ?, 'state': 'open'}`
  await run(insert, ['bob', 1])
  const duplicate = await refusal(DynamoDBServiceException, run(insert, ['bob', 1]))
  assert.equal(duplicate.name, 'DuplicateItemException')
  assert.equal(duplicate.message, 'Duplicate primary key exists in table')

  const select = `SELECT "number" FROM "${TableName}" WHERE customer = ? AND "number" > ?`
  const first = await run(select, [customer, 25], { Limit: 3, ReturnConsumedCapacity: 'TOTAL' })
  assert.deepEqual(first.Items.map((item) => item.number), [26, 27, 28])
  assert.deepEqual(first.ConsumedCapacity, { TableName, CapacityUnits: 0.5 })
  const rest = await run(select, [customer, 25], { Limit: 3, NextToken: first.NextToken })
  assert.deepEqual(rest.Items.map((item) => item.number), [29, 30])
  assert.equal(rest.NextToken, undefined)

  const update = `UPDATE "${TableName}" SET state = 'paid' WHERE customer = ? AND "number" = ? RETURNING ALL NEW *`
  const changed = await run(update, ['bob', 1])
  assert.deepEqual(changed.Items, [{ customer: 'bob', number: 1, state: 'paid' }])
  await refusal(ConditionalCheckFailedException, run(update, ['bob', 2]))

  await run(`DELETE FROM "${TableName}" WHERE customer = ? AND "number" = ?`, ['bob', 1])
  const { Item } = await documents.send(new GetCommand({ TableName, Key: { customer: 'bob', number: 1 } }))
  assert.equal(Item, undefined)
})

test('every type of value comes back as it was written', async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.types')
  const exact = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: (n) => n } })
  const digits = '12345678901234567890123456789012345678'
  const Item = {
    customer: 'ünïcode',
    number: NumberValue.from('-1.5e-20'),
    exact: NumberValue.from(digits),
    binary: new Uint8Array([0, 255]),
    nothing: null,
    flag: false,
    empty: '',
    list: [NumberValue.from('1'), 'two', [{}]],
    map: { deep: { words: new Set(['a', 'b']) } },
  }
  await exact.send(new PutCommand({ TableName, Item }))
  const Key = { customer: Item.customer, number: Item.number }
  const found = await exact.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
  assert.deepEqual(found.Item, {
    ...Item,
    number: '-0.000000000000000000015',
    exact: digits,
    list: ['1', 'two', [{}]],
  })
})

test("a mistake is a validation error with DynamoDB's words", async (t) => {
  const TableName = await tableOfOrders(t, 'Sdk.mistake')
  const query = {
    TableName,
    KeyConditionExpression: 'customer = :customer AND state = :open',
    ExpressionAttributeValues: { ':customer': customer, ':open': 'open' },
  }
  const refused = await refusal(DynamoDBServiceException, documents.send(new QueryCommand(query)))
  assert.equal(refused.name, 'ValidationException')
  assert.equal(
    refused.message,
    'Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: state',
  )
  assert.equal(refused.$metadata.httpStatusCode, 400)
  assert.equal(refused.$metadata.requestId.length, 52)
  assert.equal(refused.$metadata.attempts, 1)
})
