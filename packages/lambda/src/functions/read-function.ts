import { ServiceError } from '@hashrange/core'
import { invalidParameter } from '../api/invalid-parameter.ts'
import type { FunctionCodeInput, FunctionConfigurationInput } from '../api/inputs.ts'
import type { FunctionRecord } from './function-record.ts'

const mostVariableBytes = 4096

type Configuration = Pick<
  FunctionRecord,
  'runtime' | 'handler' | 'role' | 'description' | 'timeoutSeconds' | 'memoryMb' | 'environment'
>

/** The configuration that a request asks for, where it does not say otherwise that of `before`. */
export function readConfiguration(input: FunctionConfigurationInput, before: Configuration): Configuration {
  if ((input.Layers ?? []).length > 0)
    throw invalidParameter(
      'Layers are not supported here. Put the files of the layer into the package of the function.',
    )
  const runtime = input.Runtime ?? before.runtime
  assertRuntime(runtime)
  return {
    runtime,
    handler: input.Handler ?? before.handler,
    role: input.Role ?? before.role,
    description: input.Description ?? before.description,
    timeoutSeconds: input.Timeout ?? before.timeoutSeconds,
    memoryMb: input.MemorySize ?? before.memoryMb,
    environment: input.Environment === undefined ? before.environment : readVariables(input.Environment.Variables),
  }
}

function assertRuntime(runtime: string): void {
  if (/^(nodejs|python3|provided)/.test(runtime)) return
  throw invalidParameter(
    `The runtime ${runtime} is not supported here. Runtimes are nodejs*, python3* and provided*. Other languages: build a bootstrap, or declare the function with its own command.`,
  )
}

/** Names that Lambda sets itself, and cannot be set. */
const reserved =
  /^(AWS_(REGION|DEFAULT_REGION|ACCESS_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|LAMBDA_\w+|EXECUTION_ENV)|LAMBDA_(TASK_ROOT|RUNTIME_DIR)|_HANDLER|_X_AMZN_TRACE_ID|HASHRANGE_\w+)$/

function readVariables(variables: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  let bytes = 0
  for (const [name, value] of Object.entries(variables)) {
    if (reserved.test(name)) {
      throw invalidParameter(
        `Lambda was unable to configure your environment variables because the environment variables you have provided contains reserved keys that are currently not supported for modification. Reserved keys used in this request: ${name}`,
      )
    }
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value)
  }
  if (bytes > mostVariableBytes) {
    throw invalidParameter(
      'Lambda was unable to configure your environment variables because the environment variables you have provided exceeded the 4KB limit.',
    )
  }
  return variables
}

/** The package in a request. */
export function readPackage({ ZipFile, S3Bucket, ImageUri }: FunctionCodeInput): Buffer {
  if (ZipFile === undefined) {
    if (S3Bucket !== undefined || ImageUri !== undefined)
      throw invalidParameter(
        'Only packages in the request (ZipFile) are supported here, not those in S3 or images.',
      )
    throw invalidParameter('Please provide a source for function code.')
  }
  const zip = Buffer.from(ZipFile, 'base64')
  if (zip.length === 0) throw invalidParameter('Uploaded file must be a non-empty zip')
  return zip
}

/** Refuses code from others where none is wanted. */
export function assertMayUpload(whyNot: string | undefined): void {
  if (whyNot !== undefined) throw new ServiceError('AccessDeniedException', whyNot)
}
