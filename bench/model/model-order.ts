export type ModelOrder =
  | { readonly kind: 'fill'; readonly itemCount: number }
  | {
      readonly kind: 'run'
      readonly way: ModelWay
      readonly operation: ModelOperation
      readonly seconds: number
    }

/** `sdk` sends the requests that `model` makes of its parameters, ready-made, and takes the answers as they come. */
export type ModelWay = 'sdk' | 'model'

export type ModelOperation = 'GetItem' | 'Query'
