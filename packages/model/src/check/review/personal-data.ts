import type { Finding } from '../finding.ts'
import { holesOf } from '../model-index.ts'
import type { ReviewContext } from './review-context.ts'

const personal =
  /^(e?mail|email_?address|phone|phone_?number|mobile|ssn|social_?security(_?number)?|passport(_?number)?|iban|credit_?card|card_?number|birth_?(day|date)|date_?of_?birth|first_?name|last_?name|full_?name|surname|street(_?address)?|home_?address|ip_?address|tax_?id|national_?id)$/i

/** Keys are in logs, metrics, error messages and cursors, and cannot be changed or encrypted. A guard is the exception: it must
 *  hold the value to keep it unique. */
export function reviewPersonalData(context: ReviewContext): Finding[] {
  const findings = new Map<string, Finding>()
  for (const place of context.model.places()) {
    for (const { entity, satellite, partition, sort } of context.model.kindsIn(place)) {
      if (satellite !== undefined) continue
      for (const template of [...partition, ...sort]) {
        const name = holesOf([template]).find((hole) => personal.test(hole))
        if (name === undefined) continue
        findings.set(`${entity.name} ${name}`, {
          code: 'personal-data-in-key',
          severity: 'warning',
          where: context.atEntity(entity),
          reason: `${name} looks like personal data and is part of the key '${template.text}'. Keys appear in logs, metrics, error messages and cursors, and DynamoDB does not encrypt them for you field by field. To change or erase the value, you must delete the item and write another.`,
          remedy: `Use an identifier in the key, and find it by ${name} with .unique('${name}') and p.lookup; or store a hash of ${name} in the key (.computed).`,
        })
      }
    }
  }
  return [...findings.values()]
}
