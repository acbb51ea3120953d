/** What to do about an error, if its message does not say so. */
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
  {
    when: 'UnrecognizedClientException',
    hint: 'The credentials were not accepted. Check the profile or access key of the connection, and its region.',
  },
  { when: 'ReadOnly', hint: 'You can still read data.' },
  {
    when: 'ResourceNotFoundException',
    words: /table|resource/i,
    hint: 'It may be in another account or region. Check the account and region at the top left.',
  },
  {
    when: 'ConditionalCheckFailedException',
    hint: 'The item does not meet the condition, or is not there. If it was read before, read it again to see what has changed.',
  },
  {
    when: 'ResourceInUseException',
    words: /already exists/i,
    hint: 'Choose another name, or delete the existing one.',
  },
  { when: 'ResourceInUseException', hint: 'It is being changed. Try again when it is ACTIVE.' },
  {
    when: 'LimitExceededException',
    words: /online index|indexes/i,
    hint: 'DynamoDB builds one index at a time. Wait until the current one is ACTIVE.',
  },
  {
    when: 'ValidationException',
    words: /deletion protection/i,
    hint: 'Turn off deletion protection first, in the settings of the table.',
  },
  {
    when: 'ValidationException',
    words: /reserved keyword/i,
    hint: 'Use a placeholder such as #name for the attribute, and define it in ExpressionAttributeNames.',
  },
  {
    when: 'ValidationException',
    words: /did not match the schema|Type mismatch for key|Missing the key/i,
    hint: 'Every key attribute of the table must be present, with the type that the table declares.',
  },
  {
    when: 'ValidationException',
    words: /Item size has exceeded|maximum allowed size/i,
    hint: 'An item can have at most 400 KB. Store large content elsewhere and keep a reference to it, or split the item.',
  },
  {
    when: 'ProvisionedThroughputExceededException',
    hint: 'Try again more slowly, raise the capacity, or change the table to on-demand.',
  },
  { when: 'ThrottlingException', hint: 'Try again more slowly.' },
  {
    when: 'TransactionCanceledException',
    hint: 'Nothing was written. The reasons are in the order of the actions; None means that the action was fine.',
  },
  { when: 'TransactionConflictException', hint: 'Another transaction is using the item. Try again.' },
  {
    when: 'ItemCollectionSizeLimitExceededException',
    hint: 'In a table with a local secondary index, the items of one partition key can have at most 10 GB together.',
  },
  { when: 'InternalServerError', hint: 'This is an error in hashrange; see its output for details.' },
]
