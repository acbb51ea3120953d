/** Whether a write failed because the disk, a quota or a limit on file sizes leaves no room. LMDB only says so in its
 *  message. */
export function isOutOfRoom(cause: unknown): boolean {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return /ENOSPC|EDQUOT|EFBIG|No space left|File too large|quota/i.test(reason)
}
