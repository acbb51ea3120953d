import { objectOf, plainText, type Json } from '@hashrange/templates'
import { changed, textOf, unlessMissing, type ResourceKind, type ResourcePort } from './resource-kind.ts'

const target = 'Kinesis_20131202'

/** `AWS::Kinesis::Stream` */
export const kinesisStreamKind: ResourceKind = {
  nameOf: ({ Name }) => textOf(Name),
  replacedBy: (before, after) => changed(['Name'], before, after),
  isThere: async (port, id) => (await summaryOf(port, id)) !== undefined,
  put: async (port, id, properties) => {
    const StreamModeDetails = objectOf(properties['StreamModeDetails'])
    const isOnDemand = StreamModeDetails['StreamMode'] === 'ON_DEMAND'
    const shards = Number(properties['ShardCount'] ?? 1)
    if ((await summaryOf(port, id)) === undefined) {
      const size = isOnDemand ? { StreamModeDetails } : { ShardCount: shards }
      await port.call(target, 'CreateStream', { StreamName: id, ...size })
    }
    const current = await active(port, id)
    if (!isOnDemand && Number(current['OpenShardCount']) !== shards) {
      const size = { TargetShardCount: shards, ScalingType: 'UNIFORM_SCALING' }
      await port.call(target, 'UpdateShardCount', { StreamName: id, ...size })
      await active(port, id)
    }
    const hours = Number(properties['RetentionPeriodHours'] ?? 24)
    const before = Number(current['RetentionPeriodHours'])
    if (hours !== before) {
      const operation = `${hours > before ? 'Increase' : 'Decrease'}StreamRetentionPeriod`
      await port.call(target, operation, { StreamName: id, RetentionPeriodHours: hours })
    }
    return id
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
