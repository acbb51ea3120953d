import { priceWarning } from '@hashrange/model/cost'
import { planMarkdown, planMigration, planText } from '@hashrange/model/plan'
import { loadModel } from './load-model.ts'
import { Mistake } from '../mistake.ts'
import { pricesOfRegion } from './prices-of-region.ts'
import { readLiveModel } from './read-live-model.ts'
import { readWords, wholeNumber } from './read-flags.ts'
import { serverFlags } from './trust-issuer.ts'
import { placeOfProfile, profileFlags } from './use-profile.ts'

const help = `hashrange plan: compares two versions of a model, and plans the change while the table is in use

  hashrange plan old.model.ts new.model.ts
  hashrange plan shop.model.ts --endpoint http://127.0.0.1:8000
  git show main:shop.model.ts > old.model.ts && hashrange plan old.model.ts shop.model.ts --markdown

  --endpoint PLACE   with one file: where its tables are, the address of a server or aws. The plan starts from the tables
                     as they are
  --table NAME       the actual name of the table, if it is not the one in the model
  --sample 500       how many items of each table to read; nothing is written
  --ca FILE          the issuer of the server's certificate, if this machine does not know it (PEM)
  --rate 500         capacity units per second that backfills may use, for their duration
  --region REGION    of the tables, and for prices; us-east-1 by default
  --profile NAME     an AWS profile, with SSO, roles or keys. Without --endpoint, its tables are on AWS
  --markdown         print the plan as Markdown, for a pull request
  --json             print the plan as JSON
  --allow-unsafe     exit with 0 even if there are unsafe differences

Every difference is compatible, needs a backfill, needs a rewrite, or is unsafe while old and new code run side by side. The
steps are in order, each with its reason, its check, its cost and how to undo it. Counts and sizes are those that the models
declare (.volume()).
Exit code: 0 if nothing is unsafe, 1 if something is, 2 if the command was used wrongly.`

const flags = {
  endpoint: { type: 'string' },
  table: { type: 'string' },
  sample: { type: 'string' },
  ...profileFlags,
  ...serverFlags,
  rate: { type: 'string' },
  region: { type: 'string' },
  markdown: { type: 'boolean' },
  json: { type: 'boolean' },
  'allow-unsafe': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function plan(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('plan', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [before, after, ...others] = positionals
  const endpoint = placeOfProfile(values.endpoint, values.profile)
  const isLive = endpoint !== undefined
  if (before === undefined || (after === undefined) !== isLive || others.length > 0)
    throw new Mistake(
      isLive
        ? 'With --endpoint, name one model file. See: hashrange plan --help'
        : 'Name two model files, the old one first, or one and --endpoint. See: hashrange plan --help',
    )
  if (values.json === true && values.markdown === true)
    throw new Mistake('--json and --markdown cannot be used together. Use only one of them.')
  const prices = pricesOfRegion(values.region ?? 'us-east-1')
  const unitsPerSecond = wholeNumber('--rate', values.rate)
  const compared =
    endpoint === undefined
      ? {
          before: (await loadModel(before)).description,
          after: (await loadModel(after ?? '')).description,
          notes: [],
        }
      : await readLiveModel(await loadModel(before), endpoint, {
          region: values.region,
          table: values.table,
          sample: wholeNumber('--sample', values.sample),
        })
  const made = planMigration(compared.before, compared.after, { unitsPerSecond, prices: prices.onDemand })
  for (const note of compared.notes) console.error(note)
  if (prices.takenFrom !== undefined) console.error(priceWarning(prices)?.text)
  if (values.json === true) console.log(JSON.stringify(made, null, 2))
  else console.log(values.markdown === true ? planMarkdown(made) : planText(made))
  if (values.json !== true && values.markdown !== true && made.steps.some(({ phase }) => phase === 'backfill'))
    console.log('\nhashrange migrate adds, backfills, verifies and drops. See: hashrange migrate --help')
  return made.kind === 'unsafe' && values['allow-unsafe'] !== true ? 1 : 0
}
