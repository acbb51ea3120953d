import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const signedHeaders = 'content-type;host;x-amz-date;x-amz-target'

/** A whole request, signed as an AWS SDK would. */
export function signedRequest(port: number, operation: string, body: string, credentials: Credentials): Buffer {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const date = time.slice(0, 8)
  const host = `127.0.0.1:${port}`
  const target = `DynamoDB_20120810.${operation}`
  const headers = `content-type:application/x-amz-json-1.0\nhost:${host}\nx-amz-date:${time}\nx-amz-target:${target}\n`
  const canonical = `POST\n/\n\n${headers}\n${signedHeaders}\n${sha256(body)}`
  const scope = `${date}/us-east-1/dynamodb/aws4_request`
  const key = [date, 'us-east-1', 'dynamodb', 'aws4_request'].reduce<Buffer | string>(
    (secret, text) => hmac(secret, text),
    `AWS4${credentials.secretAccessKey}`,
  )
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex')
  const head = [
    'POST / HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/x-amz-json-1.0',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Amz-Target: ${target}`,
    `X-Amz-Date: ${time}`,
    `Authorization: AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
