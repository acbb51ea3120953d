import { jsonProtocol, type WireService } from '@hashrange/server'
import { kinesisOperations } from '../api/operations.ts'
import { cborProtocol } from './cbor-protocol.ts'

/** How clients communicate with Kinesis: AWS JSON, or the same in CBOR, which the SDK for Java and the Kinesis Client
 *  Library use. */
export const kinesisWire: readonly WireService[] = [
  {
    target: 'Kinesis_20131202',
    signingName: 'kinesis',
    operations: kinesisOperations.Kinesis_20131202,
    statuses: new Map([['InternalFailureException', 500]]),
    protocolOf: ({ target, amzTarget, contentType }) => {
      if (target.split('?', 1)[0] !== '/' || amzTarget?.startsWith('Kinesis_20131202.') !== true) return undefined
      return contentType?.startsWith('application/x-amz-cbor-1.1') === true ? cborProtocol : jsonProtocol('1.1')
    },
  },
]
