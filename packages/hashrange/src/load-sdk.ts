import { createRequire } from 'node:module'

type Sdk = typeof import('@aws-sdk/client-dynamodb')

/** The SDK is an optional peer: only those who ask for a client need it, and only then is it loaded. */
export function loadSdk(): Sdk {
  const require = createRequire(import.meta.url)
  try {
    return require('@aws-sdk/client-dynamodb') as Sdk
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause
    throw new Error('A client needs the AWS SDK. Install it: npm install @aws-sdk/client-dynamodb', { cause })
  }
}
