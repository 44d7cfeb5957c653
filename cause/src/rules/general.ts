import type { Rule } from './rule.ts'

/** Words in which programs speak of failures, from the plainest to the vaguest. */
export const general: readonly Rule[] = [
  {
    reason: 'gave up',
    weight: 84,
    pattern:
      /\b(?:gave|giving) up\b|\b(?:did not|didn't|never) (?:become|became|respond|start|come up|finish|get|reach)|\bstill (?:not|failing|unhealthy|unavailable)\b.{0,60}\bafter\b|\bfailed after \d+|\bafter \d+ (?:attempts|tries|retries)\b|\b(?:max(?:imum)?(?: number of)?|too many) (?:retries|attempts)\b/i,
  },
  {
    reason: 'error',
    weight: 78,
    pattern:
      /^\s*(?:\S{1,120}: ){0,3}(?:\w{1,20} ){0,2}\[?(?:error|fatal|fatal error|critical|ERR)\]?(?:\([^)]{0,80}\))?:[ \t]{0,20}[^\s|>]/i,
  },
  { reason: 'error', weight: 77, pattern: /^\s*\[? {0,4}(?:FATAL|CRITICAL|PANIC|EMERG) {0,4}\]? ?[:\-|>(]? ?\S/ },
  {
    reason: 'reason',
    weight: 74,
    pattern: /^\s*(?:Reason|Cause|Message|Error message|Details?|Failure(?: reason)?|Rule violated\b.{0,80})\s*: \S/,
  },
  { reason: 'error', weight: 78, pattern: /^[^:]{1,60}: (?:fatal )?error: \S/ },
  { reason: 'reason', weight: 78, pattern: /^\s*message: ['"]\S/ },
  { reason: 'goal', weight: 40, pattern: /\bFailed to execute goal \S+:\S+:/ },
  {
    reason: 'error',
    weight: 72,
    pattern: /^\s*[[(]? {0,4}(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|FAILURE|FAIL)\b {0,4}[\])]? ?[:\-|>]? ?\S/,
  },
  {
    reason: 'error',
    weight: 72,
    pattern:
      /^\[(?:error|fatal|critical|crit|panic|err|emerg|alert|severe)\] ?\S|^\w{1,40}\.(?:ERROR|CRITICAL|ALERT|EMERGENCY): \S/,
  },
  // Where the values stand in lines of their own, the sentence before them tells more.
  { reason: 'assertion', weight: 67, pattern: /^\s*(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|[Gg]ot|[Pp]assed in) ?:\s*$/ },
  {
    reason: 'assertion',
    weight: 70,
    pattern:
      /\bassert(?:ion)?\b.{0,60}\bfail|\bfailed asserting|^[#\s]*(?:got|but got|expected|received|actual|left|right|passed in) *:|^\s*(?:[Ee]xpected(?::? |$)|[Aa]ssert\w*\b)|[,;] (?:but |but we |we )?expected\b|\bexpected\b.{1,200}\b(?:got|but|received|actual|found|was)\b|\bgot\b.{1,200}\b(?:want|expected|but)\b|\bwant\b.{1,200}\b(?:got|have)\b|\b(?:did not|does not|is not|not) equal\b|\bto equal\b|^\s*\S{1,60}(?: \S{1,60}){0,3} !==? \S|\bis not (?:true|false|close)\b/i,
  },
  // Linters that nobody knows: a place in a file, and what is wrong there.
  {
    reason: 'place',
    weight: 66,
    ofPlaces: true,
    pattern:
      /^\s*[\w@./\\-]{1,200}\.\w{1,6}(?::\d+(?::\d+)?(?:-\d+)?(?::| -|) {1,3}(?!#\()|\(\d{1,7}(?:, ?\d{1,6})?\): )[^\s|]/,
  },
  // A row of a table: the line, and what is wrong there.
  { reason: 'row', weight: 60, ofPlaces: true, pattern: /^ {1,4}\d{1,6} {4,8}[A-Z]\S{0,60} \S.{8,}/ },
  {
    reason: 'words',
    weight: 58,
    pattern:
      /\b(?:is missing|is not exported|(?:does|do|did) not (?:exist|match|contain|have|define|support|satisfy|conform)|doesn't (?:exist|match|contain|have|satisfy)|don't match|not found|no such|cannot be (?:found|resolved|loaded|opened|read)|mismatch|refused|denied|forbidden|unauthorized|not allowed|is not (?:an?|in|used|known|unique|valid|allowed|defined|declared|supported|installed|available|reachable|set|up|formatted|signed|met|covered)|not met|unrecognized|unexpected|unsupported|is required|must (?:be|have|not)|not permitted|too (?:many|long|large|old|small|few|deep)|out of (?:range|sync|bounds)|not up[ -]to[ -]date|has changed|below (?:the )?(?:threshold|minimum)|exceeds?(?:ed)?\b|timed out|unreachable|violat(?:es|ed|ion)|conflicts?|already (?:exists|defined|in use|taken|declared)|no longer|incompatible|unsatisfi(?:ed|able)|not satisfied|expired|rejected|prohibited|undeclared|undefined (?:variable|method|function|name|reference|local|symbol|identifier)|unresolved|duplicate|ambiguous|unhandled|crashed|is locked|unknown (?:flag|option|argument|command|shorthand|field|key|property|variable|document|label|directive|target|parameter|word|host|type|identifier))\b/i,
  },
  {
    reason: 'words',
    weight: 55,
    pattern:
      /\b(?:error|failed|failure|fatal|exception)\b ?[:!-] \S|\b(?:cannot|can't|could ?n[o']t|unable to|failed to|failure to|failed with|invalid|missing|aborted?|aborting|terminated|should (?:be|have|equal|not))\b/i,
  },
  {
    reason: 'words',
    weight: 36,
    pattern:
      /(?<![\w./\\-])(?:error|errors|failed|failure|fails|failing|fatal|exception|incorrect|wrong|broken|bad|corrupt(?:ed)?|needs?|differs|out of date)(?![\w./\\(=-])/i,
  },
  {
    reason: 'difference',
    weight: 50,
    pattern: /^diff --git |^Only in \S|^(?:Files|Binary files) \S{1,300} and \S{1,300} differ|\bdiffers?\b/,
  },
  {
    reason: 'exit',
    weight: 20,
    pattern:
      /(?<![\w./\\-])(?:denied|killed|abort|unknown|undefined|unused|unresolved|illegal|deadlock|leak)(?![./\\(=])/i,
  },
]
