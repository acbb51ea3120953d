import type { PriceSheet } from './price-sheet.ts'

/** Commercial regions whose prices are not recorded, and the nearest region whose prices are, in the same country if there is one. */
const nearest: Readonly<Record<string, string>> = {
  'ap-east-2': 'ap-east-1',
  'ap-south-2': 'ap-south-1',
  'ap-southeast-3': 'ap-southeast-1',
  'ap-southeast-4': 'ap-southeast-2',
  'ap-southeast-5': 'ap-southeast-1',
  'ap-southeast-6': 'ap-southeast-2',
  'ap-southeast-7': 'ap-southeast-1',
  'ca-west-1': 'ca-central-1',
  'eu-central-2': 'eu-central-1',
  'eu-south-1': 'eu-central-1',
  'eu-south-2': 'eu-west-3',
  'il-central-1': 'me-south-1',
  'me-central-1': 'me-south-1',
  'mx-central-1': 'us-east-2',
}

/** The regions that have no prices of their own, with those of their neighbours. */
export function withNeighbours(recorded: readonly (readonly PriceSheet[])[]): readonly (readonly PriceSheet[])[] {
  return Object.entries(nearest).map(([region, neighbour]) =>
    (recorded.find(([sheet]) => sheet?.region === neighbour) ?? []).map((sheet) => ({
      ...sheet,
      region,
      takenFrom: neighbour,
    })),
  )
}
