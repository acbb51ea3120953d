import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GlobalTableDescription, ModelDescription } from '../description.ts'
import { shopDescription } from '../testing/shop-description.ts'
import { cdk } from './cdk.ts'
import { cloudFormation, cloudFormationTemplate } from './cloudformation.ts'
import { createTableInputs } from './create-table-inputs.ts'
import { terraform } from './terraform.ts'

const [main, events] = shopDescription.tables
const small: ModelDescription = {
  ...shopDescription,
  description: 'Say "hi": # not a comment',
  tables: events === undefined ? [] : [events],
}

const withRegions = (global: GlobalTableDescription): ModelDescription => ({
  ...small,
  tables: small.tables.map((table) => ({ ...table, global })),
})

describe('CloudFormation', () => {
  test('makes a global table of one that has regions', () => {
    const global = { regions: ['us-east-1', 'eu-west-1'] }
    const { Resources } = cloudFormationTemplate(withRegions(global)) as unknown as {
      readonly Resources: { readonly EventsTable: { readonly Type: string; readonly Properties: object } }
    }
    expect(Resources.EventsTable.Type).toBe('AWS::DynamoDB::GlobalTable')
    expect(Resources.EventsTable.Properties).toMatchObject({
      TableName: 'shop-events',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      WriteProvisionedThroughputSettings: {
        WriteCapacityAutoScalingSettings: { TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 } },
      },
      Replicas: [
        { Region: 'us-east-1', GlobalSecondaryIndexes: [{ IndexName: 'byKind' }] },
        { Region: 'eu-west-1', ReadProvisionedThroughputSettings: {} },
      ],
    })
    expect(Resources.EventsTable.Properties).not.toHaveProperty('ProvisionedThroughput')
    const strong = cloudFormation(
      withRegions({ regions: ['us-east-1', 'us-east-2', 'us-west-2'], consistency: 'strong' }),
    )
    expect(strong).toContain('MultiRegionConsistency: STRONG')
  })

  test('so do CDK and Terraform, whose own region is the first', () => {
    const described = withRegions({ regions: ['us-east-1', 'us-east-2', 'us-west-2'], consistency: 'strong' })
    const construct = cdk(described)
    expect(construct).toContain('new dynamodb.TableV2(this')
    expect(construct).toContain("replicas: [{ region: 'us-east-2' }, { region: 'us-west-2' }],")
    expect(construct).toContain('multiRegionConsistency: dynamodb.MultiRegionConsistency.STRONG,')
    expect(construct).not.toContain('billingMode')
    const resources = terraform(described)
    expect(resources).toMatch(/replica \{\s+region_name\s+= "us-east-2"\s+consistency_mode\s+= "STRONG"/)
    expect(resources).not.toContain('"us-east-1"')
    expect(terraform(withRegions({ regions: ['us-east-1', 'eu-west-1'] }))).toMatch(/stream_enabled\s+= true/)
  })

  test('carries what CreateTable does, and what CreateTable cannot', () => {
    expect(cloudFormationTemplate(shopDescription)).toMatchObject({
      Resources: {
        MainTable: {
          Type: 'AWS::DynamoDB::Table',
          DeletionPolicy: 'Retain',
          Properties: {
            ...createTableInputs(shopDescription)[0],
            StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
            TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          },
        },
        EventsTable: { Properties: { TableName: 'shop-events' } },
      },
      Outputs: { MainTableStreamArn: { Value: { 'Fn::GetAtt': ['MainTable', 'StreamArn'] } } },
    })
  })

  test('is YAML whose strings stay strings', () => {
    expect(cloudFormation(small)).toBe(`AWSTemplateFormatVersion: "2010-09-09"
Description: "Say \\"hi\\": # not a comment"
Resources:
  EventsTable:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    UpdateReplacePolicy: Retain
    Properties:
      TableName: shop-events
      AttributeDefinitions:
        - AttributeName: device
          AttributeType: S
        - AttributeName: at
          AttributeType: "N"
        - AttributeName: kind
          AttributeType: S
      KeySchema:
        - AttributeName: device
          KeyType: HASH
        - AttributeName: at
          KeyType: RANGE
      GlobalSecondaryIndexes:
        - IndexName: byKind
          KeySchema:
            - AttributeName: kind
              KeyType: HASH
          Projection:
            ProjectionType: ALL
          ProvisionedThroughput:
            ReadCapacityUnits: 10
            WriteCapacityUnits: 5
      BillingMode: PROVISIONED
      ProvisionedThroughput:
        ReadCapacityUnits: 10
        WriteCapacityUnits: 5
Outputs:
  EventsTableName:
    Value:
      Ref: EventsTable
  EventsTableArn:
    Value:
      Fn::GetAtt:
        - EventsTable
        - Arn
`)
  })

  test('can be JSON', () => {
    expect(JSON.parse(cloudFormation(shopDescription, 'json'))).toEqual(
      JSON.parse(JSON.stringify(cloudFormationTemplate(shopDescription))),
    )
  })
})

describe('CDK', () => {
  test('is TypeScript without mistakes of syntax', () => {
    expect(typeErrorsOf(cdk(shopDescription))).toBe('')
  })

  test('writes a multi-attribute key as a list, and everything a table has', () => {
    const source = cdk(shopDescription)
    expect(source).toContain('export class ShopTables extends Construct')
    expect(source).toContain(
      "partitionKeys: [{ name: 'region', type: dynamodb.AttributeType.STRING }, { name: 'status', type: dynamodb.AttributeType.STRING }],",
    )
    for (const part of [
      "timeToLiveAttribute: 'expiresAt'",
      'stream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES',
      'pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true }',
      'deletionProtection: true',
      "nonKeyAttributes: ['entity', 'placedAt']",
      'this.main.addLocalSecondaryIndex({',
      'readCapacity: 10',
    ]) {
      expect(source).toContain(part)
    }
  })

  test('quotes names that would end a string', () => {
    const named = { ...small, tables: small.tables.map((table) => ({ ...table, name: "it's\\" })) }
    expect(typeErrorsOf(cdk(named))).toBe('')
    expect(cdk(named)).toContain(String.raw`tableName: 'it\'s\\'`)
  })
})

describe('Terraform', () => {
  test('lays a table out as terraform fmt does', () => {
    expect(terraform(small)).toBe(`terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

resource "aws_dynamodb_table" "shop_events" {
  name           = "shop-events"
  billing_mode   = "PROVISIONED"
  read_capacity  = 10
  write_capacity = 5
  hash_key       = "device"
  range_key      = "at"

  attribute {
    name = "device"
    type = "S"
  }

  attribute {
    name = "at"
    type = "N"
  }

  attribute {
    name = "kind"
    type = "S"
  }

  global_secondary_index {
    name            = "byKind"
    hash_key        = "kind"
    projection_type = "ALL"
    read_capacity   = 10
    write_capacity  = 5
  }

  lifecycle {
    prevent_destroy = true
  }
}
`)
  })

  test('carries streams, expiry, recovery and multi-attribute keys, and asks for a provider that knows these', () => {
    const source = terraform({ ...shopDescription, tables: main === undefined ? [] : [main] })
    expect(source).toContain('version = ">= 6.30"')
    for (const part of [
      `  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }`,
      `  point_in_time_recovery {
    enabled = true
  }`,
      `    key_schema {
      attribute_name = "status"
      key_type       = "HASH"
    }`,
      `  local_secondary_index {
    name            = "byTotal"
    range_key       = "byTotalsk"
    projection_type = "KEYS_ONLY"
  }`,
    ]) {
      expect(source).toContain(part)
    }
    expect(source).toMatch(/stream_view_type +=/)
  })

  test('begins no expression where a name looks like one', () => {
    const named = { ...small, tables: small.tables.map((table) => ({ ...table, name: '${x}"' })) }
    expect(terraform(named)).toContain(`"$\${x}\\""`)
  })
})

/** What the compiler says of a source, except that the CDK is not installed here. */
function typeErrorsOf(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-cdk-'))
  try {
    writeFileSync(join(folder, 'tables.ts'), source)
    const stubs = `declare module 'aws-cdk-lib' { export const RemovalPolicy: any }
declare module 'aws-cdk-lib/aws-dynamodb' { export const Table: any; export type Table = any; export const BillingMode: any; export const AttributeType: any; export const ProjectionType: any; export const StreamViewType: any; export const TableClass: any }
declare module 'constructs' { export class Construct { constructor(scope: Construct, id: string) } }
`
    writeFileSync(join(folder, 'stubs.d.ts'), stubs)
    const compiler = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc')
    const words = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', '', 'tables.ts']
    return spawnSync(process.execPath, [compiler, ...words, 'stubs.d.ts'], { cwd: folder, encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}
