import { expect, test } from 'vitest'
import { needsAwsCli, run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'

const root = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a secret of this test' }

/** As they would be typed. */
const commands = `
aws sts get-caller-identity --query Arn --output text
aws iam create-user --user-name ann --query User.UserName --output text
aws iam create-access-key --user-name ann --query 'AccessKey.[AccessKeyId,SecretAccessKey]' --output text > "$KEYS"
aws iam attach-user-policy --user-name ann --policy-arn arn:aws:iam::aws:policy/AmazonDynamoDBReadOnlyAccess
aws dynamodb create-table --table-name music --billing-mode PAY_PER_REQUEST \\
  --attribute-definitions AttributeName=pk,AttributeType=S --key-schema AttributeName=pk,KeyType=HASH > /dev/null
read AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY < "$KEYS"
aws sts get-caller-identity --query Arn --output text
aws dynamodb list-tables --query TableNames --output text
aws dynamodb delete-table --table-name music 2>&1 || true
AWS_SECRET_ACCESS_KEY=wrong aws dynamodb list-tables 2>&1 | head -n 2 || true
AWS_SECRET_ACCESS_KEY=wrong aws iam list-users 2>&1 | head -n 2 || true
AWS_ACCESS_KEY_ID=AKIAAAAAAAAAAAAAAAAA aws dynamodb list-tables 2>&1 || true
AWS_SESSION_TOKEN=nobodys aws dynamodb list-tables 2>&1 || true
`

describeIf(needsAwsCli, 'the AWS CLI on a closed server', () => {
  const { endpoint } = servedDatabase({ auth: { credentials: root } })

  test('commands run as they stand, and are refused as on AWS', async () => {
    const script = `set -e
export AWS_ENDPOINT_URL='${endpoint()}' AWS_DEFAULT_REGION=eu-west-1 AWS_MAX_ATTEMPTS=1
export AWS_ACCESS_KEY_ID='${root.accessKeyId}' AWS_SECRET_ACCESS_KEY='${root.secretAccessKey}'
KEYS=$(mktemp)
trap 'rm -f "$KEYS"' EXIT
${commands}`
    const { code, stdout, stderr } = await run('sh', ['-c', script])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n').filter((line) => line !== '')
    expect(lines).toEqual([
      'arn:aws:iam::123456789012:root',
      'ann',
      'arn:aws:iam::123456789012:user/ann',
      'music',
      expect.stringMatching(
        /\(AccessDeniedException\).*user\/ann is not authorized to perform: dynamodb:DeleteTable on resource: arn:aws:dynamodb:eu-west-1:123456789012:table\/music/,
      ),
      expect.stringMatching(/\(InvalidSignatureException\).*The request signature we calculated does not match/),
      expect.stringMatching(/\(SignatureDoesNotMatch\).*The request signature we calculated does not match/),
      expect.stringMatching(
        /\(UnrecognizedClientException\).*The security token included in the request is invalid/,
      ),
      expect.stringMatching(
        /\(UnrecognizedClientException\).*The security token included in the request is invalid/,
      ),
    ])
  })
})
