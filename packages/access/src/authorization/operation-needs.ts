import { operationsByTarget } from '@hashrange/engine'
import { autoScalingNeeds, cloudWatchNeeds } from './monitoring-needs.ts'
import { iamNeeds, stsNeeds } from './identity-needs.ts'
import { eventsNeeds, pipesNeeds } from './pipes-needs.ts'
import { bucketNeeds, cloudFormationNeeds, parametersNeeds } from './cloudformation-needs.ts'
import { kinesisNeeds } from './kinesis-needs.ts'
import { lambdaNeeds } from './lambda-needs.ts'
import { itemNeeds } from './item-needs.ts'
import type { NeedsOf } from './need.ts'
import { pageNeeds } from './page-needs.ts'
import { statementNeeds } from './statement-needs.ts'
import { tableNeeds } from './table-needs.ts'

/** What each operation needs, by the target that names it on the wire. An operation that is not here is never allowed on a closed server;
 *  a test sees to it that all are. */
const needsByTarget: Readonly<Record<string, ReadonlyMap<string, NeedsOf>>> = {
  DynamoDB_20120810: needs(itemNeeds, pageNeeds, statementNeeds, tableNeeds),
  DynamoDBStreams_20120810: only(tableNeeds, operationsByTarget.DynamoDBStreams_20120810),
  AnyScaleFrontendService: needs(autoScalingNeeds),
  GraniteServiceVersion20100801: needs(cloudWatchNeeds),
  Kinesis_20131202: needs(kinesisNeeds),
  Pipes: needs(pipesNeeds),
  AWSEvents: needs(eventsNeeds),
  AWSCloudFormation: needs(cloudFormationNeeds),
  AssetBucket: needs(bucketNeeds),
  AmazonSSM: needs(parametersNeeds),
  AWSIdentityManagementV20100508: needs(iamNeeds),
  AWSSecurityTokenServiceV20110615: needs(stsNeeds),
  AWSGirApiService: needs(lambdaNeeds),
}

export function needsOf(target: string, operation: string): NeedsOf | undefined {
  return Object.hasOwn(needsByTarget, target) ? needsByTarget[target]?.get(operation) : undefined
}

function needs(...parts: readonly Readonly<Record<string, NeedsOf>>[]): ReadonlyMap<string, NeedsOf> {
  return new Map(parts.flatMap((part) => Object.entries(part)))
}

function only(
  part: Readonly<Record<string, NeedsOf>>,
  operations: readonly string[],
): ReadonlyMap<string, NeedsOf> {
  return new Map(Object.entries(part).filter(([name]) => operations.includes(name)))
}
