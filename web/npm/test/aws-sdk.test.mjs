// The clients of the AWS SDK for JavaScript v3, as their authors ship them, over an engine.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  TransactionCanceledException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb'
import { createEngine, requestHandler } from '../node.js'
import { ORDERS } from './orders.mjs'

const TableName = 'Orders'
let client, documents, streams, engine

before(async () => {
  engine = await createEngine()
  const settings = {
    region: 'us-east-1',
    credentials: { accessKeyId: 'in', secretAccessKey: 'page' },
    requestHandler: requestHandler(engine),
    maxAttempts: 1,
  }
  client = new DynamoDBClient(settings)
  streams = new DynamoDBStreamsClient(settings)
  documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' }
  await client.send(new CreateTableCommand({ ...ORDERS, StreamSpecification }))
})

after(() => {
  for (const each of [client, streams, documents]) each.destroy()
})

test('a table is waited for and described with a request id', async () => {
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName })
  const { Table, $metadata } = await client.send(new DescribeTableCommand({ TableName }))
  assert.equal(Table.TableStatus, 'ACTIVE')
  assert.ok(Table.CreationDateTime instanceof Date)
  assert.equal($metadata.httpStatusCode, 200)
  assert.match($metadata.requestId, /^[0-9A-V]{52}$/)
})

test('bytes go in and come out as bytes', async () => {
  const Key = { pk: { S: 'bytes' }, sk: { N: '1' } }
  await client.send(new PutItemCommand({ TableName, Item: { ...Key, b: { B: Uint8Array.of(0, 255) } } }))
  const { Item } = await client.send(new GetItemCommand({ TableName, Key }))
  assert.deepEqual([...Item.b.B], [0, 255])
})

test('documents are written in batches, paged through and updated under a condition', async () => {
  const requests = Array.from({ length: 25 }, (_, sk) => ({ PutRequest: { Item: { pk: 'pages', sk, tags: new Set(['a']) } } }))
  await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }))
  const pages = paginateQuery(
    { client: documents, pageSize: 10 },
    { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'pages' } },
  )
  const counts = []
  for await (const page of pages) counts.push(page.Count)
  assert.deepEqual(counts, [10, 10, 5])

  const update = {
    TableName,
    Key: { pk: 'pages', sk: 3 },
    UpdateExpression: 'SET #n = :n',
    ConditionExpression: 'attribute_not_exists(#n)',
    ExpressionAttributeNames: { '#n': 'note' },
    ExpressionAttributeValues: { ':n': { deep: [1, null, true, 'é'] } },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
  const { Attributes } = await documents.send(new UpdateCommand(update))
  assert.deepEqual(Attributes.note, { deep: [1, null, true, 'é'] })
  await assert.rejects(documents.send(new UpdateCommand(update)), (error) => {
    assert.ok(error instanceof ConditionalCheckFailedException)
    assert.equal(error.$metadata.httpStatusCode, 400)
    assert.equal(error.Item.sk.N, '3')
    return true
  })
})

test('a transaction that is cancelled gives its reasons', async () => {
  const Item = { pk: 'once', sk: 1 }
  const Put = { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }
  const transact = () => documents.send(new TransactWriteCommand({ TransactItems: [{ Put }] }))
  await transact()
  assert.deepEqual((await documents.send(new GetCommand({ TableName, Key: Item }))).Item, Item)
  await assert.rejects(transact(), (error) => {
    assert.ok(error instanceof TransactionCanceledException)
    assert.equal(error.CancellationReasons[0].Code, 'ConditionalCheckFailed')
    return true
  })
})

test('a statement is executed', async () => {
  await documents.send(new PutCommand({ TableName, Item: { pk: 'partiql', sk: 1 } }))
  const Statement = `SELECT sk FROM "Orders" WHERE pk = 'partiql'`
  const { Items } = await client.send(new ExecuteStatementCommand({ Statement }))
  assert.deepEqual(Items, [{ sk: { N: '1' } }])
})

test('a stream is read from its start', async () => {
  await documents.send(new PutCommand({ TableName, Item: { pk: 'stream', sk: 1 } }))
  const { Streams } = await streams.send(new ListStreamsCommand({ TableName }))
  const { StreamArn } = Streams[0]
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const images = []
  for (const { ShardId } of StreamDescription.Shards) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
    const { ShardIterator } = await streams.send(new GetShardIteratorCommand(start))
    const { Records } = await streams.send(new GetRecordsCommand({ ShardIterator }))
    images.push(...Records.map((record) => record.dynamodb.NewImage.pk.S))
  }
  assert.ok(images.includes('stream'), `${images}`)
})

test('a refusal has the name of its exception', async () => {
  await assert.rejects(client.send(new GetItemCommand({ TableName: 'None', Key: { pk: { S: 'a' } } })), {
    name: 'ResourceNotFoundException',
    $fault: 'client',
  })
  await assert.rejects(client.send(new GetItemCommand({ TableName, Key: {} })), { name: 'ValidationException' })
})

test('a request that was given up is not made', async () => {
  const controller = new AbortController()
  const put = new PutItemCommand({ TableName, Item: { pk: { S: 'aborted' }, sk: { N: '1' } } })
  const sent = client.send(put, { abortSignal: controller.signal })
  controller.abort()
  await assert.rejects(sent, { name: 'AbortError' })
  const Key = put.input.Item
  assert.equal((await client.send(new GetItemCommand({ TableName, Key }))).Item, undefined)
})

test('a destroyed client leaves the engine to others', async () => {
  client.destroy()
  assert.deepEqual((await client.send(new ListTablesCommand({}))).TableNames, ['Orders'])
  assert.deepEqual(engine.send('ListTables'), { TableNames: ['Orders'] })
})

test('a body is taken as text, as bytes and as nothing', async () => {
  const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables' }
  const { handle } = requestHandler(engine)
  for (const [body, statusCode] of [['{}', 200], [new TextEncoder().encode('{}'), 200], [undefined, 400]]) {
    const { response } = await handle({ headers, body })
    assert.equal(response.statusCode, statusCode)
    assert.ok(response.body instanceof Uint8Array)
  }
  const { response } = await handle({ headers: {}, body: '{}' })
  assert.match(new TextDecoder().decode(response.body), /UnknownOperationException/)
})
