import type { Rule } from './rule.ts'

/** Words with which programs report failures, from specific to vague. */
export const general: readonly Rule[] = [
  // A letter or mark before each line of the message, and the exception there:
  // `E   KeyError: 'total'`.
  {
    reason: 'exception',
    weight: 86,
    pattern:
      /^\s*(?:[A-Z]\s{2,20}|[!>|*]{1,3}\s{1,20})(?:[a-z_][\w$]{0,60}[.:]{1,2}){0,12}[A-Z][\w$]{0,80}(?:Error|Exception|Failure|Fault|NotFound|DoesNotExist)(?:: .{0,400}\S|$)/,
  },
  {
    reason: 'gave up',
    weight: 84,
    pattern:
      /\b(?:gave|giving) up\b|\b(?:did not|didn't|never) (?:become|became|respond|start|c[oa]me up|finish|g[eo]t|reach|answer|appear|turn(?:ed)? up)|\bstill (?:not|failing|unhealthy|unavailable)\b.{0,60}\bafter\b|\bfailed after \d+|\bafter \d+ (?:attempts|tries|retries)\b|\b(?:max(?:imum)?(?: number of)?|too many) (?:retries|attempts)\b/i,
  },
  {
    reason: 'error',
    weight: 78,
    pattern:
      /^\s*(?:\S{1,120}: ){0,3}(?:\w{1,20} ){0,2}\[?(?:error|fatal|fatal error|critical|ERR)\]?(?:\([^)]{0,80}\)| ?\[[\w.-]{1,60}\]| [A-Z]{1,8}-?\d{1,6})?:[ \t]{0,20}[^\s|>]/i,
  },
  { reason: 'error', weight: 77, pattern: /^\s*\[? {0,4}(?:FATAL|CRITICAL|PANIC|EMERG) {0,4}\]? ?[:\-|>(]? ?\S/ },
  { reason: 'reason', weight: 82, pattern: /^\s*(?:Error )?[Mm]essage\s*: \S/ },
  {
    reason: 'reason',
    weight: 78,
    pattern: /^\s*(?:Reason|Cause|Details?|Failure(?: reason)?|>> Issue|Rule violated\b.{0,80})\s*: \S/,
  },
  { reason: 'error', weight: 78, pattern: /^[^:]{1,60}: (?:fatal )?error: \S/ },
  {
    reason: 'reason',
    weight: 78,
    pattern:
      /^\s*message: \S|^\s*"(?:message|error|errorMessage|reason|detail)": ?"[^"]|^\s*['"]?(?:problem|issue|failure|violation|why)['"]?: ?(?:"[^"]{8}|'[^']{8})/,
  },
  // The same with a log level: `[ERROR] /src/Main.java:[2,78] message`.
  {
    reason: 'place',
    weight: 76,
    ofPlaces: true,
    pattern:
      /^\W{0,3}(?:ERROR|error|E)\b\W{1,4}[\w@./\\-]{1,200}\.\w{1,6}(?::\[?|\()\d{1,7}[:,] ?\d{1,6}[\])]?:? {1,3}\S{1,200}\s+\S/,
  },
  { reason: 'error', weight: 78, pattern: /^\s*(?:error|fatal)\s{1,8}\[[\w/@-]{2,60}\]:? \S/i },
  { reason: 'goal', weight: 40, pattern: /\bFailed to execute goal \S+:\S+:/ },
  {
    reason: 'error',
    weight: 72,
    pattern:
      /^\s*[[(]? {0,4}(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|ALERT|EMERGENCY|FAILURE|FAIL)\b {0,4}[\])]? ?[:\-|>]? ?\S/,
  },
  {
    reason: 'error',
    weight: 72,
    pattern:
      /^\[(?:error|fatal|critical|crit|panic|err|emerg|alert|severe)\] ?\S|^\w{1,40}\.(?:ERROR|CRITICAL|ALERT|EMERGENCY): \S/,
  },
  // If the values are on lines of their own, the sentence before them is more relevant.
  { reason: 'assertion', weight: 67, pattern: /^\s*(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|[Gg]ot|[Pp]assed in) ?:\s*$/ },
  {
    reason: 'assertion',
    weight: 70,
    pattern:
      /\bassert(?:ion)?\b.{0,60}\bfail|\bfailed asserting|^[#\s]*(?:got|but got|expected|received|actual|left|right|passed in) *:|^\s*(?:[Ee]xpected(?::? |$)|[Aa]ssert\w*\b)|[,;] (?:but |but we |we )?expected\b|\bexpected\b.{1,200}\b(?:got|but|received|actual|found|was)\b|\bgot\b.{1,200}\b(?:want|expected|but)\b|\bwant\b.{1,200}\b(?:got|have)\b|\b(?:is|was|are|were|has|have|got)\b.{1,200}\b(?:wanted|should (?:be|have))\b|\bshould (?:be|have been)\b.{1,100}\b(?:but|is|was|got)\b|\b(?:did not|does not|is not|not) equal\b|\bto equal\b|^\s*\S{1,60}(?: \S{1,60}){0,3} !==? \S|\bis not (?:true|false|close)\b/i,
  },
  // Unknown linters: a file position with a message.
  {
    reason: 'place',
    weight: 66,
    ofPlaces: true,
    pattern:
      /^\s*[\w@./\\-]{1,200}\.\w{1,6}(?::\d+(?::\d+)?(?:-\d+)?(?::| -|) {1,3}(?!#\()|\(\d{1,7}(?:, ?\d{1,6})?\): )(?!in \S+$)[^\s|]\S{0,200}\s+\S/,
  },
  // A row of a table: the line number and the message.
  { reason: 'row', weight: 60, ofPlaces: true, pattern: /^ {1,4}\d{1,6} {4,8}[A-Z]\S{0,60} \S.{8,}/ },
  {
    reason: 'words',
    weight: 58,
    pattern:
      /\b(?:is missing|is not exported|(?:does|do|did) not (?:exist|match|contain|have|define|support|satisfy|conform)|doesn't (?:exist|match|contain|have|satisfy)|don't match|not found|no such|no match(?:es|ing)?\b|no valid\b|cannot be (?:found|resolved|loaded|opened|read)|mismatch|refused|denied|forbidden|unauthorized|not allowed|is not (?:an?|in|used|known|unique|valid|allowed|defined|declared|supported|installed|available|reachable|set|up|healthy|ready|running|responding|alive|formatted|signed|met|covered)|not met|unrecognized|unexpected|unsupported|is required|must (?:be|have|not)|not permitted|too (?:many|long|large|old|small|few|deep)|out of (?:range|sync|bounds)|not up[ -]to[ -]date|are not (?:formatted|sorted|signed|in sync|covered|allowed|installed|defined|set)|would be (?:reformatted|changed|fixed|updated|removed|overwritten)|don't know|has changed|below (?:the )?(?:threshold|minimum)|exceeds?(?:ed)?\b|(?:over|above|beyond|under|below) (?:the|its|their|our) (?:\w+ )?(?:limit|budget|threshold|maximum|minimum|quota|target)|over budget|too slow|timed out|unreachable|violat(?:es|ed|ion)|conflicts?|already (?:exists|defined|in use|taken|declared)|no longer|incompatible|unsatisfi(?:ed|able)|not satisfied|expired|rejected|prohibited|undeclared|undefined (?:variable|method|function|name|reference|local|symbol|identifier)|unresolved|duplicate|ambiguous|unhandled|crashed|is locked|unknown (?:flag|option|argument|command|shorthand|field|key|property|variable|document|label|directive|target|parameter|word|host|type|identifier))\b/i,
  },
  {
    reason: 'words',
    weight: 55,
    pattern:
      /\b(?:error|failed|failure|fatal|exception)\b ?[:!-] \S|\b(?:can ?not|can't|could ?n[o']t|unable to|failed to|failure to|failed with|invalid|missing|aborted?|aborting|terminated|should (?:be|have|equal|not))\b/i,
  },
  {
    reason: 'words',
    weight: 36,
    pattern:
      /(?<![\w./\\-])(?:error|errors|failed|failure|fails|failing|fatal|exception|incorrect|wrong|broken|bad|corrupt(?:ed)?|needs?|out of date)(?![\w./\\(=-])/i,
  },
  { reason: 'verdict', weight: 62, pattern: /^\s*fail(?:ed)?:? {1,8}[^\s:]{1,200}: \S.{3,}/ },
  // The verdict is before a row.
  {
    reason: 'verdict',
    weight: 62,
    pattern:
      /^\s*(?:OVER|BAD|NOT OK|MISSING|INVALID|EXCEEDED|BROKEN|STALE|DIRTY|OUTDATED|EXPIRED|UNHEALTHY|DOWN|WRONG|NO|LATE|SLOW)\b:? {1,12}(?![A-Z]{2})\S/,
  },
  // The verdict is at the end of a row.
  {
    reason: 'verdict',
    weight: 56,
    pattern:
      /\S {1,40}(?:OVER|BAD|FAIL|NOT OK|MISSING|INVALID|EXCEEDED|TOO (?:BIG|LARGE|LONG|SLOW)|BROKEN|STALE|DIRTY|OUTDATED|EXPIRED|UNHEALTHY|DOWN)[.!]?$/,
  },
  {
    reason: 'difference',
    weight: 50,
    pattern:
      /^diff (?:--git )?[^-\s]\S* \S+$|^Only in \S|^(?:Files|Binary files) \S{1,300} and \S{1,300} differ|\bdiffers?\b/,
  },
  {
    reason: 'exit',
    weight: 20,
    pattern:
      /(?<![\w./\\-])(?:denied|killed|abort|unknown|undefined|unused|unresolved|illegal|deadlock|leak)(?![./\\(=])/i,
  },
]
