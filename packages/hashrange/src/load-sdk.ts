import { createRequire } from 'node:module'
import type * as Sdk from '@aws-sdk/client-dynamodb'

/** The SDK is an optional peer: it is only loaded when a client is requested. */
export function loadSdk(): typeof Sdk {
  const require = createRequire(import.meta.url)
  try {
    const sdk: typeof Sdk = require('@aws-sdk/client-dynamodb')
    return sdk
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND'
    if (!isMissing) throw cause
    throw new Error('db.client needs the AWS SDK. Install it with: npm install @aws-sdk/client-dynamodb', { cause })
  }
}
