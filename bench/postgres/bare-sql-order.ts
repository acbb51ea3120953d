/** What the process with bare SQL is asked to do, on the tables of a server that has been filled. */
export type BareSqlOrder =
  | { readonly kind: 'choose'; readonly count: number }
  | {
      readonly kind: 'run'
      readonly operation: 'GetItem' | 'Query' | 'PutItem'
      readonly callers: number
      readonly seconds: number
    }
