import { request } from 'node:http'

/** One request on a connection of its own, for setting up and for checking answers. */
export function call(port: number, operation: string, body: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      agent: false,
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `DynamoDB_20120810.${operation}`,
        'X-Amz-Date': '20261115T000000Z',
        Authorization:
          'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    outgoing.end(body)
  })
}

/** The same for an answer that must be a success. */
export async function callExpectingSuccess(
  port: number,
  operation: string,
  input: object | string,
): Promise<Record<string, unknown>> {
  const answer = await call(port, operation, typeof input === 'string' ? input : JSON.stringify(input))
  if (answer.status !== 200) throw new Error(`${operation} was answered with ${answer.status}: ${answer.body}`)
  return JSON.parse(answer.body) as Record<string, unknown>
}
