/**
 * What tools say when they fail. Each row: what kind of line it is, how much it tells (0 to 100), and its pattern, on the line as
 * it is read. The first row that matches counts. Summaries ("2 failed", "Error 1") tell that something failed, not what.
 */

export interface Rule {
  /** Which tool says so, or what it is about; shown to nobody but in tests. */
  reason: string
  weight: number
  pattern: RegExp
  /** What stands in so many lines behind it is about a failure. */
  opens?: number
  /** The next line that says anything is worth this, if no row says more of it. */
  next?: number
  /** That line is the first that is not indented (Python's traces). */
  dedent?: boolean
}

/** The words that lead to a pattern; four letters of each are enough. */
export const words = (
  "erro|err!|fail|fata|exce|pani|trac|caus|cann|can'|coul|unab|not |no s|unde|unre|miss|deni|refu|reje|time|kill|oomk|memo|segm|" +
  'core|inva|unex|expe|asse|unkn|unsu|ille|conf|forb|unau|sign|leak|mism|corr|viol|over|divi|dead|perm|synt|unte|unbo|too |' +
  'must|requ|abor|e   |--- |.go:|got |want|inco|unus|sibl|race|diff|woul|no m|no l|no t|no p|no r|no v|no c|stop|term|wron|brok|' +
  'does|already|dupl|multi|ambi|unte|impo|faul|unre|leng|larg|full|busy|bad |oom |ing:|crit|seve|emer|susp|sigs|siga|sigk|what|' +
  'outs|out |undo|resol|recu|stac|null|nil |chec|vali|cove|thre|vuln|unsa|reformat|trai|whit|unre|shou|actu|line|warn|no n|n ex|fixa|sc20|sc10|sc21|sc11|dl30'
).split('|')

/** Says "error" of something that went well, or shows somebody's source. */
export const harmless =
  /\b(?:0|no|zero|without)(?: \w{1,20})? (?:errors?|failures?|failed|problems?)\b|\bfailed[:=] ?0\b|\b(?:errors?|failures?|fail)[:=]? 0\b|^ *(?:ok|PASS|PASSED|[✓✔√])(?:\s|$)|^ *(?:\d+ *)?\| |^[ >]*\d+ *\||^[ |]*[\^~][\^~ -]*$|^ *[iℹⓘ] |\.{3} ?ok$|[:\s]ok$|\bPASS(?:ED)?$|^ *at [\w$.<[]|^ *(?:note|help|hint|info|debug|trace|npm verb(?:ose)?|npm info|npm http|npm sill)\b|^ *-- |\bshould panic \.\.\. ok/i

/** The line speaks of a failure that somebody was ready for. */
export const soft =
  /(?<!timed out )\bretry|\bretries\b|\battempt\b|\bexpected by|\bis expected|\bas expected|\bignor|\bwarn|\bdeprecat|\bnon-fatal|\bnot fatal|\bcontinu|\bskip|\boptional\b|\(allowed\)|\ballowed to fail|\bfall(?:ing)? ?back|\bif\b.{1,80}\bfail|\b(?:DEBUG|INFO|VERBOSE|TRACE|NOTICE)\b|\bhandled\b|\brecover(?:ed|ing)\b(?!,)|\bsimulat|\bdeliberate|\bmock/i

/** What stands before a line and is not the tool's: moments, names of containers, frames, marks of other systems. */
export const prefix =
  /^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?[.,\dZ+-]{0,16}\]?\s+|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s+|#\d+ (?:\d+\.\d+ )?|\[\d+(?:\/\d+)?\]\s+|\[!\] |[A-Za-z][\w.-]{0,60} +\| |[│|╷╵] ?|##\[error\]|::error[^:]{0,200}::)/

const sums: readonly Rule[] = [
  // What only sums up.
  {
    reason: 'summary',
    weight: 14,
    pattern:
      /^npm (?:ERR!|error) (?:A complete log|code (?:ELIFECYCLE|\d)|errno|Failed at|This is probably|Lifecycle|command |path |workspace |location |signal|Exit status|Test failed|Error: command failed)|^make(?:\[\d+\])?: \*\*\* \[|\bError \d+(?: \(ignored\))?$|^ninja: build stopped|^error: (?:could not compile|test failed|aborting due|build failed|\d+ )|^error Command failed|\bBUILD FAILED|\bBUILD FAILURE|^FAILED \(|^ *(?:Tests?|Test Files|Test Suites|Suites|Snapshots?|Failures?|Errors?):? +\d|^Found \d+ (?:errors?|problems?)|\bexit(?:ed)?(?: with)?(?: exit)? (?:code|status|value)\b|^ *(?:[✖✗×] )?\d+ (?:\w{1,20} )?(?:failed|errors?|failing|failures?|problems?)\b|^(?:FAIL|FAILED|ERROR|Failed|Error)[:!.]?$|^test result: FAILED|^collect2: error|ld returned \d+ exit|linker command failed|non-zero exit|nonzero exit|returned non-zero|^\S{0,60}: Exiting with failure|exiting now$|^={3}|^-{3,}|^\*{3,} |^SUMMARY: |^Error: Process completed|^# fail \d|^ℹ fail \d|^FAILURES?(?:!|: )|^There (?:was|were) \d|\b[Ff]ailed with \d+ errors?\b|^\[ERROR\] (?:To see|Re-run|For more|After correcting|$|-> \[|\[Help)|There were (?:failing|test) |; see the compiler error|^ *\d+%? tests? passed, \d+|^Errors while running|^FAIL\t\S|^FAIL \S+ \[build failed\]|^error: failed to push some refs|ELIFECYCLE|^Command failed\b|^Unable to complete/,
  },
]

const opening: readonly Rule[] = [
  {
    reason: 'trace',
    weight: 20,
    pattern: /^\s*(?:\w[\w .|+-]{0,40})?Traceback \(most recent call last\)/,
    next: 88,
    dedent: true,
  },
  { reason: 'rust', weight: 90, pattern: /^thread '[^']{0,200}' .{0,40}panicked at/, opens: 3 },
  { reason: 'cmake', weight: 90, pattern: /^CMake Error\b/, opens: 4 },
  { reason: 'gradle', weight: 30, pattern: /^\* What went wrong:/, next: 86, opens: 6 },
  { reason: 'gradle', weight: 44, pattern: /^Execution failed for task /, next: 70 },
  { reason: 'yaml', weight: 20, pattern: /^ *(?:error|message): [|>]-?$/, next: 80 },
  { reason: 'dotnet', weight: 40, pattern: /^\s*Error Message:$/, next: 86 },
  { reason: 'gtest', weight: 78, pattern: /^\S{1,300}:\d+: (?:Failure|FAILED:?)$/, next: 84, opens: 4 },
  { reason: 'expect', weight: 86, pattern: /^\s*(?:Error: )?expect\(/ },
  {
    reason: 'heading',
    weight: 30,
    pattern: /^\s*(?:error during build|Error|ERROR|Failed to compile|Build failed|Compilation failed)[:.]?$/,
    next: 84,
  },
  { reason: 'rspec', weight: 84, pattern: /^\s*Failure\/Error: /, opens: 4 },
  {
    reason: 'test',
    weight: 62,
    pattern:
      /^\S.{1,200} > .{1,200} FAILED$|^\s*(?:--- FAIL|not ok \d|FAIL(?:ED)?:? +\S|[✖✕✗✘●⨯❌] {0,4}\S|× \S|\d+\) \S|_{4,} .{1,200} _{4,}$|\[ {1,3}FAILED {1,3}\] \S|---- .{1,200} stdout ----|(?:FAIL|ERROR): \w+ \()|\*{3}(?:Failed|Exception|Timeout)|<<< (?:FAILURE|ERROR)!|^test .{1,200} \.\.\. FAILED$|^ERROR:? (?:at|collecting) /,
    opens: 12,
  },
]

const diagnoses: readonly Rule[] = [
  {
    reason: 'compiler',
    weight: 92,
    pattern:
      /^\s*(?:\[\w+\] |e: |ERROR in )?(?:file:\/\/)?(?:[A-Za-z]:)?[^\s:()[\]]{1,300}(?:\(\d+(?:,\d+){0,3}\)|:\[?\d+(?:[:,]\d+\]?)?(?:-\d+(?::\d+)?)?)\]?:? ?-? ?(?:fatal |syntax |internal compiler |runtime |parse )?error\b(?: ?[A-Z]+\d+)?(?:\(\S{1,60}\))?(?:\[[^\]]{0,60}\])?: ?\S/i,
  },
  {
    reason: 'linker',
    weight: 91,
    pattern:
      /\bundefined reference to\b|\bmultiple definition of\b|\bcannot find -l|^Undefined symbols? |\bundefined symbol:|\bsymbol\(s\) not found|: undefined: /,
  },
  { reason: 'kotlin', weight: 91, pattern: /^e: (?:file:\/\/)?\/?\S{1,300}:? ?\(?\d+[:,] ?\d+\)?:? \S/ },
  { reason: 'rustc', weight: 91, pattern: /^error\[[A-Z]\d{4}\]: / },
  { reason: 'maven', weight: 90, pattern: /^\[ERROR\] \S{1,300}:\[\d+,\d+\] / },
  {
    reason: 'java',
    weight: 90,
    pattern: /^\S{1,300}\.(?:java|kt|scala|groovy|cs|swift|vb|fs):\d+(?::\d+)?: (?:error|e): /,
  },
  { reason: 'go', weight: 90, pattern: /^(?:vet: |# )?(?:\.\/)?\S{1,300}\.go:\d+:\d+: \S/ },
  {
    reason: 'sanitizer',
    weight: 92,
    pattern:
      /\bERROR: (?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer|\bruntime error: |^(?:==\d+==)?WARNING: (?:DATA RACE|ThreadSanitizer)|^==\d+== (?:Invalid (?:read|write|free)|Conditional jump|Use of uninit|Process terminating|Mismatched free)/,
  },
  { reason: 'valgrind', weight: 84, pattern: /^==\d+== .{0,80}(?:definitely|indirectly) lost/ },
  { reason: 'pytest', weight: 90, pattern: /^E {3,}(?! |\+|where|\^|[-?] )\S/ },
  {
    reason: 'panic',
    weight: 90,
    pattern:
      /^(?:panic: |fatal error: (?!\S+\.h)|runtime: )|\bpanicked at\b|^\*\* \(\w+|\bterminate called\b|^\s*what\(\): |Assertion [`'"(].{1,300} failed|\bassertion failed:|^Unhandled exception|^\s*(?:\w+ )?Uncaught\b|^PHP (?:Fatal|Parse) error|^(?:Fatal|Parse) error: /,
  },
  {
    reason: 'memory',
    weight: 89,
    pattern:
      /\bOOMKilled\b|\bout of memory\b|JavaScript heap|\bcannot allocate memory\b|\bno space left on device\b|\bOutOfMemoryError\b|\bstack overflow\b/i,
  },
  {
    reason: 'signal',
    weight: 76,
    pattern:
      /^Killed\b|: Killed\b|\d Killed\b|\bSegmentation fault\b|\bcore dumped\b|\bBus error\b|\bIllegal instruction\b|\bAborted\b(?:$| \()|^Terminated\b/i,
  },
  {
    reason: 'exception',
    weight: 86,
    pattern:
      /^\s*(?:Caused by: |Exception in thread "[^"]{0,100}" |\[\w+\] |Error: )?(?:[a-z_][\w$]{0,60}[.:]{1,2}){0,12}[A-Z][\w$]{0,80}(?:Error|Exception|Failure|Fault|Interrupt|Exit|Violation|Timeout|NotFound|DoesNotExist|Refused|Failed)(?: \[\w+\])?(?: \(\w[^)]{0,80}\))?(?:: .{0,400}\S| at \S{1,100}:\d+$|$)/,
  },
  {
    reason: 'exception',
    weight: 84,
    pattern:
      /^[^\s:]{1,300}\.rb:\d+:in .{1,200}\((?:\w|::){1,100}\)$|^(?:[a-z_]\w{0,60}\.){1,8}[A-Z]\w{2,80}: \S|^[^#\s].{2,400} at \S{1,200} line \d+\.?$|^Error in \S|^ERROR: LoadError|^lua\S{0,20}: \S/,
  },
  {
    reason: 'git',
    weight: 87,
    pattern:
      /^fatal: |^CONFLICT \(|^ ! \[\w|^error: (?:pathspec|patch failed|Your local changes|cannot|unable|src refspec|object|The following)|^remote: (?:error|fatal|Permission|Repository not found)|^Host key verification failed|^\S{0,60}Permission denied \(|^ssh: /,
  },
  {
    reason: 'shell',
    weight: 87,
    pattern:
      /: (?:command )?not found$|: No such file or directory$|: Permission denied$|: (?:unbound variable|parameter not set|bad substitution|Is a directory|Not a directory|File exists|Argument list too long|Exec format error|Read-only file system|Operation not permitted|Device or resource busy|Text file busy|cannot execute\b.{0,60}|Too many open files|Broken pipe|Directory not empty|cannot overwrite\b.{0,100}|numeric argument required|integer expression expected|unary operator expected|illegal number:.{0,60}|bad interpreter\b.{0,80})$|[Ss]yntax error(?::| near| at)|unexpected (?:end of file|EOF|token)|^(?:\w+: )?cannot \w+ '|: cannot (?:access|stat|open|create|remove|touch|copy|move)\b/,
  },
  {
    reason: 'time-out',
    weight: 88,
    pattern:
      /^timeout: sending signal|^\s*(?:error: )?'?(?:[Tt]est|[Hh]ook|[Cc]ommand|[Jj]ob|[Ss]tep|[Tt]ask|[Bb]uild|[Oo]peration|[Pp]rocess|[Tt]imeout|[Ee]xceeded|TIMEOUT)\b.{0,120}(?:timed out|time-?out|[Tt]imeout of|exceeded)/,
  },
  {
    reason: 'make',
    weight: 88,
    pattern:
      /^make(?:\[\d+\])?: (?:\*\*\* (?!\[)|\S{1,300}: (?:No such|Permission|Command))|^\S{1,300}:\d+: \*\*\* |^ninja: error: |^configure: error: |: ERROR: |No rule to make target/,
  },
  {
    reason: 'network',
    weight: 86,
    pattern:
      /^(?:curl|wget|ssh|scp|rsync|psql|mysql|redis-cli|kubectl|helm|jq|tar|unzip|gzip|sed|awk|grep|find|cp|mv|rm|ln|mkdir|chmod|chown|install|docker|apt(?:-get)?|dpkg|yum|dnf|apk|pip3?|python3?|node|ruby|perl|php|java|aws|gcloud|az|terraform|ansible|systemctl|sudo|su|xargs|env|exec|sort|diff|cmp|test|dd|mount|base64|openssl|gpg|ssh-keygen|bash|sh|zsh|cat|head|tail|date|touch|timeout|sha\d+sum|md5sum): (?:\(\d+\) |error: |fatal: |ERROR:? |line \d+: |\d+: )?\S.{2,}/,
  },
  {
    reason: 'checksum',
    weight: 86,
    pattern:
      /^\S{1,300}: FAILED(?: open or read)?$|\bWARNING: \d+ computed checksum|checksum mismatch|hash mismatch|integrity check/i,
  },
  {
    reason: 'container',
    weight: 87,
    pattern:
      /^ERROR: (?:failed to (?:solve|build)|process "|Service|for )|^Error response from daemon|^Cannot connect to the Docker daemon|\bmanifest (?:unknown|for)\b|^Error from server|pull access denied|^docker: |^The connection to the server/,
  },
  {
    reason: 'linter',
    weight: 86,
    pattern:
      /^\s*\S{1,300}:\d+(?::\d+)?:? +(?:\[?[A-Z]{1,5}\d{2,5}\b|[CEFRW]: |error\b|[\w-]+ DL\d)|^\s+\d+:\d+\s+(?:error|✖|×)\s|^[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S|^would reformat \S|^\[warn\] \S{1,300}\.\w{1,8}$|\bSC\d{4} \((?:error|warning|info|style)\)|^Diff in |^\S{1,300}: (?:needs formatting|not formatted)|^ERROR: \S{1,300} Imports are/,
  },
  { reason: 'linter', weight: 60, pattern: /^In \S{1,200} line \d+:/ },
  { reason: 'code', weight: 82, pattern: /^\[(?!INFO|DEBUG|WARN|ERROR|NOTICE|TRACE|FATAL)[A-Z][A-Z_]{4,40}\] \S/ },
  {
    reason: 'npm',
    weight: 60,
    pattern:
      /^npm (?:ERR!|error) (?:code |\d{3}$|$)|^npm (?:ERR!|error) (?:syscall|dest|file|stack|gyp info|cwd|node -v|Node|npm|OS|argv)\b/,
  },
  {
    reason: 'npm',
    weight: 82,
    pattern:
      /^npm (?:ERR!|error) \S|^\s*ERR_PNPM_|^➤ YN\d{4}: │ Error|^error (?:Couldn't|An unexpected|Your lockfile|Package|Incorrect|No license|Found incompatible)/,
  },
  {
    reason: 'pip',
    weight: 89,
    pattern: /^ERROR: (?:Could not find|No matching|Cannot install|ResolutionImpossible|Invalid requirement)/,
  },
  {
    reason: 'packages',
    weight: 84,
    pattern:
      /\bE: (?:Unable|Package|Could|Failed|The|Version|Some)|unable to select packages|No match for argument|Could not (?:resolve|find|GET)\b|could not be resolved|no required module|No matching version|no matching package|Could not resolve dependencies|go: .{1,200}: (?:not found|invalid|unknown|reading|module|no)|conflicting dependencies/,
  },
]

const general: readonly Rule[] = [
  { reason: 'go test', weight: 72, pattern: /^\s+\S{1,200}_test\.go:\d+: \S/ },
  {
    reason: 'error',
    weight: 78,
    pattern:
      /^\s*(?:\S{1,120}: ){0,3}(?:\w{1,20} ){0,2}\[?(?:error|fatal|fatal error|critical|ERR)\]?(?:\([^)]{0,80}\))?:[ \t]{0,20}[^\s|>]/i,
  },
  { reason: 'error', weight: 77, pattern: /^\s*\[?(?:FATAL|CRITICAL|PANIC|EMERG)\]? ?[:\-|>(]? ?\S/ },
  { reason: 'goal', weight: 40, pattern: /\bFailed to execute goal \S+:\S+:/ },
  {
    reason: 'error',
    weight: 72,
    pattern: /^\s*\[?(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|FAILURE|FAIL)\]? ?[:\-|>]? ?\S/,
  },
  {
    reason: 'assertion',
    weight: 70,
    pattern:
      /\bassert(?:ion)?\b.{0,60}\bfail|\bfailed asserting|^[#\s]*(?:got|expected|received|actual|left|right) *:|^\s*(?:[Ee]xpected:? |[Aa]ssert\w*\b)|[,;] (?:but |but we |we )?expected\b|\bexpected\b.{1,200}\b(?:got|but|received|actual|found|was)\b|\bgot\b.{1,200}\b(?:want|expected|but)\b|\bwant\b.{1,200}\bgot\b|\bshould (?:be|have|equal|not)\b/i,
  },
  {
    reason: 'words',
    weight: 58,
    pattern:
      /\b(?:is missing|is not exported|does not (?:exist|match)|doesn't exist|not found|no such|cannot be (?:found|resolved|loaded|opened|read)|mismatch|refused|denied|forbidden|unauthorized|not allowed|is not (?:a|valid|allowed|defined|supported|installed)|unrecognized|unexpected|unsupported|is required|must (?:be|have|not)|not permitted|too (?:many|long|large|old|small|few)|out of date|not up[ -]to[ -]date|has changed|below (?:the )?threshold|timed out|unreachable|violat(?:es|ed|ion)|conflict)\b/i,
  },
  {
    reason: 'words',
    weight: 55,
    pattern:
      /\b(?:error|failed|failure|fatal|exception)\b ?[:!-] \S|\b(?:cannot|can't|could ?n[o']t|unable to|failed to|failure to|failed with|invalid|missing|aborted?|aborting|terminated)\b/i,
  },
  {
    reason: 'words',
    weight: 36,
    pattern:
      /(?<![\w./\\-])(?:error|errors|failed|failure|fails|failing|fatal|exception|incorrect|wrong|broken|bad|corrupt(?:ed)?)(?![\w./\\(=-])/i,
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

export const rules: readonly Rule[] = [...opening, ...sums, ...diagnoses, ...general]

export interface Ruled {
  rule: Rule
  reason: string
  weight: number
}

/** How much a line tells that speaks of a failure as of something foreseen. */
const softened = 32

/** What kind of line this is, if it is any. */
export const ruleOf = (line: string): Ruled | undefined => {
  let text = line
  for (let stripped = text.replace(prefix, ''), times = 0; stripped !== text && times < 3; times++) {
    text = stripped
    stripped = text.replace(prefix, '')
  }
  if (harmless.test(text)) return undefined
  const rule = rules.find(({ pattern }) => pattern.test(text))
  if (!rule) return undefined
  const isSoft = rule.opens === undefined && rule.weight < 90 && soft.test(text)
  return { rule, reason: rule.reason, weight: isSoft ? Math.max(1, rule.weight - softened) : rule.weight }
}
