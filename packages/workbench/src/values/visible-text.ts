/** Text in one line in which everything can be seen: line breaks, tabs, other control characters, and characters without a
 *  width, which can also turn the order of what follows them around. Two keys that differ look different. */
export function visibleText(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (character === '\n') return '↵'
    if (character === '\t') return '⇥'
    // Unicode has a picture of each.
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '␡'
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** Joiners (U+200C, U+200D) are left alone: scripts and emoji need them. */
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
