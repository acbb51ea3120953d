import type { RecordSpace, Scope, ServiceHost } from '@hashrange/engine'

/** A registered consumer. ON DISK as JSON. */
export interface ConsumerDefinition {
  readonly streamName: string
  readonly name: string
  readonly arn: string
  readonly createdAtMs: number
  readonly tags: Readonly<Record<string, string>>
}

/** The registered consumers of streams. */
export class ConsumerRecords {
  readonly records: RecordSpace<ConsumerDefinition>

  constructor(host: ServiceHost) {
    this.records = host.records<ConsumerDefinition>('kinesisConsumer')
  }

  ofStream(scope: Scope, streamName: string): Promise<readonly ConsumerDefinition[]> {
    return this.records.list(scope, [streamName])
  }

  find(scope: Scope, streamName: string, name: string): Promise<ConsumerDefinition | undefined> {
    return this.records.get(scope, [streamName, name])
  }
}
