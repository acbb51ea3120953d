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
    ['start --shared-keys', { shared: 'keys' }],
    ['start --model a.ts --seed', { models: ['a.ts'], seed: ['a.ts'] }],
    ['start --seed --model a.ts --seed b.json', { models: ['a.ts'], seed: ['a.ts', 'b.json'] }],
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
    expect(readCommandLine(['start'], { HASHRANGE_SHARED: 'keys' })).toEqual({
      kind: 'start',
      settings: { ...usual, shared: 'keys' },
    })
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
  ['stop', 'There is no command "stop". To stop a server, press Ctrl+C or send it SIGTERM. See: hashrange help'],
  ['strat', 'There is no command "strat". Did you mean "start"? See: hashrange help'],
  ['serve', 'There is no command "serve". Did you mean "start"? See: hashrange help'],
  ['tables', 'There is no command "tables". See: hashrange help'],
  ['--shared', 'Name a command, such as: hashrange start. See: hashrange help'],
  ['start now', '"hashrange start" does not take "now". See: hashrange help'],
  ['start 8001', '"hashrange start" does not take "8001". Did you mean --port 8001? See: hashrange help'],
  ['start --prot 1', 'There is no flag --prot. Did you mean --port? See: hashrange help'],
  ['start --colour', 'There is no flag --colour. See: hashrange help'],
  ['start --port', '--port needs a value. See: hashrange help'],
  [
    'start --port -1',
    '--port needs a value. If the value starts with a dash, write --port=VALUE. See: hashrange help',
  ],
  [
    'start --port 80a',
    '"80a" is not a port. A port is a number from 0 to 65535; 0 picks a free one. See: hashrange help',
  ],
  [
    'start --port 65536',
    '"65536" is not a port. A port is a number from 0 to 65535; 0 picks a free one. See: hashrange help',
  ],
  [
    'start --cors example.com',
    '--cors takes the origin of a web page, such as https://app.example.com, or *. It cannot be "example.com". See: hashrange help',
  ],
  [
    'start --cors https://example.com/page',
    '--cors takes the origin of a web page, such as https://app.example.com, or *. It cannot be "https://example.com/page". See: hashrange help',
  ],
  [
    'start --allowed-hosts db.example.com:8000',
    '--allowed-hosts takes host names without a port, such as db.example.com or .example.com, or *. It cannot be "db.example.com:8000". See: hashrange help',
  ],
  [
    'start --webhooks ftp://a/',
    '--webhooks takes addresses, such as https://hooks.example.com/alarms/, or * or none. It cannot be "ftp://a/". See: hashrange help',
  ],
  ['start --ttl-sweep 0', '--ttl-sweep must be a number of seconds, not "0". See: hashrange help'],
  ['start --stream-retention 1d', '--stream-retention must be a number of hours, not "1d". See: hashrange help'],
  ['start --throttling some', '--throttling must be measure, enforce or off, not "some". See: hashrange help'],
  ['start --dialect 2024', '--dialect must be 2026 or 2025, not "2024". See: hashrange help'],
  ['start --consistency strong', '--consistency must be current or eventual, not "strong". See: hashrange help'],
  [
    'start --consistency eventual --consistency-lag 1s',
    '--consistency-lag must be a number of milliseconds, at most 60000, not "1s". See: hashrange help',
  ],
  [
    'start --consistency eventual --consistency-seed x',
    '--consistency-seed must be a whole number, not "x". See: hashrange help',
  ],
  [
    'start --consistency-lag 100',
    '--consistency-lag and --consistency-seed only work with --consistency eventual. Add it, or remove them. See: hashrange help',
  ],
  [
    'start --store mysql://me:secret@host/shop?password=secret',
    '--store must be the URL of a PostgreSQL database, such as postgres://user@host/database, not "mysql://host/shop". See: hashrange help',
  ],
  [
    'start --memory --path x',
    '--memory keeps the data in memory and --path keeps it in a folder. Use only one of them. See: hashrange help',
  ],
])('"%s" is a mistake that is explained', (line, message) => {
  expect(readCommandLine(line.split(' '), {})).toEqual({ kind: 'mistake', message })
})
