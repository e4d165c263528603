// What the AWS SDK works on: a shop's orders, in tables with an index by state and a stream.
//
// Orders 1 to 30 of the customer Ada. Odd ones are open, even ones are paid; order n costs ten times n, and a half.
// An order takes some 50 bytes, so thirty of them fill no more than one read unit of 4 KB.

import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

export const endpoint = process.env.DYNAMODB_ENDPOINT
export const client = new DynamoDBClient({ endpoint })
export const documents = DynamoDBDocumentClient.from(client)

export const customer = 'ada'
export const nOrders = 30
export const index = 'byState'

export const key = (number) => ({ customer, number })
export const order = (number) => ({ ...key(number), state: number % 2 ? 'open' : 'paid', total: number * 10 + 0.5 })
export const orders = Array.from({ length: nOrders }, (_, n) => order(n + 1))

export const definition = (TableName) => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'customer', AttributeType: 'S' },
    { AttributeName: 'number', AttributeType: 'N' },
    { AttributeName: 'state', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'customer', KeyType: 'HASH' },
    { AttributeName: 'number', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: index,
      KeySchema: [
        { AttributeName: 'state', KeyType: 'HASH' },
        { AttributeName: 'number', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
})

/** Makes a table of thirty orders, which is gone when the test ends; its name. */
export async function tableOfOrders(test, name) {
  await client.send(new CreateTableCommand(definition(name)))
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: name })
  test.after(async () => {
    await client.send(new DeleteTableCommand({ TableName: name }))
    await waitUntilTableNotExists({ client, maxWaitTime: 60 }, { TableName: name })
  })
  await write(name, orders.map((Item) => ({ PutRequest: { Item } })))
  return name
}

/** Writes in batches of 25 until nothing is unprocessed; the consumed capacity of each call. */
export async function write(name, requests) {
  const consumed = []
  let rest = requests
  while (rest.length > 0) {
    const reply = await documents.send(
      new BatchWriteCommand({
        RequestItems: { [name]: rest.slice(0, 25) },
        ReturnConsumedCapacity: 'INDEXES',
      }),
    )
    consumed.push(...reply.ConsumedCapacity)
    rest = [...(reply.UnprocessedItems[name] ?? []), ...rest.slice(25)]
  }
  return consumed
}
