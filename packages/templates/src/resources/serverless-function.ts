import type { ResourcePlan } from '../apply/resource-plan.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { isObject, listOf, objectOf, plainText, type Json, type JsonObject } from '../table-design.ts'
import { planMapping, withStream } from './event-source-mapping.ts'
import { lambdaFunctionKind, lambdaTarget, planFunction } from './lambda-function.ts'
import type { ResourcePort } from '../apply/resource-port.ts'
import { changed, sendStep, type ResourceKind } from './resource-kind.ts'

/** `AWS::Serverless::Function`: a function, and the streams that it is called for. */
export const serverlessFunctionKind: ResourceKind = {
  ...lambdaFunctionKind,
  replacedBy: (before, after) => changed(['FunctionName'], before, after),
  take: async (port, _id, step) => sendStep(port, { ...step, input: await withStream(port, step) }),
  plan: async (port, id, properties) => {
    const ofFunction = await planFunction(port, id, { ...properties, Code: codeOf(properties) })
    if (ofFunction.kind === 'skipped') return ofFunction
    const plans: ResourcePlan[] = [ofFunction]
    for (const mapping of streamEvents(properties))
      plans.push(await planMapping(port, '', { ...mapping, FunctionName: id }))
    const steps = plans.flatMap((plan) => plan.steps)
    return { kind: ofFunction.kind === 'unchanged' && steps.length > 0 ? 'update' : ofFunction.kind, steps }
  },
  remove: async (port, id, properties) => {
    for (const UUID of await mappingsOf(port, id))
      await unlessMissing(port.call(lambdaTarget, 'DeleteEventSourceMapping', { UUID }))
    await lambdaFunctionKind.remove(port, id, properties)
  },
}

/** `s3://bucket/key`, which `sam package` has put there. */
function codeOf({ CodeUri, InlineCode }: JsonObject): JsonObject {
  if (typeof InlineCode === 'string') return { ZipFile: InlineCode }
  if (isObject(CodeUri)) return { S3Bucket: CodeUri['Bucket'] ?? '', S3Key: CodeUri['Key'] ?? '' }
  const [, S3Bucket, S3Key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(plainText(CodeUri ?? '')) ?? []
  return S3Bucket === undefined || S3Key === undefined ? {} : { S3Bucket, S3Key }
}

function streamEvents({ Events }: JsonObject): readonly JsonObject[] {
  return Object.values(objectOf(Events))
    .map(objectOf)
    .filter(({ Type }) => Type === 'DynamoDB' || Type === 'Kinesis')
    .map(({ Properties }) => {
      const { Stream, ...settings } = objectOf(Properties)
      return { ...settings, EventSourceArn: Stream ?? '' }
    })
}

async function mappingsOf(port: ResourcePort, FunctionName: string): Promise<readonly string[]> {
  const answer = await unlessMissing(port.call(lambdaTarget, 'ListEventSourceMappings', { FunctionName }))
  return listOf(answer?.['EventSourceMappings'] as Json).map((one) => plainText(objectOf(one)['UUID']))
}
