import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'

/** What can be completed, in addition to the keywords of the language. */
export interface CompletionNames {
  readonly tables: readonly string[]
  /** Indexes of the table that the statement names. */
  readonly indexes: readonly { readonly table: string; readonly index: string }[]
  readonly attributes: readonly { readonly name: string; readonly detail: string }[]
}

const words = [
  'SELECT',
  'FROM',
  'WHERE',
  'AND',
  'OR',
  'NOT',
  'IN',
  'BETWEEN',
  'IS',
  'MISSING',
  'NULL',
  'ORDER BY',
  'ASC',
  'DESC',
  'INSERT INTO',
  'VALUE',
  'UPDATE',
  'SET',
  'REMOVE',
  'DELETE FROM',
  'RETURNING ALL OLD *',
  'RETURNING ALL NEW *',
  'RETURNING MODIFIED OLD *',
  'RETURNING MODIFIED NEW *',
  'EXISTS',
]

const functions: readonly (readonly [string, string])[] = [
  ['begins_with', "begins_with(name, 'text')"],
  ['contains', "contains(name, 'text')"],
  ['attribute_type', "attribute_type(name, 'S')"],
  ['size', 'size(name)'],
]

/** Offers tables after FROM and the like, elsewhere attributes, functions and keywords. */
export function completePartiql(names: () => CompletionNames) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/"?[\w.$-]*"?/)
    if (word === null || (word.from === word.to && !context.explicit)) return null
    const before = context.state.sliceDoc(Math.max(0, word.from - 40), word.from)
    const { tables, indexes, attributes } = names()
    if (/\b(from|into|update)\s+$/i.test(before)) {
      return { from: word.from, options: [...tables.map(tableOption), ...indexes.map(indexOption)] }
    }
    return {
      from: word.from,
      options: [
        ...attributes.map(({ name, detail }): Completion => ({
          label: name,
          apply: nameText(name),
          type: 'property',
          detail,
          boost: 2,
        })),
        ...functions.map(([label, info]): Completion => ({ label, apply: `${label}(`, type: 'function', info })),
        ...words.map((label): Completion => ({ label, type: 'keyword' })),
        ...tables.map(tableOption),
      ],
      validFor: /^"?[\w.$-]*"?$/,
    }
  }
}

function tableOption(name: string): Completion {
  return { label: `"${name}"`, type: 'class', detail: 'table', boost: 3 }
}

function indexOption({ table, index }: { readonly table: string; readonly index: string }): Completion {
  return { label: `"${table}"."${index}"`, type: 'class', detail: 'index' }
}

/** Quoted where it must be. */
export function nameText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}
