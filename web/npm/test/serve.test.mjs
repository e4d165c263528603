// `npx @hashrange/engine serve` from outside.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import * as zlib from 'node:zlib'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { ORDERS } from './orders.mjs'
import { SIGNATURE, run, start } from './serving.mjs'

const PAGE = 'http://localhost:3000'
const exception = (reply) => reply.json().__type.split('#')[1]

test('one line says where it answers, and a signal ends it', async (context) => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    const server = await start(context)
    assert.match(server.line, /^Hashrange answers DynamoDB requests at http:\/\/127\.0\.0\.1:\d+$/)
    const agent = new Agent({ keepAlive: true })
    assert.equal((await server.send('', {}, { method: 'GET', agent })).status, 200)
    assert.equal(await server.stop(signal), 0, 'an idle connection does not keep it')
    agent.destroy()
  }
})

test('the AWS SDK talks to it as to DynamoDB', async (context) => {
  const server = await start(context)
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const client = new DynamoDBClient({ endpoint: server.address, region: 'us-east-1', credentials })
  context.after(() => client.destroy())
  assert.deepEqual((await client.send(new ListTablesCommand({}))).TableNames, [])
})

test('a table is made in the Region, filled and read', async (context) => {
  const server = await start(context, '--region', 'eu-west-2', '--delays=instant')
  const table = (await server.call('CreateTable', ORDERS)).json().TableDescription
  assert.equal(table.TableArn, 'arn:aws:dynamodb:eu-west-2:000000000000:table/Orders')
  const Item = { pk: { S: 'a' }, sk: { N: '1' } }
  const put = await server.call('PutItem', { TableName: 'Orders', Item })
  assert.deepEqual([put.status, put.text], [200, '{}'])
  assert.deepEqual((await server.call('GetItem', { TableName: 'Orders', Key: Item })).json(), { Item })
  assert.equal((await server.send('', {}, { method: 'GET' })).text, 'healthy: dynamodb.eu-west-2.amazonaws.com')
})

test('every answer has an id, the checksum of its bytes and the protocol it was asked in', async (context) => {
  const server = await start(context)
  const replies = [
    await server.call('ListTables', {}),
    await server.call('ListTables', {}, { 'content-type': 'Application/x-amz-json-1.1; charset=utf-8' }),
    await server.call('ListTables', {}, { 'x-amz-target': 'DynamoDBStreams_20120810.ListStreams' }),
    await server.call('ListTables', '{'),
  ]
  for (const { headers, bytes } of replies) {
    assert.match(headers['x-amzn-requestid'], /^[0-9A-V]{52}$/)
    assert.equal(headers['content-length'], String(bytes.length))
    if (zlib.crc32 !== undefined) assert.equal(headers['x-amz-crc32'], String(zlib.crc32(bytes)))
  }
  assert.equal(new Set(replies.map(({ headers }) => headers['x-amzn-requestid'])).size, 4)
  const types = replies.map(({ headers }) => headers['content-type'].slice(-3))
  assert.deepEqual(types, ['1.0', '1.1', '1.0', '1.0'])
  assert.deepEqual(replies[2].json(), { Streams: [] })
})

test('other methods and content types are unknown operations', async (context) => {
  const server = await start(context)
  for (const reply of [
    await server.send('{}', {}, { method: 'PUT' }),
    await server.send('', {}, { method: 'DELETE' }),
    await server.send('{}', {}),
    await server.call('ListTables', {}, { 'content-type': 'text/plain' }),
  ]) {
    assert.deepEqual([reply.status, reply.text], [404, '<UnknownOperationException/>\n'])
  }
  for (const target of [undefined, 'Nothing', 'DynamoDB_20120810.Nothing', 'DynamoDB_20120810.ListStreams']) {
    const reply = await server.call('ListTables', {}, { 'x-amz-target': target })
    assert.deepEqual([reply.status, exception(reply)], [400, 'UnknownOperationException'])
  }
})

test('JSON is looked at before credentials and these before the rest', async (context) => {
  const server = await start(context)
  const refused = async (body, headers) => exception(await server.call('GetItem', body, headers))
  const unsigned = { authorization: undefined }
  assert.equal(await refused('{', unsigned), 'SerializationException')
  assert.equal(await refused('{}', unsigned), 'MissingAuthenticationTokenException')
  assert.equal(await refused('{}', { authorization: 'Bearer x' }), 'MissingAuthenticationTokenException')
  assert.equal(await refused('{}', { authorization: 'AWS4-HMAC-SHA256 x' }), 'IncompleteSignatureException')
  assert.equal(await refused('{}', { 'x-amz-date': undefined, date: undefined }), 'IncompleteSignatureException')
  assert.equal(await refused('{}', {}), 'ValidationException')

  const names = ['Algorithm', 'Credential', 'Signature', 'SignedHeaders', 'Date']
  const path = `/?${names.map((name) => `X-Amz-${name}=a`).join('&')}`
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables' }
  assert.equal((await server.send('{}', headers, { path })).status, 200)
  const twice = await server.send('{}', { ...headers, authorization: SIGNATURE }, { path })
  assert.equal(exception(twice), 'InvalidSignatureException')
})

test('messages are worded as they were in the edition asked for', async (context) => {
  const set = { Item: { pk: { S: 'a' }, sk: { N: '1' }, s: { SS: [] } }, TableName: 'Orders' }
  const message = async (...options) => {
    const server = await start(context, ...options)
    await server.call('CreateTable', ORDERS)
    return (await server.call('PutItem', set)).json().message
  }
  const [today, before] = [await message(), await message('--wording', '2026-05')]
  assert.match(before, /^One or more parameter values/)
  assert.equal(today, `1 validation error detected: ${before}`)
})

test('bodies that are no request are refused and the server goes on', async (context) => {
  const server = await start(context)
  const bodies = ['', 'null', '[]', '1', '{"TableName": 1}', '\0', Buffer.from('{"TableName": "\xff"}', 'latin1')]
  for (const body of bodies) {
    const reply = await server.call('DescribeTable', body)
    assert.equal(reply.status, 400, String(body))
    assert.match(exception(reply), /^(Serialization|Validation)Exception$/, String(body))
  }
  assert.equal((await server.call('ListTables', {})).status, 200)
})

test('values and expressions nested without end are refused and the server goes on', async (context) => {
  const server = await start(context)
  await server.call('CreateTable', ORDERS)
  const value = '{"L": ['.repeat(100_000) + ']}'.repeat(100_000)
  const put = `{"TableName": "Orders", "Item": {"pk": {"S": "a"}, "sk": {"N": "1"}, "l": ${value}}}`
  assert.equal((await server.call('PutItem', put)).status, 400)
  for (const open of ['(', 'NOT ', 'NOT (', 'a[0].', 'size(']) {
    const FilterExpression = `${open.repeat(2_000)}a = a${')'.repeat(2_000)}`
    const reply = await server.call('Scan', { TableName: 'Orders', FilterExpression })
    assert.equal(exception(reply), 'ValidationException', open)
  }
  assert.equal((await server.call('ListTables', {})).status, 200)
})

test('a body is unzipped, and what is not compressed as it says is refused', async (context) => {
  const server = await start(context)
  const gzip = { 'content-encoding': 'gzip' }
  assert.equal((await server.call('ListTables', zlib.gzipSync('{}'), gzip)).text, '{"TableNames":[]}')
  assert.equal(exception(await server.call('ListTables', '{}', gzip)), 'SerializationException')
  const cut = zlib.gzipSync('{"Limit": 1}').subarray(0, -4)
  assert.equal(exception(await server.call('ListTables', cut, gzip)), 'SerializationException')
  assert.equal((await server.call('ListTables', '{}', { 'content-encoding': 'br' })).status, 415)
})

test('a body over sixteen megabytes is too large, as sent and once unzipped', async (context) => {
  const server = await start(context)
  const most = Buffer.alloc(16 * 1024 * 1024, ' ')
  const padded = Buffer.concat([Buffer.from('{}'), most.subarray(2)])
  assert.equal((await server.call('ListTables', padded)).status, 200)
  const more = Buffer.concat([most, Buffer.from(' ')])
  for (const [body, headers] of [[more, {}], [zlib.gzipSync(more), { 'content-encoding': 'gzip' }]]) {
    const reply = await server.call('ListTables', body, headers)
    assert.equal(reply.status, 413)
    assert.equal(reply.headers.connection, 'close')
  }
  assert.equal((await server.call('ListTables', {})).status, 200)
})

test('half a body, a length that lies and headers without end take nobody along', async (context) => {
  const server = await start(context)
  const { hostname, port } = new URL(server.address)
  const head = `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-amz-json-1.0\r\n`
  const closed = (text, ends) =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => (ends ? socket.end(text) : socket.write(text)))
      let reply = ''
      socket.on('data', (piece) => (reply += piece)).on('error', () => {}).on('close', () => resolve(reply))
    })
  assert.doesNotMatch(await closed(`${head}content-length: 100\r\n\r\n{"Table`, true), /^HTTP\/1.1 200/)
  assert.match(await closed(`${head}content-length: x\r\n\r\n{}`, true), /^HTTP\/1.1 400/)
  assert.match(await closed(`${head}a: ${'b'.repeat(100_000)}\r\n\r\n`, false), /^HTTP\/1.1 431/)
  assert.equal((await server.call('ListTables', {})).status, 200)
})

test('only pages that were let in are answered', async (context) => {
  const server = await start(context, '--cors', `${PAGE}/`, '--cors', 'http://other.example')
  const reply = await server.call('ListTables', {}, { origin: PAGE })
  assert.equal(reply.status, 200)
  assert.equal(reply.headers['access-control-allow-origin'], PAGE)
  assert.match(reply.headers['access-control-expose-headers'], /x-amz-crc32/)
  const foreign = await server.call('ListTables', {}, { origin: 'http://evil.example' })
  assert.equal(foreign.status, 403)
  assert.equal(foreign.headers['access-control-allow-origin'], undefined)
  assert.match(foreign.text, /--cors http:\/\/evil\.example/)

  const asked = { origin: PAGE, 'access-control-request-headers': 'x-amz-target', 'access-control-request-private-network': 'true' }
  const preflight = await server.send('', asked, { method: 'OPTIONS' })
  assert.equal(preflight.headers['access-control-allow-headers'], 'x-amz-target')
  assert.equal(preflight.headers['access-control-allow-private-network'], 'true')
  assert.match(preflight.headers['access-control-allow-methods'], /POST/)
  const plain = await server.send('', {}, { method: 'OPTIONS' })
  assert.equal(plain.headers.allow, 'GET, HEAD, OPTIONS, POST')
})

test('options that are wrong end it with one sentence and code 2', async () => {
  for (const [args, sentence] of [
    [[], /^error: a command is missing/],
    [['run'], /^error: there is no command run/],
    [['serve', '--data', 'a'], /^error: there is no option --data/],
    [['serve', '--port'], /^error: --port needs a value/],
    [['serve', '--port', '70000'], /^error: --port is a number from 0 to 65535; not 70000/],
    [['serve', '--port', '1', '--port', '2'], /^error: --port is given twice/],
    [['serve', '--host', 'localhost'], /^error: --host is an address .* not localhost/],
    [['serve', '--cors', 'localhost'], /^error: localhost is not an origin/],
    [['serve', '--delays', 'slow'], /^error: --delays is instant, short or measured; not slow/],
    [['serve', '--wording', '1999'], /^error: --wording: there is no wording 1999: choose 2026-05 or 2026-07/],
    [['serve', '--region', 'Europe'], /^error: --region is lower-case letters/],
  ]) {
    const { code, stdout, stderr } = await run(...args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, sentence)
    assert.equal(stderr.split('\n').length, 2, stderr)
  }
})

test('a port that is taken is told in one sentence', async (context) => {
  const server = await start(context)
  const { port } = new URL(server.address)
  const { code, stderr } = await run('serve', '--port', port)
  assert.deepEqual([code, stderr], [1, `error: port ${port} is taken: choose another with --port\n`])
})

test('help shows every option', async () => {
  const { code, stdout } = await run('serve', '--help')
  assert.equal(code, 0)
  for (const name of ['port', 'host', 'cors', 'region', 'delays', 'wording']) assert.match(stdout, new RegExp(`--${name} `))
})
