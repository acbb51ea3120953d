import type { LinkParameters } from '../../../state/links.ts'
import { flag, json, number, oneOf, text, type UrlCodec } from '../../../state/url-state.ts'
import { codeSchema } from '../results/code-pane.tsx'
import { checkDraft, compactDraft, emptyDraft, type QueryDraft } from '../draft/draft.ts'
import type { ParameterTexts } from '../pattern/pattern-form.ts'

const whole = json(emptyDraft, checkDraft)

const draft: UrlCodec<QueryDraft> = {
  fallback: emptyDraft,
  read: (written) => whole.read(written),
  write: (value) => JSON.stringify(compactDraft(value)),
}

/** All of a query: its address reproduces it. */
export const querySchema = {
  /** By itself it is the patterns of a model, where one describes the table. */
  mode: oneOf(['auto', 'pattern', 'key', 'write'], 'auto'),
  q: draft,
  /** Short forms, for links of other views: an index, a partition key, a sort key. */
  index: text(),
  pk: text(),
  sk: text(),
  /** `<file>|<model>`. */
  model: text(),
  pattern: text(),
  p: json<ParameterTexts>({}, checkTexts),
  /** `access` is there on closed servers. */
  tab: oneOf(['results', 'request', 'code', 'access'], 'results'),
  ...codeSchema,
  /** Calls a second, for what it costs; unless said, those that the model declares. */
  calls: number(-1),
  /** Runs it when it is opened, unless it is a Scan. */
  run: flag(),
}

/** What a link to the query of a partition says: the values of its key, as they would be typed. */
export function partitionParameters(index: string | undefined, partition: readonly string[]): LinkParameters {
  const [first = ''] = partition
  if (partition.length === 1 && isWellFormed(first)) return { index, pk: first }
  return { q: JSON.stringify({ index, partition }) }
}

/** What a link says, its short forms included. */
export function draftOfUrl(q: QueryDraft, index: string, pk: string, sk: string): QueryDraft {
  if (index === '' && pk === '' && sk === '') return q
  return {
    ...emptyDraft,
    index,
    partition: pk === '' ? [] : [pk],
    sort: sk === '' ? [] : [{ operator: '=', value: sk, to: '' }],
  }
}

/** Half a character does not survive in an address; JSON writes it as an escape. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

function checkTexts(value: unknown): ParameterTexts {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {})
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
