import { validationException } from '@hashrange/core'
import { evaluate, objectOf, plainText, Unresolved, type JsonObject } from '@hashrange/templates'
import type { StackOutput } from '../records/stack-record.ts'
import type { Exported } from '../stacks/stack-book.ts'
import type { StackValues } from '../stacks/stack-values.ts'

/** The outputs of a stack, once its resources are there. */
export function stackOutputs(
  document: JsonObject,
  values: StackValues,
  uid: string,
  exported: readonly Exported[],
): readonly StackOutput[] {
  return Object.entries(objectOf(document['Outputs'])).flatMap(([OutputKey, declared]): StackOutput[] => {
    const { Value = '', Export, Condition, Description } = objectOf(declared)
    if (typeof Condition === 'string' && values.condition(Condition) !== true) return []
    const value = evaluate(Value, values)
    if (value instanceof Unresolved) throw validationException(`Unresolved output ${OutputKey}: ${value.reason}`)
    const name = Export === undefined ? undefined : evaluate(objectOf(Export)['Name'] ?? '', values)
    if (name instanceof Unresolved) throw validationException(`Unresolved output ${OutputKey}: ${name.reason}`)
    const ExportName = name === undefined ? undefined : plainText(name)
    const other = exported.find((one) => one.Name === ExportName && one.uid !== uid)
    if (other !== undefined)
      throw validationException(
        `Export with name ${ExportName} is already exported by stack ${other.ExportingStackId.split('/')[1]}.`,
      )
    return [
      {
        OutputKey,
        OutputValue: Array.isArray(value) ? value.map(plainText).join(',') : plainText(value),
        ...(Description !== undefined && { Description: plainText(Description) }),
        ...(ExportName !== undefined && { ExportName }),
      },
    ]
  })
}
