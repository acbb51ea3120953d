import { planOf, type Step } from '../apply/resource-plan.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { objectOf, plainText, type Json } from '../table-design.ts'
import type { ResourcePort } from '../apply/resource-port.ts'
import { changed, textOf, sendStep, type ResourceKind } from './resource-kind.ts'

const target = 'Kinesis_20131202'

/** `AWS::Kinesis::Stream` */
export const kinesisStreamKind: ResourceKind = {
  nameOf: ({ Name }) => textOf(Name),
  replacedBy: (before, after) => changed(['Name'], before, after),
  plan: async (port, StreamName, properties) => {
    const StreamModeDetails = objectOf(properties['StreamModeDetails'])
    const isOnDemand = StreamModeDetails['StreamMode'] === 'ON_DEMAND'
    const shards = Number(properties['ShardCount'] ?? 1)
    const current = await summaryOf(port, StreamName)
    const step = (does: string, operation: string, input: object): Step => ({
      does,
      target,
      operation,
      input: { StreamName, ...input },
    })
    const steps: Step[] = []
    if (current === undefined)
      steps.push(
        step('creates the stream', 'CreateStream', isOnDemand ? { StreamModeDetails } : { ShardCount: shards }),
      )
    else if (!isOnDemand && Number(current['OpenShardCount']) !== shards)
      steps.push(
        step(`changes to ${shards} shards`, 'UpdateShardCount', {
          TargetShardCount: shards,
          ScalingType: 'UNIFORM_SCALING',
        }),
      )
    const hours = Number(properties['RetentionPeriodHours'] ?? 24)
    const before = Number(current?.['RetentionPeriodHours'] ?? 24)
    if (hours !== before) {
      const operation = `${hours > before ? 'Increase' : 'Decrease'}StreamRetentionPeriod`
      steps.push(step(`keeps records for ${hours} hours`, operation, { RetentionPeriodHours: hours }))
    }
    return planOf(current !== undefined, steps)
  },
  take: async (port, id, step) => {
    await sendStep(port, step)
    await active(port, id)
  },
  remove: async (port, id) => {
    await unlessMissing(port.call(target, 'DeleteStream', { StreamName: id, EnforceConsumerDeletion: true }))
  },
  attributes: async (port, id) => ({ Arn: plainText((await active(port, id))['StreamARN']) }),
}

async function summaryOf(
  port: ResourcePort,
  StreamName: string,
): Promise<Readonly<Record<string, Json>> | undefined> {
  const answer = await unlessMissing(port.call(target, 'DescribeStreamSummary', { StreamName }))
  return answer && objectOf(answer['StreamDescriptionSummary'] as Json)
}

async function active(port: ResourcePort, id: string): Promise<Readonly<Record<string, Json>>> {
  for (let pauseMs = 5; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
    const summary = (await summaryOf(port, id)) ?? {}
    if (summary['StreamStatus'] === 'ACTIVE') return summary
    if (summary['StreamStatus'] === undefined) throw new Error(`The stream ${id} is gone.`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
