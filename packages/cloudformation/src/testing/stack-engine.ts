import { openTestEngine, testScope, type TestEngine } from '@hashrange/engine/test-engine'
import { kinesisService } from '@hashrange/kinesis'
import { lambdaService } from '@hashrange/lambda'
import { monitoringService } from '@hashrange/monitoring'
import { expect } from 'vitest'
import { cloudFormationTarget } from '../api/operations.ts'
import { cloudFormationService } from '../cloudformation-service.ts'

export type Answer = Record<string, unknown>

export interface Stack {
  readonly StackId: string
  readonly StackStatus: string
  readonly StackStatusReason?: string
  readonly Outputs: readonly { readonly OutputKey: string; readonly OutputValue: string }[]
}

export interface StackResource {
  readonly id: string
  readonly status: string
  readonly reason?: string
}

export interface StackEngine extends TestEngine {
  /** Carries out an operation of CloudFormation. */
  readonly cfn: <T = Answer>(operation: string, input: object) => Promise<T>
  readonly stackOf: (StackName: string) => Promise<Stack | undefined>
  /** The stack, once nothing is done to it any more. */
  readonly settled: (StackName: string) => Promise<Stack>
  readonly resources: (StackName: string) => Promise<ReadonlyMap<string, StackResource>>
}

/** A test's own engine, with CloudFormation and the services whose resources it creates. */
export async function openStackEngine(): Promise<StackEngine> {
  const opened = await openTestEngine(undefined, {
    services: [
      monitoringService({ notifier: { notify: () => Promise.resolve() } as never }),
      kinesisService(),
      lambdaService({ kinesis: () => Promise.reject(new Error('not here')) as never, onOpen: () => undefined }),
      cloudFormationService(),
    ],
  })
  const cfn = async <T = Answer>(operation: string, input: object): Promise<T> =>
    (await opened.engine.execute(testScope, cloudFormationTarget, operation, input)) as T
  const stackOf = async (StackName: string): Promise<Stack | undefined> => {
    const { Stacks } = await cfn<{ Stacks: readonly Stack[] }>('DescribeStacks', { StackName })
    return Stacks[0]
  }
  return {
    ...opened,
    cfn,
    stackOf,
    settled: async (StackName) => {
      await expect
        .poll(async () => (await stackOf(StackName))?.StackStatus, { timeout: 20_000 })
        .not.toMatch(/IN_PROGRESS/)
      const stack = await stackOf(StackName)
      if (stack === undefined) throw new Error('there is no stack')
      return stack
    },
    resources: async (StackName) => {
      const answer = await cfn('DescribeStackResources', { StackName })
      const listed = answer['StackResources'] as readonly Record<string, string>[]
      return new Map(
        listed.map((one) => [
          String(one['LogicalResourceId']),
          {
            id: String(one['PhysicalResourceId']),
            status: String(one['ResourceStatus']),
            reason: String(one['ResourceStatusReason']),
          },
        ]),
      )
    },
  }
}

/** The resource of a table with one key attribute, in a template. */
export function tableResource(key: string, more: object = {}): object {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      ...more,
    },
  }
}
