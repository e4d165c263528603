// Never run: the compiler checks that requests and replies have the types they should.

import { createEngine, requestHandler, type AttributeValue, type EngineError } from '../index.js'

const engine = await createEngine({ delays: 'short', region: 'eu-west-2' })

const names: string[] = engine.send('ListTables', { Limit: 2 }).TableNames
const found: AttributeValue | undefined = engine.send('GetItem', {
  TableName: 'Orders',
  Key: { pk: { S: 'a' }, sk: { B: new Uint8Array() } },
}).Item?.pk
const reply: Pick<EngineError, 'status' | 'body'> = engine.sendText('DynamoDB_20120810.Scan')
const { response } = await requestHandler(engine).handle({ headers: {}, body: '{}' })
const bytes: Uint8Array = response.body
engine.send('TransactWriteItems', {
  TransactItems: [{ Delete: { TableName: 'Orders', Key: { pk: { S: 'a' } } } }],
})
engine.send('DescribeLimits')

// @ts-expect-error a value has one of the known members
const wrong: AttributeValue = { X: 'a' }
// @ts-expect-error bytes come back as text
const back: Uint8Array | undefined = engine.send('ExecuteStatement', { Statement: '' }).Items[0]?.b?.B
// @ts-expect-error the operation does not exist
engine.send('GetItems')
// @ts-expect-error a key is required
engine.send('GetItem', { TableName: 'Orders' })
// @ts-expect-error a request is an object
engine.send('ListTables', '{}')
// @ts-expect-error delays have names
await createEngine({ delays: 20 })

export { back, bytes, found, names, reply, wrong }
