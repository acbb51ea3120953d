import type { Precision } from '../destinations/destination-record.ts'

interface PrecisionConfiguration {
  readonly ApproximateCreationDateTimePrecision?: Precision
}

export interface DescribeDestinationInput {
  readonly TableName: string
}

export interface DestinationInput {
  readonly TableName: string
  readonly StreamArn: string
  readonly EnableKinesisStreamingConfiguration?: PrecisionConfiguration
}

export interface UpdateDestinationInput {
  readonly TableName: string
  readonly StreamArn: string
  readonly UpdateKinesisStreamingConfiguration?: PrecisionConfiguration
}
