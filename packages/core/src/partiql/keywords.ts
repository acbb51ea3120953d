/** The words of SQL-92 and PartiQL that can only be attribute names in double quotes. The parts of a date (YEAR and
 *  so on) need no quotes. */
export const keywords: ReadonlySet<string> = new Set(
  (
    'absolute action add all allocate alter any are as asc assertion at authorization avg bag begin bit bit_length ' +
    'blob bool boolean by cascade cascaded case cast catalog char char_length character character_length check clob ' +
    'close coalesce collate collation column commit connect connection constraint constraints continue convert ' +
    'corresponding count create cross current current_date current_time current_timestamp current_user cursor date ' +
    'deallocate dec decimal declare default deferrable deferred delete desc describe descriptor diagnostics ' +
    'disconnect distinct domain double drop else end escape exception exec execute exists external extract false ' +
    'fetch first float for foreign found from full get global go goto grant group having identity immediate index ' +
    'indicator initially inner input insensitive insert int integer interval into isolation join key language last ' +
    'left level limit list local lower match max min missing module names national natural nchar next no null nullif ' +
    'numeric octet_length of on only open option order outer output overlaps pad partial pivot position precision ' +
    'prepare preserve primary prior privileges procedure public read real references relative remove restrict revoke ' +
    'right rollback rows schema scroll section select session session_user set sexp size smallint some space sql ' +
    'sqlcode sqlerror sqlstate string struct substring sum symbol system_user table temporary then time timestamp to ' +
    'transaction translate translation trim true tuple unique unknown unpivot update upper usage user using value ' +
    'values varchar varying view when whenever where with work write zone'
  ).split(' '),
)

/** Words that stand between operands. */
export const wordOperators: ReadonlySet<string> = new Set(
  'and or not in is between like union except intersect'.split(' '),
)

/** Keywords that are the names of functions where a parenthesis follows. */
export const functionKeywords: ReadonlySet<string> = new Set(
  (
    'exists count avg max min sum substring char_length character_length octet_length bit_length upper lower size ' +
    'nullif coalesce sexp list bag'
  ).split(' '),
)
