import { describe, expect, test } from 'vitest'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { UpdateTableInput } from '../api/table-inputs.ts'
import { invalid, table, change, units, indexed, create } from './testing/table-change.ts'

describe('UpdateTable is refused', () => {
  const cases: [
    what: string,
    definition: TableDefinition,
    input: Omit<UpdateTableInput, 'TableName'>,
    message: string,
  ][] = [
    [
      'that asks for nothing',
      table(),
      { AttributeDefinitions: [], GlobalSecondaryIndexUpdates: [] },
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required',
    ],
    [
      'with an empty list of index updates besides',
      table(),
      { DeletionProtectionEnabled: true, GlobalSecondaryIndexUpdates: [] },
      `${invalid}List of GlobalSecondaryIndexUpdates is empty`,
    ],
    [
      'that changes encryption and more',
      table(),
      { SSESpecification: { Enabled: true }, DeletionProtectionEnabled: true },
      `${invalid}Server-Side Encryption modification must be the only operation in the request`,
    ],
    [
      'that warms a table and creates an index',
      table(),
      { ...create('of-year'), WarmThroughput: { ReadUnitsPerSecond: 13_000 } },
      `${invalid}Create global secondary index cannot be specified when updating WarmThroughput`,
    ],
    [
      'that warms a table and changes the stream',
      table(),
      { WarmThroughput: { ReadUnitsPerSecond: 13_000 }, StreamSpecification: { StreamEnabled: false } },
      `${invalid}WarmThroughput must be the only operation in the request`,
    ],
    [
      'that warms a table and changes its billing',
      table(),
      { WarmThroughput: { ReadUnitsPerSecond: 13_000 }, BillingMode: 'PAY_PER_REQUEST' },
      `${invalid}WarmThroughput must be the only operation in the request`,
    ],
    [
      'that warms a table and limits it',
      table(),
      { WarmThroughput: { ReadUnitsPerSecond: 13_000 }, OnDemandThroughput: { MaxReadRequestUnits: 1 } },
      `${invalid}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
    ],
    [
      'that warms an index to nothing, whatever else it asks for',
      table(),
      {
        TableClass: 'STANDARD',
        GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'gsi', WarmThroughput: {} } }],
      },
      `${invalid}WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: gsi`,
    ],
    [
      'that changes protection and more',
      table(),
      { BillingMode: 'PAY_PER_REQUEST', DeletionProtectionEnabled: true },
      `${invalid}DeletionProtection modification must be the only operation in the request`,
    ],
    [
      'that changes on-demand limits and an index',
      table(),
      { ...create('of-year'), OnDemandThroughput: { MaxReadRequestUnits: 1 } },
      `${invalid}OnDemandThroughput can only be combined with BillingMode in an UpdateTable request`,
    ],
    [
      'that changes throughput and the stream',
      table({ ProvisionedThroughput: units(5) }),
      { ProvisionedThroughput: units(6), StreamSpecification: { StreamEnabled: false } },
      `${invalid}You cannot modify stream status while updating table IOPS`,
    ],
    [
      'that changes throughput and creates an index',
      table({ ProvisionedThroughput: units(5) }),
      { ...create('of-year'), ProvisionedThroughput: units(6) },
      `${invalid}You cannot create or delete index while updating table IOPS`,
    ],
    [
      'that provisions nothing',
      table(),
      { BillingMode: 'PROVISIONED' },
      `${invalid}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`,
    ],
    [
      'that provisions a table on demand',
      table(),
      { ProvisionedThroughput: units(1) },
      `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
    ],
    [
      'that limits a provisioned table',
      table({ ProvisionedThroughput: units(5) }),
      { OnDemandThroughput: { MaxReadRequestUnits: 1 } },
      `${invalid}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`,
    ],
    [
      'that does nothing to an index',
      table(),
      { GlobalSecondaryIndexUpdates: [{}] },
      `${invalid}One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null`,
    ],
    [
      'that does two things to one index',
      table(),
      { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'gsi' } }, { Update: { IndexName: 'gsi' } }] },
      `${invalid}Only one global secondary index update per index is allowed simultaneously. Index: gsi`,
    ],
    [
      'that creates an index there is',
      indexed(),
      create('gsi'),
      'Attempting to create an index which already exists',
    ],
    [
      'that creates an index of unknown attributes',
      table(),
      { GlobalSecondaryIndexUpdates: create('of-year').GlobalSecondaryIndexUpdates ?? [] },
      `${invalid}AttributeDefinitions is not specified for index: of-year`,
    ],
    [
      'that gives an attribute another type',
      table(),
      create('gsi', 'sk'),
      `${invalid}Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: Schema:[SchemaElement: key{sk:S:HASH}] New schema: Schema:[SchemaElement: key{sk:N:HASH}]`,
    ],
    [
      'that creates an index without throughput on a provisioned table',
      table({ ProvisionedThroughput: units(5) }),
      create('of-year'),
      `${invalid}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: of-year`,
    ],
    [
      'that deletes a local index',
      indexed(),
      { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'lsi' } }] },
      'Cannot delete an index that is not a GlobalSecondaryIndex: lsi',
    ],
    [
      'that enables a stream of no kind',
      table(),
      { StreamSpecification: { StreamEnabled: true } },
      `${invalid}If stream is being enabled then UpdateViewType is required`,
    ],
  ]
  test.each(cases)('%s', (_what, definition, input, message) => {
    expect(() => change(definition, input)).toThrow(expect.objectContaining({ message }))
  })
})
