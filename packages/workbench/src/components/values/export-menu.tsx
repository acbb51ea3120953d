import type { Item } from '@hashrange/core'
import { Download } from '../../icons/icons.generated.ts'
import { endingOf, itemsText, type ItemsFormat } from '../../values/items-text.ts'
import { plural } from '../../values/format.ts'
import { Button } from '../controls/button.tsx'
import { Menu } from '../controls/menu.tsx'
import { tell, tellError } from '../messages/toast.tsx'
import { saveFile } from '../save-file.ts'

export interface ExportMenuProps {
  /** What is exported, when it comes to that. */
  readonly items: () => readonly Item[]
  /** Of the file, without its ending. */
  readonly fileName: string
  /** The columns that stand first: keys. */
  readonly first?: readonly string[] | undefined
  readonly tone?: 'plain' | 'quiet'
}

/** A result that is in the page, as a file or in the clipboard. */
export function ExportMenu({ items, fileName, first, tone = 'plain' }: ExportMenuProps) {
  const save = (format: ItemsFormat): void => {
    const type = format === 'csv' ? 'text/csv' : 'application/json'
    saveFile(new Blob([itemsText(items(), format, first)], { type }), `${fileName}.${endingOf[format]}`)
  }
  const saveParquet = async (): Promise<void> => {
    const { ItemsParquet } = await import('../../values/items-parquet.ts')
    const all = items()
    const file = new ItemsParquet(first)
    file.see(all)
    file.write(all)
    saveFile(file.end(), `${fileName}.parquet`)
  }
  const copy = (format: ItemsFormat): void => copyItems(items(), format, first)
  return (
    <Menu
      align="end"
      trigger={
        <Button icon={<Download />} tone={tone}>
          Export
        </Button>
      }
      entries={[
        { label: 'CSV file', onSelect: () => save('csv') },
        { label: 'JSON file', onSelect: () => save('json') },
        { label: 'DynamoDB JSON file', onSelect: () => save('dynamodb') },
        { label: 'Parquet file', onSelect: () => void saveParquet().catch(tellError) },
        'separator',
        { label: 'Copy for a spreadsheet', onSelect: () => copy('tsv') },
        { label: 'Copy as JSON', onSelect: () => copy('json') },
        { label: 'Copy as DynamoDB JSON', onSelect: () => copy('dynamodb') },
      ]}
    />
  )
}

/** Puts items into the clipboard, and says so. */
export function copyItems(items: readonly Item[], format: ItemsFormat, first?: readonly string[]): void {
  navigator.clipboard
    .writeText(itemsText(items, format, first))
    .then(() => tell(`${plural(items.length, 'item')} copied`))
    .catch(tellError)
}
