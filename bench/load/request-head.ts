/** The head of a request as an AWS SDK would send it. The signature is made up: local servers do not verify it, and
 *  signing would cost the load generator more than the request costs the server. */
export function requestHead(port: number, operation: string, bodyBytes: number): string {
  return [
    'POST / HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/x-amz-json-1.0',
    `Content-Length: ${bodyBytes}`,
    `X-Amz-Target: DynamoDB_20120810.${operation}`,
    'X-Amz-Date: 20261115T000000Z',
    `Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=${'0123456789abcdef'.repeat(4)}`,
    '',
    '',
  ].join('\r\n')
}
