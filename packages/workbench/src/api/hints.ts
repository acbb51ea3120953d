/** What to do about an error, where its words do not say so themselves. */
export function hintFor(name: string, message: string): string | undefined {
  for (const { when, words, hint } of hints) {
    if (when === name && (words === undefined || words.test(message))) return hint
  }
  return undefined
}

interface Hint {
  readonly when: string
  readonly words?: RegExp
  readonly hint: string
}

/** The first that fits is shown. */
const hints: readonly Hint[] = [
  { when: 'Unreachable', hint: 'Is it still running? Start it again with: hashrange start' },
  { when: 'ReadOnly', hint: 'Reading works as always.' },
  {
    when: 'ResourceNotFoundException',
    words: /table|resource/i,
    hint: 'It may be in another account or region: look at the scope above, at the left of the table.',
  },
  {
    when: 'ConditionalCheckFailedException',
    hint: 'The item is no longer as the condition expects. Load it again and look at what has changed.',
  },
  {
    when: 'ResourceInUseException',
    words: /already exists/i,
    hint: 'Choose another name, or delete the one that is there.',
  },
  { when: 'ResourceInUseException', hint: 'A change of it is under way. Try again when it is ACTIVE.' },
  {
    when: 'LimitExceededException',
    words: /online index|indexes/i,
    hint: 'DynamoDB builds one index at a time. Wait until the one under way is ACTIVE.',
  },
  {
    when: 'ValidationException',
    words: /deletion protection/i,
    hint: 'Turn deletion protection off first, in the settings of the table.',
  },
  {
    when: 'ValidationException',
    words: /reserved keyword/i,
    hint: 'Write the attribute as a placeholder such as #name, and say in ExpressionAttributeNames what it stands for.',
  },
  {
    when: 'ValidationException',
    words: /did not match the schema|Type mismatch for key|Missing the key/i,
    hint: 'Every key attribute of the table must be there, with the type that the table declares.',
  },
  {
    when: 'ValidationException',
    words: /Item size has exceeded|maximum allowed size/i,
    hint: 'An item has at most 400 KB. Keep large content elsewhere and a reference to it here, or split the item.',
  },
  {
    when: 'ProvisionedThroughputExceededException',
    hint: 'Try again more slowly, raise the capacity, or change the table to on-demand.',
  },
  { when: 'ThrottlingException', hint: 'Try again more slowly.' },
  {
    when: 'TransactionCanceledException',
    hint: 'Nothing was written. The reasons stand in the order of the actions; None is one that was fine.',
  },
  { when: 'TransactionConflictException', hint: 'Another transaction has the item. Try again.' },
  {
    when: 'ItemCollectionSizeLimitExceededException',
    hint: 'With a local index, the items of one partition key have at most 10 GB together.',
  },
  { when: 'InternalServerError', hint: 'This is a fault of hashrange; its output says more.' },
]
