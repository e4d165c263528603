// ElectroDB's own first steps: two entities in one table, a service over both, and their collection in an index.

import assert from 'node:assert/strict'
import test from 'node:test'

import {
  CreateTableCommand,
  DeleteTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import { Entity, Service } from 'electrodb'

import { client } from './orders.mjs'

const table = 'ElectroDb'
const string = { type: 'string', required: true }

const Task = new Entity(
  {
    model: { entity: 'task', version: '1', service: 'work' },
    attributes: {
      project: string,
      taskId: string,
      employee: string,
      status: { type: ['open', 'closed'], default: 'open' },
      points: { type: 'number', default: 0 },
      comments: { type: 'list', items: { type: 'string' }, default: [] },
      tags: { type: 'set', items: 'string' },
    },
    indexes: {
      byProject: {
        pk: { field: 'pk', composite: ['project'] },
        sk: { field: 'sk', composite: ['taskId'] },
      },
      assigned: {
        collection: 'workload',
        index: 'gsi1',
        pk: { field: 'gsi1pk', composite: ['employee'] },
        sk: { field: 'gsi1sk', composite: ['status', 'taskId'] },
      },
    },
  },
  { client, table },
)

const Employee = new Entity(
  {
    model: { entity: 'employee', version: '1', service: 'work' },
    attributes: { employee: string, office: string },
    indexes: {
      record: {
        pk: { field: 'pk', composite: ['employee'] },
        sk: { field: 'sk', composite: [] },
      },
      itself: {
        collection: 'workload',
        index: 'gsi1',
        pk: { field: 'gsi1pk', composite: ['employee'] },
        sk: { field: 'gsi1sk', composite: [] },
      },
    },
  },
  { client, table },
)

const work = new Service({ Task, Employee }, { client, table })
const task = (taskId, more) => ({ project: 'core', taskId, employee: 'ada', ...more })

test('ElectroDB', async (t) => {
  const keys = ['pk', 'sk', 'gsi1pk', 'gsi1sk']
  const schema = ([pk, sk]) => [
    { AttributeName: pk, KeyType: 'HASH' },
    { AttributeName: sk, KeyType: 'RANGE' },
  ]
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: schema(keys),
      GlobalSecondaryIndexes: [
        { IndexName: 'gsi1', KeySchema: schema(keys.slice(2)), Projection: { ProjectionType: 'ALL' } },
      ],
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: table })
  t.after(async () => {
    await client.send(new DeleteTableCommand({ TableName: table }))
    await waitUntilTableNotExists({ client, maxWaitTime: 60 }, { TableName: table })
  })

  await t.test('creates an entity once', async () => {
    const created = await Task.create(task('t-01', { tags: ['a', 'b'] })).go()
    const expected = task('t-01', { status: 'open', points: 0, comments: [], tags: ['a', 'b'] })
    assert.deepEqual(created.data, expected)
    const found = await Task.get({ project: 'core', taskId: 't-01' }).go()
    assert.deepEqual(found.data, expected)
    await assert.rejects(Task.create(task('t-01')).go(), (error) => {
      assert.equal(error.isElectroError, true)
      assert.equal(error.cause.name, 'ConditionalCheckFailedException')
      assert.match(error.message, /"The conditional request failed"/)
      return true
    })
  })

  await t.test('writes a batch and pages through a query with cursors', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `t-${n + 10}`)
    const written = await Task.put(ids.map((id) => task(id))).go()
    assert.deepEqual(written.unprocessed, [])
    const found = []
    let cursor = null
    let n = 0
    do {
      const page = await Task.query.byProject({ project: 'core' }).gte({ taskId: 't-10' }).go({ cursor, limit: 12 })
      found.push(...page.data.map((one) => one.taskId))
      cursor = page.cursor
      n += 1
    } while (cursor)
    assert.deepEqual(found, ids)
    assert.equal(n, 3)
  })

  await t.test('patches under a condition, and the entity moves in its index', async () => {
    const key = { project: 'core', taskId: 't-10' }
    const close = () =>
      Task.patch(key)
        .set({ status: 'closed', employee: 'ada' })
        .add({ points: 5 })
        .append({ comments: ['done'] })
        .where(({ status }, { eq }) => eq(status, 'open'))
        .go({ response: 'all_new' })
    assert.deepEqual((await close()).data, task('t-10', { status: 'closed', points: 5, comments: ['done'] }))
    await assert.rejects(close(), (error) => error.cause.name === 'ConditionalCheckFailedException')
    const closed = await Task.query.assigned({ employee: 'ada', status: 'closed' }).go()
    assert.deepEqual(closed.data.map((one) => one.taskId), ['t-10'])
    const filtered = await Task.query
      .assigned({ employee: 'ada' })
      .where(({ points }, { gt }) => gt(points, 4))
      .go({ pages: 'all' })
    assert.deepEqual(filtered.data.map((one) => one.taskId), ['t-10'])
  })

  await t.test('reads a collection of both entities in one query', async () => {
    await Employee.create({ employee: 'bob', office: 'north' }).go()
    await Task.create(task('t-90', { employee: 'bob' })).go()
    const { data } = await work.collections.workload({ employee: 'bob' }).go()
    assert.deepEqual(data.Employee, [{ employee: 'bob', office: 'north' }])
    assert.deepEqual(data.Task, [task('t-90', { employee: 'bob', status: 'open', points: 0, comments: [] })])
  })

  await t.test('writes a transaction whole or not at all', async () => {
    const transfer = () =>
      work.transaction
        .write(({ Task, Employee }) => [
          Task.delete({ project: 'core', taskId: 't-90' }).commit(),
          Employee.create({ employee: 'eve', office: 'south' }).commit(),
        ])
        .go()
    assert.equal((await transfer()).canceled, false)
    const again = await transfer()
    assert.equal(again.canceled, true)
    assert.deepEqual(again.data.map((one) => one.code), ['None', 'ConditionalCheckFailed'])
  })

  await t.test('removes an entity', async () => {
    const key = { project: 'core', taskId: 't-11' }
    const removed = await Task.remove(key).go({ response: 'all_old' })
    assert.equal(removed.data.taskId, 't-11')
    assert.equal((await Task.get(key).go()).data, null)
    await assert.rejects(Task.remove(key).go(), (error) => error.cause.name === 'ConditionalCheckFailedException')
  })
})
