/** What is asked of the process that a model file runs in. */
export type ModelQuestion =
  | { readonly kind: 'load'; readonly path: string }
  | { readonly kind: 'check'; readonly model: string }
  | ({ readonly kind: 'cost'; readonly model: string } & CostOptions)
  | { readonly kind: 'export'; readonly model: string; readonly format: string }
  | { readonly kind: 'set-up'; readonly model: string }
  | {
      readonly kind: 'explain'
      readonly model: string
      readonly pattern: string
      readonly parameters: Readonly<Record<string, unknown>>
      readonly found?: unknown
    }
  | { readonly kind: 'import'; readonly name: string; readonly content: string }

export interface CostOptions {
  readonly region: string
  readonly date: string
  readonly utilisation: number | undefined
}

/** A message to the process. */
export interface Asked {
  readonly id: number
  readonly question: ModelQuestion
}

/** A message of the process. */
export type Answered =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly refusal: { status: number; code: string; message: string } }
