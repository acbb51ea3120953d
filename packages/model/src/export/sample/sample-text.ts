export interface SampleContext {
  readonly random: () => number
  readonly now: Date
  /** How many values were made before, so that names and ids differ. */
  readonly nth: number
}

const people = ['Ana Lopes', 'Ben Okafor', 'Chloe Martin', 'Daan Visser', 'Emi Sato', 'Farid Nasser', 'Greta Lind']
const cities = ['Lisbon', 'Lagos', 'Lyon', 'Utrecht', 'Osaka', 'Amman', 'Malmö']
const countries = ['PT', 'NG', 'FR', 'NL', 'JP', 'JO', 'SE']
const regions = ['eu-west', 'eu-north', 'us-east', 'ap-south']
const titles = ['Blue Hour', 'Paper Boats', 'Northern Line', 'Second Spring', 'Salt and Stone', 'Low Tide']
const colours = ['amber', 'indigo', 'olive', 'coral', 'slate', 'teal', 'plum']

/** What an attribute of this name may say. Spaces and letters only where a person would write them, since many of these
 *  become parts of keys. */
export function sampleText(name: string, sizeBytes: number | undefined, { random, nth }: SampleContext): string {
  const from = (choices: readonly string[]): string =>
    choices[(nth + Math.floor(random() * 2)) % choices.length] ?? ''
  const person = people[nth % people.length] ?? ''
  const word = name.toLowerCase()
  if (word.includes('email')) return `${person.toLowerCase().replace(' ', '.')}${suffix(nth)}@example.com`
  if (word.includes('phone')) return `+351 21 555 ${String(1000 + nth)}`
  if (word.includes('url') || word.includes('link')) return `https://example.com/${nth + 1}`
  if (word.includes('city')) return from(cities)
  if (word.includes('country')) return from(countries)
  if (word.includes('region')) return from(regions)
  if (word.includes('currency')) return 'EUR'
  if (word === 'sku') return `SKU-${1001 + nth}`
  if (word.endsWith('id')) return `${name.slice(0, -2).toLowerCase() || 'id'}-${1001 + nth}`
  if (word.includes('title') || word.includes('album') || word.includes('song')) return from(titles)
  if (/name|author|artist|player|user/.test(word)) return person
  if (/colou?r|tag|label|kind|type|category/.test(word)) return from(colours)
  return sentence(`${name} ${nth + 1}`, sizeBytes)
}

/** The people repeat; what must be unique gets a number from the second round on. */
function suffix(nth: number): string {
  return nth < people.length ? '' : String(Math.floor(nth / people.length) + 1)
}

/** A sample is for reading: it is never made longer than two lines, whatever was declared. */
function sentence(begin: string, sizeBytes: number | undefined): string {
  const length = Math.min(sizeBytes ?? 0, 160)
  if (length <= begin.length) return begin
  return `${begin} ${'lorem ipsum dolor sit amet '.repeat(6)}`.slice(0, length).trim()
}
