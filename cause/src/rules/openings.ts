import type { Rule } from './rule.ts'

/** Lines followed by the cause: names of failed tests, headings. */
export const openings: readonly Rule[] = [
  {
    reason: 'summary',
    weight: 14,
    pattern:
      /^\s*[✖✗×✘❌⨯] +(?:\d+|Found) (?:of \d+ )?(?:\w+ ){0,3}(?:failed|failing|failures?|errors?|problems?|issues?)\b/,
  },
  {
    reason: 'summary',
    weight: 14,
    pattern:
      /^(?:\w{1,20} )?(?:results?|status|verdict|outcome|conclusion|overall): {0,4}(?:fail|error|not ok|broken)\w{0,6}[.!]?$/i,
  },
  // Output of a passed program, not the name of a test.
  { reason: 'console', weight: 6, pattern: /^\s*● Console$|^\s*console\.(?:error|warn|log|info|debug)\b/ },
  {
    reason: 'message',
    weight: 84,
    pattern:
      /^\s*[✖✘×✗❌⨯] {0,3}(?:\[?(?:[Ee]rror|ERROR)\b[\]:]* |E[A-Z_]{4,40} |.{1,100}: [A-Z]\w{0,60}(?:Error|Exception): )\S/,
  },
  { reason: 'heading', weight: 30, pattern: /^\s*(?:Difference|Diff)\b(?! in ).{0,60}:\s*$/, next: 66, soon: 4 },
  { reason: 'exception', weight: 86, pattern: /^\s*\d+\) [A-Z]\w{0,60}(?:Error|Exception): \S/ },
  { reason: 'expect', weight: 86, pattern: /^\s*(?:Error: )?expect\(/ },
  {
    reason: 'heading',
    weight: 30,
    pattern:
      /^\s*(?:error during build|Error|ERROR|ERRORS|Errors|Failed to compile|Build failed|Compilation failed|Condition not satisfied|Problem \d+)[:.]?\s*$/,
    next: 84,
    soon: 8,
  },
  { reason: 'heading', weight: 30, pattern: /^\s*(?:Error|error|ERROR):? \[[\w-]{1,30}\]$/, next: 60, soon: 3 },
  { reason: 'heading', weight: 50, pattern: /^\w{2,20} aborted!$/, next: 84, soon: 1 },
  // Names the test and the reason in one line.
  { reason: 'test', weight: 68, pattern: /^(?:FAILED|ERROR) \S{1,300}::.{1,300} - \S/, opens: 12 },
  {
    reason: 'heading',
    weight: 40,
    pattern: /^\s*(?:ERROR|Error|error) (?:in|at) \S{1,300}(?: \d{1,7}:\d{1,6}(?:-\d{1,6})?)?:?$/,
    next: 84,
    soon: 3,
  },
  {
    reason: 'panic',
    weight: 84,
    pattern: /^terminate called after throwing an instance of /,
    next: 91,
    soon: 1,
    isNext: true,
  },
  // Gives the position; the message is on the next line.
  {
    reason: 'panic',
    weight: 60,
    pattern: /^\s*thread '[^']{0,200}' .{0,40}panicked at \S{1,300}:\d+:\d+:$/,
    opens: 3,
    next: 90,
    soon: 1,
    isNext: true,
  },
  // A consequence of another failure.
  {
    reason: 'follows',
    weight: 30,
    pattern: /\bdid not finish before its parent and was cancelled\b|^E? *(?:\w{1,40}\.){0,4}CancelledError\s*$/,
  },
  // Several errors joined by Go.
  {
    reason: 'heading',
    weight: 30,
    pattern: /\b(?:\d+ errors?|an error|errors) occurred:\s*$/,
    next: 80,
    soon: 3,
    deeper: true,
  },
  // Only the name of the exception; its message follows after an empty line.
  { reason: 'exception', weight: 70, pattern: /^ {2}[A-Z]\w{0,60}(?:Error|Exception)\s*$/, next: 86, soon: 2 },
  // Frameworks print the source position first, and the message below.
  { reason: 'heading', weight: 30, pattern: /^\s*In \S{1,200}\.php line \d+:\s*$/, next: 82, soon: 4 },
  {
    reason: 'heading',
    weight: 30,
    pattern: /^\s*(?:Description|Details?|Reason|Cause|Message|Diagnosis|What happened)\s*:\s*$/,
    next: 80,
    soon: 4,
  },
  { reason: 'because', weight: 74, pattern: /\bfailed because\b(?! of (?:webpack|the|an?) errors?)/i },
  { reason: 'powershell', weight: 62, pattern: /^\S[^:]{0,60}: \S{1,200}\.ps1:\d+$/ },
  { reason: 'finding', weight: 62, pattern: /^\s*❯❯❱ \S/ },
  {
    reason: 'nothing',
    weight: 74,
    pattern:
      /^\s*(?:\S{1,20}: )?(?:Error: |error: )?[Nn]o (?:\w+ ){0,3}(?:tests?|specs?|files?|targets?|packages?|projects?|modules?|manifests?|scripts?|inputs?)\b.{0,80}\b(?:found|match|matched|matching|specified|to run|exists?)\b/,
  },
  // The line with the file name does not affect the line below it; TAP has the cause in a separate
  // block.
  {
    reason: 'test',
    weight: 62,
    pattern:
      /^ERROR:? +\S{1,200}\.\w{1,5}$|^\s*(?:FAIL(?:ED)?:? +(?:\S{0,200}[/\\]\S{0,200}|\S{1,200}\.\w{1,5})(?: |$)|not ok \d|FAIL(?:ED)?:? +(?!Build|Total)\S{1,200} >)|\*{3} ?(?:Exception|Timeout)\b|<<< (?:FAILURE|ERROR)!/,
    opens: 12,
  },
  {
    reason: 'test',
    weight: 62,
    pattern:
      /^\s*(?:_{4,} .{1,200} _{4,}$|---- .{1,200} stdout ----|(?:Failure|Error) (?:\(|→ ?)|\d+\) (?:Failure|Error):?$|(?:FAIL|ERROR): \w+ \()|\*{3} ?Failed\b|\| FAIL \||\bTest Failed at \S|^[* ]*\S.{1,200}\.{2,} ?\*{0,3}(?:FAILED|FAIL|ERROR|not ok|failed|Failed)\b/,
    opens: 12,
    next: 60,
    soon: 5,
  },
  {
    reason: 'test',
    weight: 62,
    pattern:
      /^\S.{1,200} > .{1,200} FAILED$|^\s*(?:--- FAIL|FAIL(?:ED)?:? +(?!Build|Total)\S|\[(?:FAIL|FAILED|fail)\]:?\s+\S|Failed \S{1,200} \[|(?:[✖✕✗✘●⨯❌◼]|🔴|💥) {0,4}\S|× \S|\d+\) \S|\[ {1,3}FAILED {1,3}\] \S|[-•] .{1,200} (?:\[FAIL(?:ED)?\]|FAILED\b)|# +Failed test|Scenario: .{1,200}FAILED)|\*{3} ?FAILED\b|^test .{1,200} \.\.\. FAILED$|^ERROR:? (?:at|collecting) |\bFAILED(?: \[\d+\]| - \d+\)|: \d+)?$|\[FAIL\]$| \[E\]$|:\s{1,4}FAIL(?: \(|$)|^Test Case .{1,200} failed \(/,
    opens: 12,
    next: 60,
    soon: 4,
    deeper: true,
  },
]
