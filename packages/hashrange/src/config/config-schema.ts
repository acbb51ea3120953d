import { connectionColours, writingChoices, type DeclaredConnection } from './declared-connection.ts'
import type { ConfiguredFunction, ConfiguredTrigger, HashrangeConfig } from './read-config.ts'

/** The part of JSON Schema that the configuration file needs. */
export interface Schema {
  readonly $schema?: string
  readonly title?: string
  readonly description?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean'
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** Other names are mistakes, or all have values of this form. */
  readonly additionalProperties?: false | Schema
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Schema[]
}

const text = (description: string): Schema => ({ type: 'string', description })
const flag = (description: string): Schema => ({ type: 'boolean', description })
const whole = (description: string, minimum: number, maximum: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
})

const configuredFunction: Record<keyof ConfiguredFunction, Schema> = {
  handler: text('A file without its ending, and what it exports: functions/on-order.handler'),
  command: {
    type: 'array',
    items: { type: 'string' },
    description: "A program that speaks Lambda's runtime API, with its arguments.",
  },
  url: text('The runtime interface emulator, or sam local start-lambda.'),
  timeout: whole('In seconds; 30 by default.', 1, 900),
  memorySize: whole('In megabytes; 512 by default.', 128, 10_240),
  environment: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables.' },
  concurrency: whole('How many calls may be in progress at a time; 4 by default.', 1, 1000),
  role: text('On a closed server: the ARN of the role whose permissions the function has.'),
}

const configuredTrigger: Record<keyof ConfiguredTrigger, Schema> = {
  table: text('The name of the table whose changes are delivered.'),
  stream: text('Instead of a table: the name of the Kinesis stream whose records are delivered.'),
  function: text('The name of the function that gets them.'),
  onFailure: text('The ARN of a function, or a URL, that receives a message about discarded records.'),
  startingPosition: {
    type: 'string',
    enum: ['LATEST', 'TRIM_HORIZON'],
    description: 'Only what is changed from now on, or everything that the stream still has (the default).',
  },
  batchSize: whole('How many records a call gets at most; 100 by default.', 1, 10_000),
  maximumBatchingWindowInSeconds: whole('How long to wait for a full batch.', 0, 300),
  parallelizationFactor: whole('How many calls for one shard may be in progress.', 1, 10),
  maximumRetryAttempts: whole(
    'How often a batch is tried again; -1, the default, means until its records expire.',
    -1,
    10_000,
  ),
  maximumRecordAgeInSeconds: whole('Older records are discarded; -1, the default, means never.', -1, 604_800),
  bisectBatchOnFunctionError: flag('Whether a batch that fails is divided in two.'),
  tumblingWindowInSeconds: whole('The length of a tumbling window.', 0, 900),
  reportBatchItemFailures: flag('Whether the handler returns which records have failed.'),
  filters: {
    type: 'array',
    items: { type: 'object' },
    description: 'Patterns of EventBridge, of which a record must match one.',
  },
}

const connection: Record<keyof DeclaredConnection, Schema> = {
  endpoint: text('The address of a server; without one, AWS.'),
  profile: text('The profile of the AWS configuration files whose credentials sign the requests.'),
  region: text('The region of its tables.'),
  accessKeyId: text('For servers that accept any secret: the access key whose tables are shown.'),
  colour: {
    type: 'string',
    enum: connectionColours,
    description: 'The colour of the connection in the page.',
  },
  writing: {
    type: 'string',
    enum: writingChoices,
    description: 'Whether the page may write: on-request for AWS, allowed for others by default.',
  },
}

const properties: Record<keyof HashrangeConfig, Schema> = {
  $schema: text('Where this schema is, for editors.'),
  functions: {
    type: 'object',
    description: 'Functions by their names: a place such as functions/on-order.handler, or more about them.',
    additionalProperties: {
      anyOf: [{ type: 'string' }, { type: 'object', properties: configuredFunction, additionalProperties: false }],
    },
  },
  triggers: {
    type: 'array',
    description: 'Which changes are delivered to which function.',
    items: {
      type: 'object',
      properties: configuredTrigger,
      required: ['function'],
      additionalProperties: false,
    },
  },
  region: text('The region of this server.'),
  replicate: {
    type: 'object',
    description: 'The addresses of the servers of other regions.',
    additionalProperties: { type: 'string' },
  },
  daxPort: whole('The port for DAX clients; 0 picks a free one. Without it, there is no DAX.', 0, 65_535),
  daxRecordTtlMs: whole('How long DAX keeps items, in milliseconds; 300000 by default.', 0, 999_999_999_999),
  daxQueryTtlMs: whole('How long DAX keeps results of Query and Scan; 300000 by default.', 0, 999_999_999_999),
  daxCacheMb: whole("The size of each of DAX's caches, in megabytes; 64 by default.", 1, 999_999),
  connections: {
    type: 'object',
    description: 'Other databases that the workbench may show, by their names: a place such as aws:prod, or more.',
    additionalProperties: {
      anyOf: [{ type: 'string' }, { type: 'object', properties: connection, additionalProperties: false }],
    },
  },
}

/** Of `hashrange.config.*`: editors complete by it, and the command checks by it. `hashrange.config.schema.json` is the
 *  same as a file. */
export const configSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'The configuration file of hashrange',
  type: 'object',
  properties,
  additionalProperties: false,
}
