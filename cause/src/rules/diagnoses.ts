import type { Rule } from './rule.ts'

/** Formats of diagnoses that many tools share. */
export const diagnoses: readonly Rule[] = [
  // The message of a Go test, or only a note.
  {
    reason: 'go test',
    weight: 79,
    pattern:
      /^\s+\S{1,200}_test\.go:\d+: .{0,400}(?:\b(?:want|got|expect|should|must|not|no|never|fail|err|error|unexpected|invalid|wrong|missing|cannot|unable|mismatch|differ|timed? ?out|refused|denied|nil|too)|n't|!=|[<>=]=)/i,
  },
  { reason: 'go test', weight: 75, pattern: /^\s+\S{1,200}_test\.go:\d+: \S/ },
  {
    reason: 'compiler',
    weight: 92,
    pattern:
      /^\s*(?:\[\w+\] |e: |ERROR in )?(?:file:\/\/)?(?:[A-Za-z]:)?[^\s:()[\]]{1,300}(?:\(\d+(?:,\d+){0,3}\)|:\[?\d+(?:[:,]\d+\]?)?(?:-\d+(?::\d+)?)?)\]?:? ?-? ?(?:fatal |syntax |internal compiler |runtime |parse )?error\b(?: ?[A-Z]+\d+)?(?:\(\S{1,60}\))?(?:\[[^\]]{0,60}\])?: ?\S/i,
  },
  // `file:line:name of the test:FAIL: message`.
  {
    reason: 'unit',
    weight: 84,
    ofPlaces: true,
    pattern: /^\s*[^\s:]{1,300}:\d+:[^\s:]{1,200}: ?(?:FAIL|ERROR)(?:ED)?: ?\S/,
  },
  {
    reason: 'panic',
    weight: 90,
    pattern:
      /^(?:panic: |#\s+SIG[A-Z]{2,6} \(|fatal error: (?!\S+\.h)|runtime: )|\bpanicked at\b(?! \S{1,300}:\d+:\d+:$)|^\*\* \(\w+|\bterminate called\b|^\s*what\(\): |Assertion [`'"(].{1,300} failed|\bassertion failed:|^Unhandled exception|^\s*(?:\w+ )?Uncaught\b|^PHP (?:Fatal|Parse) error|^(?:Fatal|Parse) error: /,
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
      /^Killed\b(?! +\d)|\bKilled$|: Killed\b|\d Killed\b|\bSegmentation fault\b|\bcore dumped\b|\bBus error\b|\bIllegal instruction\b|\bFloating point exception\b|\bTrace\/breakpoint trap\b|\bAborted\b(?:$| \()|^Terminated\b|: line \d{1,6}: {1,4}\d{1,9} (?:Aborted|Terminated|Hangup|Alarm clock)\b|\*{3} \[.{1,200}\] (?:Terminated|Hangup)$/i,
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
    reason: 'shell',
    weight: 87,
    pattern:
      /: (?:command )?not found$|: No such file or directory$|: Permission denied$|: (?:unbound variable|parameter not set|bad substitution|Is a directory|Not a directory|File exists|Argument list too long|[Ee]xec format error|Read-only file system|Operation not permitted|Device or resource busy|Text file busy|cannot execute\b.{0,60}|Too many open files|Broken pipe|Directory not empty|cannot overwrite\b.{0,100}|numeric argument required|integer expression expected|unary operator expected|illegal number:.{0,60}|bad interpreter\b.{0,80})$|[Ss]yntax error(?::| near| at)|unexpected (?:end of file|EOF)|^(?:\w+: )?cannot \w+ '|: cannot (?:access|stat|open|create|remove|touch|copy|move)\b/,
  },
  {
    reason: 'time-out',
    weight: 88,
    pattern:
      /^timeout: sending signal|^\+{3,} Timeout \+{3,}$|^\s*(?:error: )?'?(?:[Tt]est|[Hh]ook|[Cc]ommand|[Jj]ob|[Ss]tep|[Tt]ask|[Bb]uild|[Oo]peration|[Pp]rocess|[Tt]imeout|[Ee]xceeded|TIMEOUT)\b.{0,120}(?:timed out|time-?out (?:of|after|exceeded|expired|reached)|exceeded)/,
  },
  {
    reason: 'checksum',
    weight: 86,
    pattern: /^\S{1,300}: FAILED(?: open or read)?$|checksum mismatch|hash mismatch|integrity check/i,
  },
  {
    reason: 'linter',
    weight: 86,
    ofPlaces: true,
    pattern:
      /^\s*\S{1,300}:\d+(?::\d+)?:? +(?:\[?[A-Z]{1,5}\d{2,5}\b|[CEFRW]: |error\b|[\w-]+ DL\d)|^\s+\d+:\d+\s+(?:error|✖|×)\s|^[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S|^[Ww]ould reformat:? \S|^unformatted: \S|^\[warn\] \S{1,300}\.\w{1,8}$|\bSC\d{4} \((?:error|warning|info|style)\)|^Diff in |^\S{1,300}: (?:needs formatting|not formatted)|^ERROR: \S{1,300} Imports are|\| [A-Z]{1,5}\d{2,5} +\| \S|^ *\d+ +\| ERROR +\|/,
  },
  {
    reason: 'code',
    weight: 82,
    pattern:
      /^\[(?!INFO|DEBUG|WARN|ERROR|NOTICE|TRACE|FATAL|START|SUCCE|SKIP|FAIL|PASS|RUNNING|COMPLETE|PENDING|FINISH)(?=[A-Z_]{0,40}(?:ERR|FAIL|MISS|UN|NOT|NO_|INVALID|BAD|DENIED|EXCEED|CONFLICT|DUPLIC|ILLEGAL|CIRCULAR|TIME|MIXED|EMPTY|CANNOT|BROKEN|EVAL|LOST|OVER|ABORT|MIS))[A-Z][A-Z_]{4,40}\] \S/,
  },
  // TeX and many scripts.
  { reason: 'exclamation', weight: 70, pattern: /^!{1,3} (?! |=|\[)(?=.{0,80}[a-z])\S/ },
  {
    reason: 'vulnerability',
    weight: 74,
    pattern: /\b(?:CVE-\d{4}-\d{3,8}|RUSTSEC-\d{4}-\d{4}|GHSA-[a-z0-9]{4}-)/,
  },
  {
    reason: 'exception',
    weight: 66,
    next: 76,
    soon: 3,
    pattern: /^\s*(?:\w{1,60}[.:]{1,2}){0,8}[A-Z]\w{0,80}(?:Error|Exception|NotFound|Failure|Failed)\s{0,3}:\s*$/,
  },
]
