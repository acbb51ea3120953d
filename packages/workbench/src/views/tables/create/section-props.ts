import type { TableDraft } from './table-draft.ts'

/** What a section of the form shows and changes. */
export interface SectionProps {
  readonly draft: TableDraft
  /** By the name of the field; empty until the table was requested. */
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (changes: Partial<TableDraft>) => void
}
