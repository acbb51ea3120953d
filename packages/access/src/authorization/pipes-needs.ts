import type { Need, NeedsOf } from './need.ts'
import { sentText } from './sent-member.ts'

/** What EventBridge Pipes needs: of a pipe where one is named. */
export const pipesNeeds: Readonly<Record<string, NeedsOf>> = Object.fromEntries(
  [
    'CreatePipe',
    'DeletePipe',
    'DescribePipe',
    'ListPipes',
    'ListTagsForResource',
    'StartPipe',
    'StopPipe',
    'TagResource',
    'UntagResource',
    'UpdatePipe',
  ].map((name): [string, NeedsOf] => [
    name,
    ({ scope, body }) => {
      const named = `arn:aws:pipes:${scope.region}:${scope.accountId}:pipe/${sentText(body, 'Name') ?? '*'}`
      return [{ action: `pipes:${name}`, resource: sentText(body, 'resourceArn') ?? named }, ...lentTo(body)]
    },
  ]),
)

/** What the HTTP endpoints of EventBridge need. A destination also lends what its connection says. */
export const eventsNeeds: Readonly<Record<string, NeedsOf>> = Object.fromEntries(
  ['connection', 'api-destination'].flatMap((kind) => {
    const word = kind === 'connection' ? 'Connection' : 'ApiDestination'
    return [`Create${word}`, `Delete${word}`, `Describe${word}`, `List${word}s`, `Update${word}`].map(
      (name): [string, NeedsOf] => [
        name,
        ({ scope, body }) => {
          const resource = `arn:aws:events:${scope.region}:${scope.accountId}:${kind}/${sentText(body, 'Name') ?? '*'}`
          return [{ action: `events:${name}`, resource }]
        },
      ],
    )
  }),
)

/** A pipe does what its creator may do: whoever creates or changes one must be allowed to read its source, to call its
 *  enrichment and to write to its target, and to pass its role. */
function lentTo(body: unknown): readonly Need[] {
  const needs: Need[] = []
  const role = sentText(body, 'RoleArn')
  if (role !== undefined) needs.push({ action: 'iam:PassRole', resource: role })
  const source = sentText(body, 'Source')
  if (source !== undefined) needs.push({ action: `${serviceOf(source)}:GetRecords`, resource: source })
  for (const resource of [sentText(body, 'Enrichment'), sentText(body, 'Target')]) {
    if (resource === undefined || resource === '') continue
    const service = serviceOf(resource)
    needs.push({ action: writing.get(service) ?? `${service}:*`, resource })
  }
  return needs
}

const writing = new Map([
  ['lambda', 'lambda:InvokeFunction'],
  ['kinesis', 'kinesis:PutRecords'],
  ['dynamodb', 'dynamodb:PutItem'],
  ['events', 'events:InvokeApiDestination'],
])

function serviceOf(arn: string): string {
  return arn.split(':', 3)[2] ?? ''
}
