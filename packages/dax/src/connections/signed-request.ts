import type { HttpRequest } from '@hashrange/server'
import type { CborReader } from '../wire/cbor-reader.ts'

const host = 'dax.amazonaws.com'
const longestText = 16 * 1024

/** What a client has signed: an imaginary HTTP request to DAX without a body. It is verified as all others are. */
export function readSignedRequest(
  reader: CborReader,
  connection: Pick<HttpRequest, 'remoteAddress' | 'tls'>,
): HttpRequest {
  const accessKeyId = reader.text()
  const signature = reader.text()
  const stringToSign = reader.bytes().toString('utf8', 0, longestText)
  const amzSecurityToken = reader.takeNull() ? undefined : reader.text() || undefined
  const userAgent = reader.takeNull() ? '' : reader.text()
  const [algorithm = '', amzDate = '', scope = ''] = stringToSign.split('\n')
  return {
    ...connection,
    method: 'POST',
    target: '/',
    body: Buffer.alloc(0),
    host,
    amzDate,
    amzSecurityToken,
    authorization: `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    fields: [`Host: ${host}`, `X-Amz-Date: ${amzDate}`, `User-Agent: ${userAgent}`],
  }
}
