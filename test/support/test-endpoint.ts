/** Where suites run instead of on a database of their own: `aws`, for the account and region that the AWS SDK finds, or the address of
 *  a server that speaks DynamoDB's API. */
export function testEndpoint(): string | undefined {
  return process.env['HASHRANGE_TEST_ENDPOINT'] || undefined
}
