// DynamoDB-Toolbox's own first steps: a table, an entity with a schema, and the commands built on them.

import assert from 'node:assert/strict'
import test from 'node:test'

import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  TransactionCanceledException,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import {
  $add,
  $append,
  BatchPutRequest,
  BatchWriteCommand,
  DeleteItemCommand,
  Entity,
  GetItemCommand,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  ScanCommand,
  Table,
  DeleteTransaction,
  UpdateItemCommand,
  executeBatchWrite,
  executeTransactWrite,
  item,
  list,
  number,
  set,
  string,
} from 'dynamodb-toolbox'

import { client, documents } from './orders.mjs'

const Pets = new Table({
  documentClient: documents,
  name: 'DynamoDbToolbox',
  partitionKey: { name: 'owner', type: 'string' },
  sortKey: { name: 'name', type: 'string' },
  indexes: {
    byKind: {
      type: 'global',
      partitionKey: { name: 'kind', type: 'string' },
      sortKey: { name: 'age', type: 'number' },
    },
  },
})

const Pet = new Entity({
  name: 'Pet',
  table: Pets,
  schema: item({
    owner: string().key(),
    name: string().key(),
    kind: string().enum('cat', 'dog').default('cat'),
    age: number(),
    toys: list(string()).default([]),
    vaccines: set(string()).optional(),
  }),
  timestamps: false,
})

const pet = (name, age, more) => ({ owner: 'ada', name, age, ...more })
const stored = (name, age, more) => ({ ...pet(name, age), kind: 'cat', toys: [], ...more })

test('DynamoDB-Toolbox', async (t) => {
  const TableName = 'DynamoDbToolbox'
  const keys = { owner: 'S', name: 'S', kind: 'S', age: 'N' }
  const schema = (hash, range) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ]
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: Object.entries(keys).map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      KeySchema: schema('owner', 'name'),
      GlobalSecondaryIndexes: [
        { IndexName: 'byKind', KeySchema: schema('kind', 'age'), Projection: { ProjectionType: 'ALL' } },
      ],
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName })
  t.after(async () => {
    await client.send(new DeleteTableCommand({ TableName }))
    await waitUntilTableNotExists({ client, maxWaitTime: 60 }, { TableName })
  })

  await t.test('puts an entity once and gets it', async () => {
    const put = Pet.build(PutItemCommand)
      .item(pet('tom', 3, { vaccines: new Set(['rabies']) }))
      .options({ condition: { attr: 'name', exists: false }, capacity: 'INDEXES' })
    const { ConsumedCapacity } = await put.send()
    assert.deepEqual(ConsumedCapacity, {
      TableName,
      CapacityUnits: 2,
      Table: { CapacityUnits: 1 },
      GlobalSecondaryIndexes: { byKind: { CapacityUnits: 1 } },
    })
    const get = Pet.build(GetItemCommand).key({ owner: 'ada', name: 'tom' }).options({ consistent: true })
    assert.deepEqual((await get.send()).Item, stored('tom', 3, { vaccines: new Set(['rabies']) }))
    await assert.rejects(put.send(), ConditionalCheckFailedException)
  })

  await t.test('writes a batch and queries the index page by page', async () => {
    const requests = Array.from({ length: 10 }, (_, n) =>
      Pet.build(BatchPutRequest).item(pet(`rex ${n}`, n, { kind: 'dog' })),
    )
    const { UnprocessedItems } = await executeBatchWrite(Pets.build(BatchWriteCommand).requests(...requests))
    assert.deepEqual(UnprocessedItems, {})
    const query = Pets.build(QueryCommand)
      .entities(Pet)
      .query({ index: 'byKind', partition: 'dog', range: { gte: 4 } })
    const first = await query.options({ limit: 4, reverse: true }).send()
    assert.deepEqual(first.Items.map((one) => one.age), [9, 8, 7, 6])
    const rest = await query.options({ reverse: true, exclusiveStartKey: first.LastEvaluatedKey }).send()
    assert.deepEqual(rest.Items.map((one) => one.age), [5, 4])
    assert.equal(rest.LastEvaluatedKey, undefined)
    const filtered = query.options({ filters: { Pet: { attr: 'name', beginsWith: 'rex 7' } } })
    const { Items, ScannedCount } = await filtered.send()
    assert.deepEqual([Items.map((one) => one.name), ScannedCount], [['rex 7'], 6])
    const { Count } = await Pets.build(ScanCommand).options({ select: 'COUNT' }).send()
    assert.equal(Count, 11)
  })

  await t.test('updates under a condition', async () => {
    const update = Pet.build(UpdateItemCommand)
      .item({ owner: 'ada', name: 'tom', age: $add(1), toys: $append(['ball']) })
      .options({ condition: { attr: 'age', lt: 4 }, returnValues: 'ALL_NEW' })
    const { Attributes } = await update.send()
    assert.deepEqual(Attributes, stored('tom', 4, { toys: ['ball'], vaccines: new Set(['rabies']) }))
    await assert.rejects(update.send(), { name: 'ConditionalCheckFailedException' })
  })

  await t.test('writes a transaction whole or not at all', async () => {
    const transaction = () =>
      executeTransactWrite(
        Pet.build(DeleteTransaction).key({ owner: 'ada', name: 'rex 0' }),
        Pet.build(PutTransaction).item(pet('kit', 1)).options({ condition: { attr: 'name', exists: false } }),
      )
    await transaction()
    await assert.rejects(transaction(), (error) => {
      assert.ok(error instanceof TransactionCanceledException)
      assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ['None', 'ConditionalCheckFailed'])
      return true
    })
  })

  await t.test('deletes an entity', async () => {
    const key = { owner: 'ada', name: 'tom' }
    const deletion = Pet.build(DeleteItemCommand).key(key).options({ returnValues: 'ALL_OLD' })
    assert.equal((await deletion.send()).Attributes.age, 4)
    assert.equal((await Pet.build(GetItemCommand).key(key).send()).Item, undefined)
  })
})
