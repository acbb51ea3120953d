import { randomUUID } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { invalidParameter } from '../api/invalid-parameter.ts'
import type { CreateFunctionInput } from '../api/inputs.ts'
import { describeFunction } from '../functions/describe-function.ts'
import { readFunctionName } from '../functions/function-name.ts'
import type { FunctionRecord } from '../functions/function-record.ts'
import { functionArn } from '../functions/lambda-function.ts'
import { assertMayUpload, readConfiguration, readPackage } from '../functions/read-function.ts'
import type { Lambda } from '../lambda.ts'

/** As Lambda has them. */
const usual = { role: '', description: '', timeoutSeconds: 3, memoryMb: 128, environment: {} }

export async function createFunction(lambda: Lambda, scope: Scope, input: CreateFunctionInput): Promise<object> {
  assertMayUpload(lambda.options.whyNoUploads)
  const name = readFunctionName(scope, input.FunctionName)
  const { Runtime: runtime, Handler: handler } = input
  if (input.PackageType === 'Image')
    throw invalidParameter('Images are not supported here. Send the function as a zip.')
  if (runtime === undefined || handler === undefined)
    throw invalidParameter(
      'Runtime and Handler are mandatory parameters for functions created with deployment packages.',
    )
  const configuration = readConfiguration(input, { ...usual, runtime, handler })
  if (await isThere(lambda, scope, name)) throw alreadyThere(name)
  const zip = readPackage(input.Code)
  const record: FunctionRecord = {
    name,
    ...configuration,
    architectures: input.Architectures ?? ['x86_64'],
    codeSha256: await lambda.code.save(scope, name, zip),
    codeBytes: zip.length,
    modifiedAtMs: lambda.nowMs(),
    revisionId: randomUUID(),
    tags: input.Tags ?? {},
  }
  const kept = await lambda.functions.records.change(scope, [name], (current) => current ?? record)
  if (kept?.revisionId !== record.revisionId) throw alreadyThere(name)
  return describeFunction(await lambda.functions.require(scope, functionArn(scope, name)))
}

async function isThere(lambda: Lambda, scope: Scope, name: string): Promise<boolean> {
  return (await lambda.functions.find(scope, name)) !== undefined
}

function alreadyThere(name: string): ServiceError {
  return new ServiceError('ResourceConflictException', `Function already exist: ${name}`)
}
