/**
 * What tools say when they fail. Each row: what kind of line it is, how much it tells (0 to 100), and its pattern, on the line as
 * it is read. The first row that matches counts. Summaries ("2 failed", "Error 1") tell that something failed, not what.
 */

export interface Rule {
  /** Which tool says so, or what it is about; shown to nobody but in tests. */
  reason: string
  weight: number
  pattern: RegExp
}

/** The words that lead to a pattern; four letters of each are enough. */
export const words = (
  "erro|err!|fail|fata|exce|pani|trac|caus|cann|can'|coul|unab|not |no s|unde|unre|miss|deni|refu|reje|time|kill|oomk|memo|segm|" +
  'core|inva|unex|expe|asse|unkn|unsu|ille|conf|forb|unau|exit|sign|leak|mism|corr|viol|over|divi|dead|perm|synt|unte|unbo|too |' +
  'must|requ|abor|e   |--- |diff|.go:|.py:|.ts(|.ts:|tsx(|tsx:|.js:|jsx:|mjs:|.rs:|.cc:|cpp:|ava:|.sh:|got |want|inco|unus'
).split('|')

/** Says "error" of something that went well. */
export const harmless =
  /\b(?:0|no|zero|without) (?:errors?|failures?|failed)\b|\bfailed[:=] ?0\b|\berrors?[:=] ?0\b|^\s*(?:ok|PASS|✓|✔|√)\b/i

export const rules: readonly Rule[] = [
  // What only sums up.
  {
    reason: 'summary',
    weight: 15,
    pattern:
      /^npm (?:ERR!|error) (?:A complete log|code (?:ELIFECYCLE|1)\b|errno|Failed at|This is probably|Lifecycle|command |path |workspace |location |signal|Exit status)|^make(?:\[\d+\])?: \*\*\* \[|Error \d+$|^ninja: build stopped|^error: (?:could not compile|test failed|aborting due)|^error Command failed with|BUILD FAILED|BUILD FAILURE|^FAILED \(|^Tests?:? .*\bfailed\b|^Found \d+ errors?|\bexit(?:ed)?(?: with)? (?:code|status)|^\s*\d+ (?:tests? )?(?:failed|errors?|failing)\b|^(?:FAIL|FAILED)$|^test result: FAILED/,
  },
  {
    reason: 'compiler',
    weight: 92,
    pattern: /^\s*(?:[A-Za-z]:)?[^\s:()]{1,300}(?:\(\d+(?:,\d+)?\)|:\d+(?::\d+)?):? ?-? (?:fatal )?error\b/,
  },
  { reason: 'rustc', weight: 90, pattern: /^error\[[A-Z]\d{4}\]: / },
  { reason: 'go', weight: 85, pattern: /^\s*\S{1,300}\.go:\d+(?::\d+)?: \S/ },
  { reason: 'pytest', weight: 88, pattern: /^E {3,}\S/ },
  { reason: 'panic', weight: 88, pattern: /^(?:panic: |thread '[^']{0,200}' .{0,40}panicked at|fatal error: )/ },
  {
    reason: 'exception',
    weight: 82,
    pattern:
      /^\s*(?:Caused by: |Uncaught |Exception in thread "[^"]{0,100}" )?[\w$.]{0,200}(?:Error|Exception)(?: \[\w+\])?(?:: \S|$)/,
  },
  { reason: 'git', weight: 84, pattern: /^fatal: |^CONFLICT \(/ },
  {
    reason: 'shell',
    weight: 84,
    pattern:
      /: (?:command )?not found$|: No such file or directory$|: Permission denied$|: unbound variable$|syntax error near/,
  },
  {
    reason: 'killed',
    weight: 86,
    pattern: /\bOOMKilled\b|\bout of memory\b|^Killed$|Segmentation fault|core dumped|JavaScript heap/i,
  },
  { reason: 'time-out', weight: 74, pattern: /\btimed out\b|\btime-?out (?:of|after|exceeded)/i },
  { reason: 'make', weight: 84, pattern: /^make(?:\[\d+\])?: \*\*\* |^\S{1,300}:\d+: \*\*\* / },
  { reason: 'test', weight: 70, pattern: /^\s*(?:--- FAIL|not ok \d|FAIL\b|FAILED\b|[✖✗×●] |\d+\) )/ },
  { reason: 'npm', weight: 76, pattern: /^npm (?:ERR!|error) \S/ },
  { reason: 'error', weight: 70, pattern: /^\s*(?:\[?(?:error|fatal|ERROR|FATAL|E)\]?|ERR!)(?::| ) ?\S/i },
  {
    reason: 'assertion',
    weight: 60,
    pattern: /\bassert(?:ion)?\b.{0,40}\bfail|\bexpected\b.{1,200}\b(?:got|but|received|actual)\b/i,
  },
  {
    reason: 'error',
    weight: 45,
    pattern: /\berror\b: |\b(?:cannot|could not|unable to|failed to|denied|refused|invalid|missing)\b/i,
  },
  { reason: 'words', weight: 25, pattern: /\b(?:error|failed|failure|fatal|exception)\b/i },
]
