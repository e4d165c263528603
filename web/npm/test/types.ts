// Never run: the compiler checks that requests and replies have the types they should.

import { createEngine, type AttributeValue, type EngineError } from '../index.js'

const engine = await createEngine()

const text: string = engine.send('ListTables')
const names: string[] = engine.call('ListTables', { Limit: 2 }).TableNames
const found: AttributeValue | undefined = engine.call('GetItem', {
  TableName: 'Orders',
  Key: { pk: { S: 'a' } },
}).Item?.pk
const refused: Pick<EngineError, 'status' | 'body'> = engine.sendText('DynamoDB_20120810.Scan')

// @ts-expect-error a value has one of the known members
const wrong: AttributeValue = { X: 'a' }
// @ts-expect-error the operation does not exist
engine.send('GetItems')
// @ts-expect-error a key is required
engine.call('GetItem', { TableName: 'Orders' })

export { found, names, refused, text, wrong }
