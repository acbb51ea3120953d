import type { ServiceOperation } from '@hashrange/engine'
import type { Kinesis } from '../../kinesis.ts'
import {
  describeKinesisStreamingDestination,
  disableKinesisStreamingDestination,
  enableKinesisStreamingDestination,
  updateKinesisStreamingDestination,
} from './streaming-destinations.ts'
import type { DestinationOperation } from '../../api/operations.ts'

export const destinationOperations: Readonly<Record<DestinationOperation, ServiceOperation<Kinesis>>> = {
  DescribeKinesisStreamingDestination: describeKinesisStreamingDestination,
  DisableKinesisStreamingDestination: disableKinesisStreamingDestination,
  EnableKinesisStreamingDestination: enableKinesisStreamingDestination,
  UpdateKinesisStreamingDestination: updateKinesisStreamingDestination,
}
