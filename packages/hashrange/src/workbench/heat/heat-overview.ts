import { heatReport, type PlaceReport, type ReportSource, type Scope } from '@hashrange/engine'
import type { HeatOverview, HottestKey, PlaceOverview } from '@hashrange/workbench/answers'
import { placeNow } from './place-now.ts'

export async function heatOverview(source: ReportSource, scope: Scope): Promise<HeatOverview> {
  const { atMs, tables, leftOut, accounts } = await heatReport(source, scope)
  return {
    atMs,
    leftOut,
    userErrors: accounts.reduce((sum, { userErrors }) => sum + userErrors, 0),
    tables: tables.map(({ tableName, status, billingMode, places, operations }) => ({
      tableName,
      status,
      billingMode,
      places: places.map(placeOverview),
      operations,
    })),
  }
}

function placeOverview(place: PlaceReport): PlaceOverview {
  const { partitions, ...rest } = placeNow(place)
  const hottestRead = hottestOf(place.hottestReads, unitsOf(partitions.map(({ readHistory }) => readHistory)))
  const hottestWrite = hottestOf(place.hottestWrites, unitsOf(partitions.map(({ writeHistory }) => writeHistory)))
  return {
    ...rest,
    readShare: most(partitions.map((one) => one.readUnitsPerSecond / one.readCapacity)),
    writeShare: most(partitions.map((one) => one.writeUnitsPerSecond / one.writeCapacity)),
    readMinutes: mostByMinute(
      partitions.map((one) => one.readHistory.map((units) => units / 60 / one.readCapacity)),
    ),
    writeMinutes: mostByMinute(
      partitions.map((one) => one.writeHistory.map((units) => units / 60 / one.writeCapacity)),
    ),
    ...(hottestRead !== undefined && { hottestRead }),
    ...(hottestWrite !== undefined && { hottestWrite }),
  }
}

/** The keys are the first of many: their share is of everything that was used. */
function hottestOf(keys: PlaceReport['hottestReads'], used: number): HottestKey | undefined {
  const [first] = keys
  const listed = keys.reduce((sum, { amount }) => sum + amount, 0)
  const all = Math.max(used, listed)
  return first === undefined || all === 0 ? undefined : { text: first.text, share: first.amount / all }
}

/** Of this minute and the one before, like the hottest keys. */
function unitsOf(histories: readonly (readonly number[])[]): number {
  return histories.reduce((sum, history) => sum + (history.at(-1) ?? 0) + (history.at(-2) ?? 0), 0)
}

function most(amounts: readonly number[]): number {
  return amounts.reduce((largest, amount) => Math.max(largest, amount), 0)
}

function mostByMinute(histories: readonly (readonly number[])[]): readonly number[] {
  const minutes = Array.from({ length: histories[0]?.length ?? 0 }, () => 0)
  for (const history of histories) {
    for (const [minute, share] of history.entries()) minutes[minute] = Math.max(minutes[minute] ?? 0, share)
  }
  // A place without traffic needs no hour of zeros.
  return minutes.some((share) => share > 0) ? minutes : []
}
