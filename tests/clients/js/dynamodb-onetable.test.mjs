// OneTable's own first steps: a schema of two models in one table that it makes itself.

import assert from 'node:assert/strict'
import test from 'node:test'

import { waitUntilTableExists, waitUntilTableNotExists } from '@aws-sdk/client-dynamodb'
import { Table } from 'dynamodb-onetable'
import { Dynamo } from 'dynamodb-onetable/Dynamo'

import { client } from './orders.mjs'

const name = 'OneTable'
const schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gs1: { hash: 'gs1pk', sort: 'gs1sk', follow: true },
  },
  models: {
    Account: {
      pk: { type: String, value: 'account:${name}' },
      sk: { type: String, value: 'account:' },
      name: { type: String, required: true },
      status: { type: String, default: 'active' },
    },
    User: {
      pk: { type: String, value: 'account:${account}' },
      sk: { type: String, value: 'user:${email}' },
      gs1pk: { type: String, value: 'user:' },
      gs1sk: { type: String, value: 'user:${email}' },
      account: { type: String, required: true },
      email: { type: String, required: true, unique: true },
      role: { type: String, enum: ['user', 'admin'], required: true, default: 'user' },
      balance: { type: Number, default: 0 },
      joined: { type: Date },
      address: { type: Object, schema: { city: { type: String }, zip: { type: String } } },
    },
  },
  params: { isoDates: true, timestamps: false },
}

const joined = new Date('2026-11-30T12:00:00.000Z')
const user = (email, more) => ({ account: 'acme', email, ...more })

test('OneTable', async (t) => {
  const table = new Table({ client: new Dynamo({ client }), name, schema, partial: true })
  const Account = table.getModel('Account')
  const User = table.getModel('User')
  await table.createTable()
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: name })
  t.after(async () => {
    await table.deleteTable('DeleteTableForever')
    await waitUntilTableNotExists({ client, maxWaitTime: 60 }, { TableName: name })
  })

  await t.test('makes its table with the index', async () => {
    assert.equal(await table.exists(), true)
    const { Table: made } = await table.describeTable()
    assert.equal(made.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST')
    assert.deepEqual(made.GlobalSecondaryIndexes.map((one) => one.IndexName), ['gs1'])
  })

  await t.test('creates models once, unique attributes in a transaction', async () => {
    assert.deepEqual(await Account.create({ name: 'acme' }), { name: 'acme', status: 'active' })
    await assert.rejects(Account.create({ name: 'acme' }), (error) => {
      assert.equal(error.code, 'ConditionalCheckFailedException')
      return true
    })
    const ada = user('ada@example.com', { joined, address: { city: 'London', zip: 'N1' } })
    const created = { ...ada, role: 'user', balance: 0 }
    assert.deepEqual(await User.create(ada), created)
    assert.deepEqual(await User.get({ account: 'acme', email: ada.email }), created)
    await assert.rejects(User.create({ ...ada, account: 'other' }), (error) => {
      assert.equal(error.code, 'UniqueError')
      return true
    })
  })

  await t.test('finds by a filter, by an index, and page by page', async () => {
    const batch = {}
    for (let n = 10; n < 30; n += 1) await User.create(user(`u${n}@example.com`, { balance: n }))
    await Account.create({ name: 'other' }, { batch })
    await Account.create({ name: 'third' }, { batch })
    await table.batchWrite(batch)

    const rich = await User.find({ account: 'acme' }, { where: '${balance} > {26}' })
    assert.deepEqual(rich.map((one) => one.balance), [27, 28, 29])
    const { count } = await User.find({ account: 'acme', role: 'user' }, { count: true })
    assert.equal(count, 21)
    const one = await User.get({ email: 'u20@example.com' }, { index: 'gs1' })
    assert.equal(one.balance, 20)

    const found = []
    let next
    do {
      const page = await User.find({ gs1pk: 'user:', gs1sk: { begins: 'user:u' } }, { index: 'gs1', limit: 8, next })
      found.push(...page.map((each) => each.balance))
      next = page.next
    } while (next)
    assert.deepEqual(found, Array.from({ length: 20 }, (_, n) => n + 10))
  })

  await t.test('updates parts of a model', async () => {
    const key = { account: 'acme', email: 'ada@example.com' }
    // With a unique attribute an update is a transaction, which returns nothing: it is read afterwards.
    const first = await User.update({ ...key, role: 'admin' }, { add: { balance: 10.5 }, return: 'get' })
    assert.deepEqual([first.role, first.balance], ['admin', 10.5])
    const again = { where: '${balance} = {10.5}', return: 'get' }
    const second = await User.update({ ...key, address: { zip: 'N2' } }, again)
    assert.deepEqual(second.address, { city: 'London', zip: 'N2' })
    const update = Account.update({ name: 'acme', status: 'lost' }, { where: '${status} = {closed}' })
    await assert.rejects(update, (error) => {
      assert.equal(error.code, 'ConditionalCheckFailedException')
      return true
    })
  })

  await t.test('writes a transaction of two models', async () => {
    const transaction = {}
    await Account.update({ name: 'acme', status: 'closed' }, { transaction })
    await User.update({ account: 'acme', email: 'u10@example.com', balance: 0 }, { transaction })
    await table.transact('write', transaction)
    assert.equal((await Account.get({ name: 'acme' })).status, 'closed')
    assert.equal((await User.get({ account: 'acme', email: 'u10@example.com' })).balance, 0)
  })

  await t.test('removes a model and its unique attribute', async () => {
    const key = { account: 'acme', email: 'u11@example.com' }
    await User.remove(key)
    assert.equal(await User.get(key), undefined)
    await User.create(user(key.email))
    assert.equal((await User.get(key)).balance, 0)
  })
})
