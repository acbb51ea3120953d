import { attributeOf, type Item } from '@hashrange/core'
import { useQuery } from '@tanstack/react-query'
import type { PatternDescription } from '@hashrange/model'
import { useMemo, useState } from 'react'
import { ask, type Call } from '../../../api/api.ts'
import type { LoadedModel } from '../../../api/models.ts'
import { useCall } from '../../../api/queries.ts'
import type { AttributeValue } from '../../../api-types.ts'
import { advise, tellError } from '../../../components/messages/toast.tsx'
import type { ServiceRequest } from '../../../codegen/service-request.ts'
import { argumentsOf, type ParameterTexts } from './pattern-form.ts'
import { readableRequest } from '../draft/readable-request.ts'
import { typedText } from '../draft/value-text.ts'

const noRequests: readonly ServiceRequest[] = []

/** The requests of a pattern with what was typed for its parameters, made by the model's own client. */
export function usePattern(
  model: LoadedModel | undefined,
  pattern: PatternDescription | undefined,
  texts: ParameterTexts,
) {
  const given = useMemo(() => (pattern === undefined ? undefined : argumentsOf(pattern, texts)), [pattern, texts])
  const isReady = given !== undefined && given.missing.length === 0 && given.problems.size === 0
  const about = {
    file: model?.file,
    model: model?.description.name,
    pattern: pattern?.name,
    parameters: given?.parameters,
  }
  const { data, error } = useQuery({
    queryKey: ['explain', model?.digest, about],
    enabled: model !== undefined && pattern !== undefined && isReady,
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) => {
      const { requests } = await ask<{ readonly requests: readonly ServiceRequest[] }>(
        'models/explain',
        about,
        signal,
      )
      return requests.map(readableRequest)
    },
  })
  const follow = useMemo(() => {
    if (pattern?.action !== 'lookup') return undefined
    const body = {
      file: model?.file,
      model: model?.description.name,
      pattern: pattern.name,
      parameters: given?.parameters,
    }
    return async (found: Item): Promise<ServiceRequest | undefined> => {
      const { requests } = await ask<{ readonly requests: readonly ServiceRequest[] }>('models/explain', {
        ...body,
        found,
      })
      return requests[0]
    }
  }, [model, pattern, given])
  return {
    given,
    requests: (isReady ? data : undefined) ?? noRequests,
    error: isReady && error !== null ? error.message : undefined,
    follow,
  }
}

/** Values of an item that is there, for the parameters of a pattern. */
export function useExampleValues(
  model: LoadedModel | undefined,
  pattern: PatternDescription | undefined,
  onFound: (texts: ParameterTexts) => void,
) {
  const call = useCall()
  const [isLooking, setLooking] = useState(false)
  const look = (): void => {
    const table = model?.description.tables.find(({ id }) => id === pattern?.table)
    if (pattern === undefined || table === undefined) return
    setLooking(true)
    findExample(call, table.name, table.discriminator, pattern)
      .then(
        (texts) =>
          texts === undefined ? advise('There is no item to take example values from yet.') : onFound(texts),
        tellError,
      )
      .finally(() => setLooking(false))
  }
  return { look, isLooking }
}

interface Page {
  readonly Items?: readonly Item[]
  readonly LastEvaluatedKey?: Item
}

/** Looks through a few pages of the table. */
async function findExample(
  call: Call,
  table: string,
  discriminator: string,
  pattern: PatternDescription,
): Promise<ParameterTexts | undefined> {
  let start: Item | undefined
  for (let page = 0; page < 5; page++) {
    const answer: Page = await call<Page>('Scan', {
      TableName: table,
      FilterExpression: `#kind IN (${pattern.entities.map((_, at) => `:kind${String(at)}`).join(', ')})`,
      ExpressionAttributeNames: { '#kind': discriminator },
      ExpressionAttributeValues: Object.fromEntries(
        pattern.entities.map((name, at) => [`:kind${String(at)}`, { S: name.replace(/\..*$/, '') }]),
      ),
      ...(start !== undefined && { ExclusiveStartKey: start }),
    })
    for (const item of answer.Items ?? []) {
      const texts = textsOf(pattern, item)
      if (texts !== undefined) return texts
    }
    start = answer.LastEvaluatedKey
    if (start === undefined) return undefined
  }
  return undefined
}

function textsOf(pattern: PatternDescription, item: Item): ParameterTexts | undefined {
  const texts: Record<string, string> = {}
  for (const { name, kind, isRequired } of pattern.parameters) {
    if (kind !== 'value' || !isRequired) continue
    const value = attributeOf(item, name)
    if (value === undefined) return undefined
    texts[name] = typedText(firstElement(value))
  }
  return texts
}

function firstElement(value: AttributeValue): AttributeValue {
  if ('SS' in value) return { S: value.SS[0] ?? '' }
  if ('NS' in value) return { N: value.NS[0] ?? '' }
  if ('L' in value) return value.L[0] ?? value
  return value
}
