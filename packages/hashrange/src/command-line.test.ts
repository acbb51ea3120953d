import { describe, expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'
import type { StartSettings } from './command-line.ts'

const usual: StartSettings = {
  host: '127.0.0.1',
  port: 8000,
  path: '.hashrange',
  shared: false,
  workbenchReadOnly: false,
  models: [],
  remoteModels: false,
}

describe('start', () => {
  test.each<[string, Partial<StartSettings>]>([
    ['start', {}],
    ['start --port 0 --host ::1', { port: 0, host: '::1' }],
    ['start --port=9000 --path /data --shared', { port: 9000, path: '/data', shared: true }],
    ['--memory start', { path: undefined }],
    [
      'start --throttling enforce --consistency eventual --consistency-lag 50 --consistency-seed 3',
      { throttling: 'enforce', consistency: 'eventual', consistencyLagMs: 50, consistencySeed: 3 },
    ],
    ['start --dialect 2025', { dialect: '2025' }],
    ['start --no-workbench', { workbench: false }],
    [
      'start --host 0.0.0.0 --workbench --workbench-read-only --model a.model.ts --model b.model.ts',
      { host: '0.0.0.0', workbench: true, workbenchReadOnly: true, models: ['a.model.ts', 'b.model.ts'] },
    ],
    [
      'start --cors https://a.example --cors http://b.example:1,null --allowed-hosts db.example.com,.example.org',
      {
        cors: ['https://a.example', 'http://b.example:1', 'null'],
        allowedHosts: ['db.example.com', '.example.org'],
      },
    ],
    ['start --webhooks http://a/,https://b/x', { webhooks: ['http://a/', 'https://b/x'] }],
    ['start --cors * --allowed-hosts *', { cors: ['*'], allowedHosts: ['*'] }],
    ['start --stream-retention 48 --ttl-sweep 0.5', { streamRetentionHours: 48, ttlSweepSeconds: 0.5 }],
  ])('%s', (line, settings) => {
    expect(readCommandLine(line.split(' '), {})).toEqual({ kind: 'start', settings: { ...usual, ...settings } })
  })

  test('takes from the environment what the command line leaves open', () => {
    const environment = {
      HASHRANGE_PORT: '9000',
      HASHRANGE_HOST: '0.0.0.0',
      HASHRANGE_PATH: '/a',
      HASHRANGE_SHARED: '1',
    }
    const settings = { ...usual, port: 9000, host: '0.0.0.0', path: '/a', shared: true }
    expect(readCommandLine(['start'], environment)).toEqual({ kind: 'start', settings })
    expect(
      readCommandLine(['start', '--port', '1', '--path', '/b'], { ...environment, HASHRANGE_MEMORY: '1' }),
    ).toEqual({
      kind: 'start',
      settings: { ...settings, port: 1, path: '/b' },
    })
    const lagging = {
      HASHRANGE_CONSISTENCY: 'eventual',
      HASHRANGE_CONSISTENCY_LAG: '9',
      HASHRANGE_THROTTLING: 'off',
      HASHRANGE_DIALECT: '2025',
    }
    expect(readCommandLine(['start', '--throttling', 'enforce'], lagging)).toEqual({
      kind: 'start',
      settings: { ...usual, consistency: 'eventual', consistencyLagMs: 9, throttling: 'enforce', dialect: '2025' },
    })
    expect(
      readCommandLine(['start'], { HASHRANGE_CORS: '*', HASHRANGE_ALLOWED_HOSTS: 'a.example, b.example' }),
    ).toEqual({ kind: 'start', settings: { ...usual, cors: ['*'], allowedHosts: ['a.example', 'b.example'] } })
    expect(readCommandLine(['start'], { HASHRANGE_MEMORY: 'false', HASHRANGE_PORT: '' })).toEqual({
      kind: 'start',
      settings: usual,
    })
  })
})

test.each([
  ['', 'help'],
  ['help', 'help'],
  ['start --help', 'help'],
  ['-h', 'help'],
  ['--version', 'version'],
  ['version', 'version'],
  ['top --help', 'top'],
  ['help top', 'top'],
  ['help start', 'help'],
  ['help me', 'help'],
])('"%s" asks for %s', (line, kind) => {
  expect(readCommandLine(line === '' ? [] : line.split(' '), {}).kind).toBe(kind)
})

test.each([
  ['stop', 'There is no command "stop". Ctrl+C stops a server, and so does SIGTERM. See: hashrange help'],
  ['strat', 'There is no command "strat". Is "start" meant? See: hashrange help'],
  ['serve', 'There is no command "serve". Is "start" meant? See: hashrange help'],
  ['tables', 'There is no command "tables". See: hashrange help'],
  ['--shared', 'A command is missing, such as: hashrange start. See: hashrange help'],
  ['start now', '"hashrange start" takes no "now". See: hashrange help'],
  ['start 8001', '"hashrange start" takes no "8001". Is --port 8001 meant? See: hashrange help'],
  ['start --prot 1', 'There is no flag --prot. Is --port meant? See: hashrange help'],
  ['start --colour', 'There is no flag --colour. See: hashrange help'],
  ['start --port', '--port needs a value. See: hashrange help'],
  [
    'start --port 80a',
    '"80a" is no port. A port is a number from 0 to 65535; 0 takes one that is free. See: hashrange help',
  ],
  [
    'start --port 65536',
    '"65536" is no port. A port is a number from 0 to 65535; 0 takes one that is free. See: hashrange help',
  ],
  [
    'start --cors example.com',
    '--cors is the origin of a page, such as https://app.example.com, or *, not "example.com". See: hashrange help',
  ],
  [
    'start --cors https://example.com/page',
    '--cors is the origin of a page, such as https://app.example.com, or *, not "https://example.com/page". See: hashrange help',
  ],
  [
    'start --allowed-hosts db.example.com:8000',
    '--allowed-hosts are names without a port, such as db.example.com or .example.com, or *, not "db.example.com:8000". See: hashrange help',
  ],
  [
    'start --webhooks ftp://a/',
    '--webhooks are addresses, such as https://hooks.example.com/alarms/, or * or none, not "ftp://a/". See: hashrange help',
  ],
  ['start --ttl-sweep 0', '--ttl-sweep is a number of seconds, not "0". See: hashrange help'],
  ['start --stream-retention 1d', '--stream-retention is a number of hours, not "1d". See: hashrange help'],
  ['start --throttling some', '--throttling is measure, enforce or off, not "some". See: hashrange help'],
  ['start --dialect 2024', '--dialect is 2026 or 2025, not "2024". See: hashrange help'],
  ['start --consistency strong', '--consistency is current or eventual, not "strong". See: hashrange help'],
  [
    'start --consistency eventual --consistency-lag 1s',
    '--consistency-lag is a number of milliseconds up to 60000, not "1s". See: hashrange help',
  ],
  [
    'start --consistency eventual --consistency-seed x',
    '--consistency-seed is a whole number, not "x". See: hashrange help',
  ],
  [
    'start --consistency-lag 100',
    'Reads only lag with --consistency eventual: add it, or leave out the lag and the seed. See: hashrange help',
  ],
  [
    'start --store mysql://me:secret@host/shop?password=secret',
    '--store is the URL of a PostgreSQL, such as postgres://user@host/database, not "mysql://host/shop". See: hashrange help',
  ],
  [
    'start --memory --path x',
    '--memory keeps no data and --path says where to keep it: choose one. See: hashrange help',
  ],
])('"%s" is a mistake that is explained', (line, message) => {
  expect(readCommandLine(line.split(' '), {})).toEqual({ kind: 'mistake', message })
})
