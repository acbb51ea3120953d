import { closestWord } from './closest-word.ts'

/** Node's error about flags, in one sentence of ours, with the flag that was probably meant. Its own message goes on
 *  to explain its parser. */
export function explainFlags(error: unknown, flags: Readonly<Record<string, unknown>>): string {
  const message = error instanceof Error ? error.message : String(error)
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
  if (unknown !== undefined) {
    const meant = closestWord(unknown.replace(/^-+/, ''), Object.keys(flags))
    return `There is no flag ${unknown}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`
  }
  const [, valueless] = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(message) ?? []
  if (valueless !== undefined) return `${valueless} needs a value.`
  const [, ambiguous] = /^Option '(?:-\w, )?(--[\w-]+)' argument is ambiguous/.exec(message) ?? []
  if (ambiguous !== undefined) {
    return `${ambiguous} needs a value. If the value starts with a dash, write ${ambiguous}=VALUE.`
  }
  const sentence = message.split(/\. |\n/, 1)[0] ?? message
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
