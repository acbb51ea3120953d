import { createHash } from 'node:crypto'
import { isSame } from '../apply/compare.ts'
import { planOf, skipped, type ResourcePlan, type Step } from '../apply/resource-plan.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { inlinePackage } from '../code/package-of.ts'
import { listOf, objectOf, plainText, type Json, type JsonObject } from '../table-design.ts'
import type { ResourcePort } from '../apply/resource-port.ts'
import { changed, textOf, type ResourceKind } from './resource-kind.ts'
import { typedProperties } from '../typed-properties.ts'

export const lambdaTarget = 'AWSGirApiService'
const target = lambdaTarget
/** Where stacks keep what was uploaded for them. */
const assetTarget = 'AssetBucket'

/** `AWS::Lambda::Function`. Its code is in the template, in the bucket of assets, or given as
 *  `Code.Package`, in base 64; `Code.Missing` says why there is none. */
export const lambdaFunctionKind: ResourceKind = {
  nameOf: ({ FunctionName }) => textOf(FunctionName),
  replacedBy: (before, after) => changed(['FunctionName', 'PackageType'], before, after),
  plan: planFunction,
  remove: async (port, FunctionName) => {
    await unlessMissing(port.call(target, 'DeleteFunction', { FunctionName }))
  },
  attributes: async (port, FunctionName) => {
    const found = await unlessMissing(port.call(target, 'GetFunctionConfiguration', { FunctionName }))
    return found === undefined ? {} : { Arn: plainText(found['FunctionArn']) }
  },
}

export async function planFunction(port: ResourcePort, id: string, properties: JsonObject): Promise<ResourcePlan> {
  const { Handler, Runtime, Layers } = properties
  const runtime = plainText(Runtime ?? '')
  if (properties['PackageType'] === 'Image') return skipped('images are not run here')
  if (!/^(nodejs|python3|provided)/.test(runtime)) return skipped(`the runtime ${runtime} is not run here`)
  if (listOf(Layers).length > 0) return skipped('layers are not supported here')
  const code = objectOf(properties['Code'])
  const zip = await readCode(port, code, runtime)
  if (zip === undefined) return skipped(textOf(code['Missing']) ?? 'its code is not here')
  const { Timeout, MemorySize, Role, Description, Environment } = typedProperties(properties)
  const wanted = {
    Handler: Handler ?? '',
    Runtime: runtime,
    Timeout: Timeout ?? 3,
    MemorySize: MemorySize ?? 128,
    Role: Role ?? localRole,
    Description: Description ?? '',
    Environment: { Variables: textsOf(objectOf(objectOf(Environment)['Variables'])) },
  }
  const step = (does: string, operation: string, input: object): Step => ({
    does,
    target,
    operation,
    input: { FunctionName: id, ...input },
  })
  const found = await unlessMissing(port.call(target, 'GetFunctionConfiguration', { FunctionName: id }))
  const ZipFile = zip.toString('base64')
  if (found === undefined)
    return planOf(false, [step('creates the function', 'CreateFunction', { ...wanted, Code: { ZipFile } })])
  const current = found as JsonObject
  if (current['CodeSha256'] === '') return skipped('it was declared where the server was started')
  const isSameCode = createHash('sha256').update(zip).digest('base64') === current['CodeSha256']
  const different = Object.entries(wanted).filter(([name, value]) => !isSame(value, settingOf(current, name)))
  return planOf(true, [
    ...(isSameCode ? [] : [step('updates the code', 'UpdateFunctionCode', { ZipFile })]),
    ...(different.length === 0
      ? []
      : [step(`changes ${different.map(([name]) => name).join(', ')}`, 'UpdateFunctionConfiguration', wanted)]),
  ])
}

/** A function on an open server needs none. */
const localRole = 'arn:aws:iam::000000000000:role/local'

async function readCode(port: ResourcePort, code: JsonObject, runtime: string): Promise<Buffer | undefined> {
  const { Package, ZipFile, S3Bucket, S3Key } = code
  if (typeof Package === 'string') return Buffer.from(Package, 'base64')
  if (typeof ZipFile === 'string') return inlinePackage(ZipFile, runtime)
  if (typeof S3Bucket !== 'string' || typeof S3Key !== 'string') return undefined
  const object = await unlessMissing(port.call(assetTarget, 'GetObject', { Bucket: S3Bucket, Key: S3Key }))
  return object === undefined ? undefined : Buffer.from(plainText(object['data']), 'base64')
}

function settingOf(current: JsonObject, name: string): Json {
  if (name !== 'Environment') return current[name] ?? ''
  return { Variables: objectOf(objectOf(current['Environment'])['Variables']) }
}

function textsOf(variables: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, plainText(value)]))
}
