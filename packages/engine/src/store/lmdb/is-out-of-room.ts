/** Whether a write failed because the disk, a quota or a limit on the size of files leaves no room. LMDB says it in words. */
export function isOutOfRoom(cause: unknown): boolean {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return /ENOSPC|EDQUOT|EFBIG|No space left|File too large|quota/i.test(reason)
}
