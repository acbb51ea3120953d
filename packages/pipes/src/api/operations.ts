export const pipesTarget = 'Pipes'

/** The operations of EventBridge Pipes. */
export const pipesOperations = [
  'CreatePipe',
  'DeletePipe',
  'DescribePipe',
  'ListPipes',
  'ListTagsForResource',
  'StartPipe',
  'StopPipe',
  'TagResource',
  'UntagResource',
  'UpdatePipe',
] as const

export type PipesOperation = (typeof pipesOperations)[number]
