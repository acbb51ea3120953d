import { gzipSync } from 'node:zlib'
import { accessOperations, iamShapes, stsShapes } from '@hashrange/access'
import { inputShapeOf, operationsByTarget, type StructureShape } from '@hashrange/engine'
import { kinesisOperations, kinesisShapes } from '@hashrange/kinesis'
import { autoScalingShapes, cloudWatchShapes, monitoringOperations } from '@hashrange/monitoring'
import type { Randomness } from '../support/randomness.ts'
import { anyInput } from './any-input.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { toCbor } from './to-cbor.ts'
import { anyWorkbenchRequest, type WorkbenchPlace } from './workbench/any-workbench-request.ts'

const operations = { ...operationsByTarget, ...monitoringOperations, ...kinesisOperations, ...accessOperations }
type Target = keyof typeof operations

const shapes: Readonly<Record<Target, (operation: string) => StructureShape>> = {
  DynamoDB_20120810: inputShapeOf,
  DynamoDBStreams_20120810: inputShapeOf,
  AnyScaleFrontendService: (operation) => autoScalingShapes.inputShapeOf(operation),
  GraniteServiceVersion20100801: (operation) => cloudWatchShapes.inputShapeOf(operation),
  Kinesis_20131202: (operation) => kinesisShapes.inputShapeOf(operation),
  AWSIdentityManagementV20100508: (operation) => iamShapes.inputShapeOf(operation),
  AWSSecurityTokenServiceV20110615: (operation) => stsShapes.inputShapeOf(operation),
}

/** Any operation, over a protocol that it is spoken in. */
export function anyRequest(random: Randomness, workbench: WorkbenchPlace): FuzzRequest {
  if (random.chance(0.1)) return anyWorkbenchRequest(random, workbench)
  const target = random.oneOf(Object.keys(shapes) as Target[])
  // What would stop the server's own tables from being there is rare.
  const operation = random.oneOf<string>(operations[random.chance(0.6) ? 'DynamoDB_20120810' : target])
  const prefix = (Object.keys(shapes) as Target[]).find((name) =>
    (operations[name] as readonly string[]).includes(operation),
  )
  const input = anyInput(shapeOf(operation, prefix ?? target), random)
  if (prefix === 'GraniteServiceVersion20100801' && random.chance(0.6)) {
    return random.chance(0.5)
      ? queryRequest(operation, input, queries[prefix])
      : cborRequest(operation, input, random)
  }
  if (prefix === 'AWSIdentityManagementV20100508' || prefix === 'AWSSecurityTokenServiceV20110615') {
    return queryRequest(operation, input, queries[prefix])
  }
  return jsonRequest(`${prefix}.${operation}`, input, random)
}

function shapeOf(operation: string, target: Target): StructureShape {
  try {
    return shapes[target](operation)
  } catch {
    return { kind: 'structure', name: operation, members: [] }
  }
}

function jsonRequest(target: string, input: unknown, random: Randomness): FuzzRequest {
  const text = random.chance(0.03) ? brokenJson(random, input) : JSON.stringify(input)
  const isCompressed = random.chance(0.05)
  return {
    method: 'POST',
    path: '/',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': target,
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      ...credentials,
    },
    body: isCompressed ? gzipSync(text) : text,
  }
}

function brokenJson(random: Randomness, input: unknown): string {
  const text = JSON.stringify(input)
  const at = random.between(0, text.length)
  return random.oneOf([
    text.slice(0, at),
    text + text,
    'null',
    '[]',
    '"x"',
    '',
    '['.repeat(100_000),
    `{"a":${'1'.repeat(50_000)}}`,
  ])
}

/** RPC with CBOR; now and then with bytes that are none. */
function cborRequest(operation: string, input: unknown, random: Randomness): FuzzRequest {
  const body = toCbor(input)
  if (random.chance(0.2) && body.length > 0)
    body.writeUInt8(random.between(0, 255), random.between(0, body.length - 1))
  return {
    method: 'POST',
    path: `/service/GraniteServiceVersion20100801/operation/${operation}`,
    headers: { 'Content-Type': 'application/cbor', 'Smithy-Protocol': 'rpc-v2-cbor', ...credentials },
    body: random.chance(0.2) ? body.subarray(0, random.between(0, body.length)) : body,
  }
}

interface QueryForm {
  readonly version: string
  readonly signedAs: string
}

const queries = {
  GraniteServiceVersion20100801: { version: '2010-08-01', signedAs: 'monitoring' },
  AWSIdentityManagementV20100508: { version: '2010-05-08', signedAs: 'iam' },
  AWSSecurityTokenServiceV20110615: { version: '2011-06-15', signedAs: 'sts' },
} as const

/** The Query protocol: a form, in which structures are paths. */
function queryRequest(operation: string, input: unknown, { version, signedAs }: QueryForm): FuzzRequest {
  const form = new URLSearchParams({ Action: operation, Version: version })
  addParameters(form, '', input)
  return {
    method: 'POST',
    path: '/',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...credentialsFor(signedAs) },
    body: form.toString(),
  }
}

function addParameters(form: URLSearchParams, path: string, value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach((element, index) => addParameters(form, `${path}.member.${index + 1}`, element))
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      addParameters(form, path === '' ? name : `${path}.${name}`, member)
  } else {
    form.append(path, String(value))
  }
}

const credentials = credentialsFor('dynamodb')

function credentialsFor(service: string): Record<string, string> {
  return {
    'X-Amz-Date': '20260101T000000Z',
    Authorization: `AWS4-HMAC-SHA256 Credential=000000000000/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
  }
}
