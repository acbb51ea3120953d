/** Keys are whatever clients send: characters that would move the cursor, change colours or reverse the direction of
 *  the line are shown as dots. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are the characters that must not reach the terminal
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '·')
}
