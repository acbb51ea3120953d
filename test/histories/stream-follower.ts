import { StreamReader, type StreamRecord } from '../support/stream-reader.ts'
import type { Caller } from './clients/caller.ts'

/** Reads a table's stream while it is written, through whichever server answers, and to its end when asked to. */
export class StreamFollower<Image> {
  readonly #reader: StreamReader<Image>

  private constructor(reader: StreamReader<Image>) {
    this.#reader = reader
  }

  static async open<Image>(
    caller: Caller,
    TableName: string,
    deliver: (record: StreamRecord<Image>) => void,
  ): Promise<StreamFollower<Image>> {
    const { Table } = await caller.insist<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName })
    const call = <Answer>(operation: string, input: object): Promise<Answer> =>
      caller.insist<Answer>(operation, input)
    return new StreamFollower(new StreamReader<Image>(call, Table.LatestStreamArn, deliver))
  }

  async follow(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const progress = await this.#reader.advance()
      if (progress < 500) await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  readAll(): Promise<void> {
    return this.#reader.readAll()
  }
}
