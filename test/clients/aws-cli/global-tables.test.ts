import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashrangeMain } from '../../support/hashrange-main.ts'
import { needsAwsCli, run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { ServerProcess } from '../../system/server-process.ts'

/** The tutorial of the developer guide for a global table with eventual consistency, as it stands there. */
const eventual = `
aws dynamodb create-table \\
    --table-name MusicTable \\
    --attribute-definitions \\
        AttributeName=Artist,AttributeType=S \\
        AttributeName=SongTitle,AttributeType=S \\
    --key-schema \\
        AttributeName=Artist,KeyType=HASH \\
        AttributeName=SongTitle,KeyType=RANGE \\
    --billing-mode PAY_PER_REQUEST \\
    --stream-specification StreamEnabled=true,StreamViewType=NEW_AND_OLD_IMAGES \\
    --region us-east-2

aws dynamodb update-table --table-name MusicTable --cli-input-json \\
'{
  "ReplicaUpdates":
  [
    {
      "Create": {
        "RegionName": "us-east-1"
      }
    }
  ]
}' \\
--region us-east-2
WAIT
aws dynamodb update-table --table-name MusicTable --cli-input-json \\
'{
  "ReplicaUpdates":
  [
    {
      "Create": {
        "RegionName": "eu-west-1"
      }
    }
  ]
}' \\
--region us-east-2
WAIT
aws dynamodb describe-table --table-name MusicTable --region us-east-2 \\
    --query 'Table.Replicas[*].{Region:RegionName,Status:ReplicaStatus}' --output text

aws dynamodb put-item \\
    --table-name MusicTable \\
    --item '{"Artist": {"S":"item_1"},"SongTitle": {"S":"Song Value 1"}}' \\
    --region us-east-2
sleep 1
aws dynamodb get-item \\
    --table-name MusicTable \\
    --key '{"Artist": {"S":"item_1"},"SongTitle": {"S":"Song Value 1"}}' \\
    --region us-east-1

aws dynamodb get-item \\
    --table-name MusicTable \\
    --key '{"Artist": {"S":"item_1"},"SongTitle": {"S":"Song Value 1"}}' \\
    --region eu-west-1
`

/** The one with strong consistency, and the one that takes it apart again. */
const strong = `
aws dynamodb create-table \\
    --table-name MusicTable \\
    --attribute-definitions \\
        AttributeName=Artist,AttributeType=S \\
        AttributeName=SongTitle,AttributeType=S \\
    --key-schema \\
        AttributeName=Artist,KeyType=HASH \\
        AttributeName=SongTitle,KeyType=RANGE \\
    --billing-mode PAY_PER_REQUEST \\
    --region us-east-2
aws dynamodb wait table-exists --table-name MusicTable --region us-east-2
aws dynamodb update-table \\
    --table-name MusicTable \\
    --replica-updates '[{"Create": {"RegionName": "us-east-1"}}]' \\
    --global-table-witness-updates '[{"Create": {"RegionName": "us-west-2"}}]' \\
    --multi-region-consistency STRONG \\
    --region us-east-2
WAIT
aws dynamodb describe-table \\
    --table-name MusicTable \\
    --region us-east-2 \\
    --query 'Table.{TableName:TableName,TableStatus:TableStatus,MultiRegionConsistency:MultiRegionConsistency,Replicas:Replicas[*],GlobalTableWitnesses:GlobalTableWitnesses[*].{Region:RegionName,Status:ReplicaStatus}}'

aws dynamodb put-item \\
    --table-name MusicTable \\
    --item '{"Artist": {"S":"The Beatles"},"SongTitle": {"S":"Hey Jude"},"Album": {"S":"The Beatles 1967-1970"},"Year": {"N":"1968"}}' \\
    --region us-east-2
echo "Reading from us-east-1 (immediate consistency):"
aws dynamodb get-item \\
    --table-name MusicTable \\
    --key '{"Artist": {"S":"The Beatles"},"SongTitle": {"S":"Hey Jude"}}' \\
    --consistent-read \\
    --region us-east-1
aws dynamodb update-table \\
    --table-name MusicTable \\
    --replica-updates '[{"Delete": {"RegionName": "us-east-1"}}]' \\
    --global-table-witness-updates '[{"Delete": {"RegionName": "us-west-2"}}]' \\
    --region us-east-2 --query TableDescription.TableStatus
`

// The only words that are ours: a person goes on when the table is ACTIVE, and reads a moment after writing.
const wait = 'aws dynamodb wait table-exists --table-name MusicTable --region us-east-2'

async function follow(tutorial: string, endpoint: string): Promise<string> {
  const script = `set -e\nexport AWS_ENDPOINT_URL='${endpoint}'\n${tutorial}`
  const { code, stdout, stderr } = await run('sh', ['-c', script])
  expect(code, stderr).toBe(0)
  return stdout
}

describeIf(needsAwsCli, 'the tutorials for global tables with the AWS CLI', () => {
  let server: ServerProcess

  beforeAll(async () => {
    server = await ServerProcess.start(['--memory', '--no-workbench'], hashrangeMain, 'ignore')
  })

  afterAll(() => server.kill())

  test('eventual consistency: create, add replicas, write here, read there', { timeout: 120_000 }, async () => {
    const shown = await follow(eventual.replaceAll('WAIT', wait), server.endpoint)
    expect(shown).toMatch(/us-east-1\s+ACTIVE/)
    expect(shown).toMatch(/eu-west-1\s+ACTIVE/)
    expect(shown.match(/"S": "item_1"/g)).toHaveLength(2)
  })

  test('strong consistency: with a witness; write here, read there, take apart', { timeout: 120_000 }, async () => {
    const shown = await follow(
      strong.replaceAll('WAIT', wait).replaceAll('MusicTable', 'StrongMusicTable'),
      server.endpoint,
    )
    expect(shown).toMatch(/"MultiRegionConsistency": "STRONG"/)
    expect(shown).toMatch(/"Region": "us-west-2"/)
    expect(shown.split('immediate consistency')[1]).toContain('"Hey Jude"')
  })
})
