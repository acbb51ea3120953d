import type { KeyPartDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import type { ReviewContext } from './review-context.ts'
import { wordsOf } from './words-of.ts'

/** By the last words of a name, written `email_address`: `subscriberEmail` is one as well. */
const personal =
  /(^|_)(e?mail|e?mail_?address|phone|phone_?number|mobile|ssn|social_?security(_?number)?|passport(_?number)?|iban|credit_?card|card_?number|birth_?(day|date)|date_?of_?birth|(first|last|full|given|family)_?name|surname|street(_?address)?|(home|postal)_?address|ip_?address|tax_?id|national_?id|(license|licence|number)_?plate)$/

/** Keys are in logs, metrics, error messages and cursors, and cannot be changed or encrypted. A guard is the exception: it must
 *  hold the value to keep it unique. */
export function reviewPersonalData(context: ReviewContext): Finding[] {
  const findings = new Map<string, Finding>()
  for (const place of context.model.places()) {
    for (const { entity, satellite, partition, sort } of context.model.kindsIn(place)) {
      if (satellite !== undefined) continue
      for (const template of [...partition, ...sort]) {
        const name = template.parts.flatMap((part) => (isReadable(part) ? [part.attribute] : [])).find(isPersonal)
        if (name === undefined) continue
        findings.set(`${entity.name} ${name}`, {
          code: 'personal-data-in-key',
          severity: 'warning',
          where: context.atEntity(entity),
          reason: `${name} looks like personal data and is part of the key '${template.text}'. Keys appear in logs, metrics, error messages and cursors, and DynamoDB does not encrypt them for you field by field. To change or erase the value, you must delete the item and write another.`,
          remedy: `Use an identifier in the key, and find it by ${name} with .unique('${name}') and p.lookup; or store a hash of it in the key ({${name}:hash}).`,
        })
      }
    }
  }
  return [...findings.values()]
}

/** A hash in a key tells nobody what it was made of. */
function isReadable(part: KeyPartDescription): part is Extract<KeyPartDescription, { kind: 'hole' }> {
  return part.kind === 'hole' && part.format.kind !== 'hash' && part.format.kind !== 'bucket'
}

function isPersonal(name: string): boolean {
  return personal.test(wordsOf(name))
}
