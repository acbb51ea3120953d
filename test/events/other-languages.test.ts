import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zipOf } from '@hashrange/templates'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { programThat } from '../support/programs.ts'
import { describeIf, type Requirement } from '../support/requirement.ts'
import { LambdaClient } from './lambda-client.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-languages-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const needsPython = programThat(
  'python3',
  ['-c', 'import awslambdaric; print("there")'],
  'python3 has no awslambdaric, the runtime client of Lambda. Run "pip install awslambdaric".',
  'there',
)

const pythonText = `
import json, os

def handler(event, context):
    print("python got", len(event["Records"]), context.function_name)
    if event.get("fails"):
        raise ValueError("as asked")
    return {"records": len(event["Records"]), "endpoint": os.environ["AWS_ENDPOINT_URL"]}
`

describeIf(needsPython, 'A function in Python, with the official runtime client', () => {
  test('is run from its package', async () => {
    const server = HashrangeProcess.start(['--memory', '--port', '0', '--no-workbench'])
    try {
      const endpoint = `http://127.0.0.1:${await server.ready()}`
      const lambda = new LambdaClient(endpoint)
      const zip = zipOf([{ name: 'app.py', content: Buffer.from(pythonText) }])
      const created = await lambda.send('POST', '/2015-03-31/functions', {
        FunctionName: 'python',
        Runtime: 'python3.12',
        Role: 'arn:aws:iam::123456789012:role/any',
        Handler: 'app.handler',
        Timeout: 20,
        Code: { ZipFile: zip.toString('base64') },
      })
      expect(created.status).toBe(201)
      expect((await lambda.invoke('python', { Records: [1, 2] })).json).toEqual({ records: 2, endpoint })
      const failed = await lambda.invoke('python', { Records: [], fails: true })
      expect(failed.headers.get('X-Amz-Function-Error')).toBe('Unhandled')
      expect(failed.json).toMatchObject({ errorType: 'ValueError', errorMessage: 'as asked' })
      await expect.poll(() => server.printed).toContain('python | python got 2 python')
    } finally {
      await server.stop()
    }
  })
})

const goText = `package main

import (
	"context"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
)

func handle(ctx context.Context, event events.DynamoDBEvent) (map[string]string, error) {
	result := map[string]string{}
	for _, record := range event.Records {
		result[record.Change.Keys["pk"].String()] = record.EventName
	}
	return result, nil
}

func main() { lambda.Start(handle) }
`

/** What is not on this machine is not downloaded. */
const needsGo: Requirement = {
  get met() {
    if (goBuild === undefined) {
      goFolder = mkdtempSync(join(tmpdir(), 'hashrange-go-'))
      writeFileSync(join(goFolder, 'main.go'), goText)
      writeFileSync(
        join(goFolder, 'go.mod'),
        'module fn\n\ngo 1.21\n\nrequire github.com/aws/aws-lambda-go v1.47.0\n',
      )
      const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod', GONOSUMDB: '*', CGO_ENABLED: '0' }
      goBuild =
        spawnSync('go', ['build', '-o', 'bootstrap', '.'], { cwd: goFolder, env, timeout: 120_000 }).status === 0
    }
    return goBuild
  },
  reason:
    'go is not there, or has no github.com/aws/aws-lambda-go. Run "go mod download github.com/aws/aws-lambda-go@v1.47.0".',
}
let goBuild: boolean | undefined
let goFolder = ''

describeIf(needsGo, 'A function in Go, with the official runtime client', () => {
  afterAll(() => rmSync(goFolder, { recursive: true, force: true }))

  test('is called when an item changes', async () => {
    const flags = ['--function', `in-go=${join(goFolder, 'bootstrap')}`]
    const server = HashrangeProcess.start(['--memory', '--port', '0', '--no-workbench', ...flags])
    try {
      const lambda = new LambdaClient(`http://127.0.0.1:${await server.ready()}`)
      const record = { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'a' } } } }
      expect((await lambda.invoke('in-go', { Records: [record] })).json).toEqual({ a: 'INSERT' })
    } finally {
      await server.stop()
    }
  })
})
