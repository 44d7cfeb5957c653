import type { Rule } from './rule.ts'

/** Prefixes that a summary shares with other lines. */
export const beforeSum = /^\s*(?:\[?(?:error|ERROR|Error|info|INFO|warn)\]?:{0,2} {1,4}|[✖✗×✘❌⨯>] +|\*{2,3} )?/

/** Summaries, which only say that something failed. */
export const sums: readonly Rule[] = [
  {
    reason: 'summary',
    weight: 14,
    pattern:
      /^npm (?:ERR!|error) (?:A complete log|code (?:ELIFECYCLE|\d)|errno|Failed at|This is probably|Lifecycle|command |path |workspace |location |signal|Exit status|Test failed|Error: command failed)|^make(?:\[\d+\])?: \*{3} \[.{0,200}\] (?!Aborted|Segmentation|Killed|Bus error|Illegal|Floating|Terminated|Hangup|Trace)|\bError \d+(?: \(ignored\))?$|^ninja: build stopped|^error: (?:could not compile|test failed|aborting due|build failed|\d+ )|^error Command failed|\bBUILD FAILED|\bBUILD FAILURE|^FAILED \(|^ *(?:Tests?|Test Files|Test Suites|Suites|Snapshots?|Failures?|Errors?):? +\d|^Found \d+ (?:errors?|problems?)|\b[Ee]xit(?:ed|ing)?(?: with)?(?: exit)? (?:status )?(?:code|status|value)\b|^ *(?:[✖✗×] )?\d+ (?:\w{1,20} )?(?:failed|errors?|failing|failures?|problems?)\b|^(?:FAIL|FAILED|ERROR|Failed|Error)[:!.]?$|^test result: FAILED|\bexited \(?[1-9]\d{0,2}\b|^collect2: error|ld returned \d+ exit|linker command failed|non-zero exit|nonzero exit|returned non-zero|^\S{0,60}: Exiting with failure|exiting now$|\bcommand finished with error\b|\(Wstat: \d|\bWARNING: \d+ (?:computed checksums?|listed files?|lines? (?:is|are))\b|^={3}|^-{3,}(?! [\w./])|^\*{3,} (?!Sorry)|^SUMMARY: |^Error: Process completed|^# fail \d|^ℹ fail \d|^FAILURES?(?:!|: )|^There (?:was|were) \d|\b[Ff]ailed with \d+ (?:\w{1,20} ){0,2}(?:errors?|issues?|violations?|problems?|findings?|warnings?)\b|^\[ERROR\] (?:To see|Re-run|For more|After correcting|$|-> \[|\[Help)|There were (?:failing|test) |; see the compiler error|^ *\d+%? tests? passed, \d+|^Errors while running|^FAIL\t\S|^FAIL \S+ \[build failed\]|^error: failed to push some refs|ELIFECYCLE|^Command failed\b|^SystemExit\b(?:: (?:exit|\d+))?$|\bFailed with result '|^Unable to complete|RECURSIVE_RUN_FIRST_FAIL|\bbuild aborted\b|^FAILED: Build|^ERROR: Couldn't start|^Error: execution of an external program failed/,
  },
]

/** Summaries that match after the prefix is removed. */
export const sumsOfAny: readonly Rule[] = [
  {
    reason: 'summary',
    weight: 14,
    pattern:
      /^(?:[\w@/.-]{1,40}: )?(?:Found |Total |Executed |one |There (?:was|were|are|is) )?(?:an? )?(?:\d+ |one |some |all |the )?(?:of \d+ )?(?:\w+ ){0,3}(?:tests?|test suites?|specs?|examples?|builds?|updates?|deployments?|deploy|pipelines?|workflows?|rollouts?|stages?|steps?|compilations?|tasks?|targets?|jobs?|commands?|suites?|linting|lint|checks|scripts?|projects?|packages?|hooks?|crates?|units?|scenarios?)(?: run| execution| target| suite)? (?:\w+ )?(?:has |have |had |was |were |did )?(?:failed|failing|failures?|FAILED|unsuccessful|not pass(?:ed)?|errored|aborted|not complete)\b(?:[^:]|:\S){0,60}$/i,
  },
  {
    reason: 'summary',
    weight: 14,
    pattern:
      /^\d+ (?:[a-z]+ ){0,2}[a-z]+(?:\(s\))? found\.?$|^(?:Found |Total (?:of )?|Executed |Ran |There (?:was|were|are|is) |one )?(?:\d+ )?(?:[a-z]+ ){0,2}(?:errors?|failures?|problems?|offenses?|issues?|violations?|warnings?|vulnerabilities|findings)(?: \(s\))? (?:found|generated|detected|in total|reported|occurred|total)\b|^(?:Found |FOUND |Total (?:of )?)\d+ (?:\w+ ){0,3}(?:errors?|failures?|problems?|offenses?|issues?|violations?|vulnerabilities|warnings?)\b|^Failed tests?:?$|^'test failed'|^error: 'test failed'|^\d+ FAILED TEST|\bencountered (?:an? |some |\d+ )?(?:problems?|errors?)\b[^:]{0,90}$|^(?:Command|Process|Script|Job|Step|Task|Action|Run|Execution)\b[^:]{0,80}\b(?:failed|exited|returned)\b[^:]{0,40}$|\bTotal time: |errors have been logged|^Failures? occurred|\bTests unsuccessful|^\d+ (?:tests?|specs?|examples?|assertions?|files?|scenarios?|runs)\b.{0,60}\b(?:fail|error|offense)|^Tests? failures$|^(?:LoadError: )?(?:Some|Several) .{1,40} (?:did not pass|have failed)|^Status: \d|^\d+ (?:\w+ ){1,3}(?:over|above|below|beyond|under|outside|too \w+)\b[^:]{0,40}$|^(?:\w+: )?\d+ \|.{0,40}\b\d+ (?:passed|failed)\b|^(?:.{0,40}\W)?\d+ (?:passed|passing|ok|succeeded)\b.{0,60}\b\d+ (?:failed|failing|errors?|broken)\b|^(?:.{0,40}\W)?\d+ (?:failed|failing|errors?|broken)\b.{0,60}\b\d+ (?:passed|passing|succeeded)\b|^(?:[\w ]{1,40}: )?\d+ (?:of|out of|\/) \d+ (?:[a-z]+ ){1,3}(?:exceeded|failed|missing|wrong|bad|broken|over|left|invalid|differ\w{0,3})\b[^:]{0,20}$|^[^:]{0,80}\b(?:contains?|has|had|have|with) (?:some |\d+ )?(?:errors?|problems?|issues?|failures?)[.!]?$|\bended with (?:code |status )?[1-9]\d{0,2}\.?$|^Package \S+ errored|^BUILD FAILED|^APPLICATION FAILED|^Aborting\b.{0,20}$|^Failed to (?:execute the build plan|run (?:all )?(?:hooks|tests))/i,
  },
]
