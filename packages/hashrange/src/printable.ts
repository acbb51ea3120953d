/** Keys are whatever clients send: what would move the cursor, change its colours or turn the direction of the line is shown
 *  as a dot. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are the characters that must not reach the terminal
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '·')
}
