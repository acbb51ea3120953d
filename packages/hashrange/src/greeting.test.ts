import { expect, test } from 'vitest'
import type { StartSettings } from './command-line.ts'
import { greeting as greetingWith } from './greeting.ts'

const usual = { host: '127.0.0.1', port: 0, path: '.hashrange', shared: false }
const token = 'a-secret-of-this-start'
const greeting = (settings: StartSettings, port: number): string => greetingWith(settings, port, token)

test('names the endpoint that was taken, and where the data is', () => {
  const text = greeting(usual, 8123)
  expect(text).toContain('aws dynamodb list-tables --endpoint-url http://127.0.0.1:8123 --region us-east-1')
  expect(text).toContain('endpoint_url="http://127.0.0.1:8123"')
  expect(text).toContain('endpoint: "http://127.0.0.1:8123"')
  expect(text).toContain('The data is in .hashrange.')
  expect(text).not.toContain('Anyone')
})

test('says what is lost, and who can reach it', () => {
  const text = greeting({ ...usual, host: '0.0.0.0', path: undefined }, 8000)
  expect(text).toContain('http://127.0.0.1:8000')
  expect(text).toContain('will be lost when the server stops')
  expect(text).toContain('Anyone who can reach this machine can')
  expect(greeting({ ...usual, host: '10.0.0.5' }, 8000)).toContain('Anyone who can reach 10.0.0.5 can')
  expect(greeting({ ...usual, host: '::1' }, 8000)).toContain('http://[::1]:8000')
})

test('leads to the workbench, unless others could reach it and nobody asked for that', () => {
  expect(greeting(usual, 8123)).toContain('http://127.0.0.1:8123/_workbench/#token=a-secret-of-this-start')
  expect(greeting({ ...usual, workbench: false }, 8123)).not.toContain('orkbench')
  const reachable = greeting({ ...usual, host: '0.0.0.0' }, 8000)
  expect(reachable).not.toContain('_workbench')
  expect(reachable).toContain('To turn it on, use --workbench')
  expect(greeting({ ...usual, host: '0.0.0.0', workbench: true }, 8000)).toContain('_workbench')
})

test('tells no secret where there is no workbench, nor one that was chosen', () => {
  expect(greeting({ ...usual, workbench: false }, 8000)).not.toContain(token)
  const chosen = greeting({ ...usual, workbenchToken: token }, 8000)
  expect(chosen).not.toContain(token)
  expect(chosen).toContain('HASHRANGE_WORKBENCH_TOKEN')
})

test('names the region that the server was started for', () => {
  const text = greeting({ ...usual, region: 'eu-west-1' }, 8123)
  expect(text).toContain('aws dynamodb list-tables --endpoint-url http://127.0.0.1:8123 --region eu-west-1')
  expect(text).toContain('region_name="eu-west-1"')
  expect(text).toContain('region: "eu-west-1"')
  expect(text).not.toContain('us-east-1')
})
