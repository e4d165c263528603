// The table most tests start from.

import { createEngine } from '../node.js'

export const ORDERS = {
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

/** An engine with three items in one item collection. */
export async function withOrders() {
  const engine = await createEngine()
  engine.send('CreateTable', ORDERS)
  for (const n of [1, 2, 3]) {
    engine.send('PutItem', { TableName: 'Orders', Item: { pk: { S: 'é' }, sk: { N: `${n}` } } })
  }
  return engine
}
