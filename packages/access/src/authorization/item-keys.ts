import type { ContextValue, ContextValues } from '../policies/context-values.ts'

/** DynamoDB's own keys of conditions, for one need. Each is worked out when a policy asks for it. */
export interface ItemFacts {
  /** The values of each attribute of the partition key, which only global indexes have several of; nothing where the request is about
   *  all partitions, or the table is not there. */
  readonly partitionValues?: () => readonly (readonly string[])[] | undefined
  readonly attributes?: () => readonly string[]
  readonly select?: string | undefined
  readonly returnValues?: string | undefined
  readonly returnConsumedCapacity?: string | undefined
  readonly enclosingOperation?: string | undefined
  readonly isFullTableScan?: () => boolean
}

export class ItemKeys implements ContextValues {
  readonly #facts: ItemFacts
  #partition: readonly (readonly string[])[] | undefined
  #attributes: readonly string[] | undefined

  constructor(facts: ItemFacts) {
    this.#facts = facts
  }

  get(key: string): ContextValue | undefined {
    const facts = this.#facts
    switch (key) {
      case 'dynamodb:leadingkeys':
      case 'dynamodb:firstpartitionkeyvalues':
        return this.#partitionValues()?.[0]
      case 'dynamodb:secondpartitionkeyvalues':
        return this.#partitionValues()?.[1]
      case 'dynamodb:thirdpartitionkeyvalues':
        return this.#partitionValues()?.[2]
      case 'dynamodb:fourthpartitionkeyvalues':
        return this.#partitionValues()?.[3]
      case 'dynamodb:attributes':
        return (this.#attributes ??= facts.attributes?.())
      case 'dynamodb:select':
        return facts.select
      case 'dynamodb:returnvalues':
        return facts.returnValues
      case 'dynamodb:returnconsumedcapacity':
        return facts.returnConsumedCapacity
      case 'dynamodb:enclosingoperation':
        return facts.enclosingOperation
      case 'dynamodb:fulltablescan':
        return facts.isFullTableScan === undefined ? undefined : String(facts.isFullTableScan())
      default:
        return undefined
    }
  }

  /** Worked out once, for many statements may ask. */
  #partitionValues(): readonly (readonly string[])[] | undefined {
    return (this.#partition ??= this.#facts.partitionValues?.())
  }
}
