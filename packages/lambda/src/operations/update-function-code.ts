import type { Scope } from '@hashrange/engine'
import type { UpdateFunctionCodeInput } from '../api/inputs.ts'
import { describeFunction } from '../functions/describe-function.ts'
import { assertMayUpload, readPackage } from '../functions/read-function.ts'
import { unpackZip } from '../functions/unpack-zip.ts'
import type { Lambda } from '../lambda.ts'
import { changeFunction, requireStored } from './change-function.ts'

export async function updateFunctionCode(
  lambda: Lambda,
  scope: Scope,
  input: UpdateFunctionCodeInput,
): Promise<object> {
  assertMayUpload(lambda.options.whyNoUploads)
  const { name, ...found } = await requireStored(lambda, scope, input.FunctionName)
  const zip = readPackage(input)
  if (input.DryRun === true) {
    await unpackZip(zip)
    return describeFunction({ name, ...found })
  }
  const codeSha256 = await lambda.code.save(scope, name, zip)
  const changed = await changeFunction(
    lambda,
    scope,
    input.FunctionName,
    (current) => ({ ...current, codeSha256, codeBytes: zip.length }),
    input.RevisionId,
  )
  await lambda.code.keepOnly(scope, name, codeSha256)
  return describeFunction(changed)
}
