/** Lines that contain "error" although nothing failed, or that show source code. */
export const falsePositive =
  /^\s*[-+] (?:expected|actual|received) +[-+] ?(?:expected|actual|received)\b|(?<!\()\b(?:0|no|zero|without)(?: \w{1,20})? (?:errors?|failures?|failed|problems?)\b|\bfailed[:=] ?0\b|\b(?:errors?|failures?|fail)[:=]? 0\b|^ *(?:ok|PASS|PASSED|[✓✔√☑])(?:\s|$)|^ *(?:\d+ *)?\| (?! *(?:ERROR\b|[\w.]{0,80}(?:Error|Exception|Failure)\b.{0,20}: ))|^[ >]*\d+ *\|(?! ERROR\b)|^[ |]*[\^~][\^~ -]*$|^ *[iℹⓘ] |\.{3} ?ok$|^ +Start +\d+: |[:\s]ok\s*$|\bPASS(?:ED)?(?: {1,4}\[ {0,2}\d{1,3}%\])?$|\. {1,4}Passed\b|^\s*(?:stack traceback:$|\S{1,300}: in (?:function|method|upvalue|local|field|main chunk)\b)|^ *at [\w$.<[]|:\d+:\d+: 0x[\da-f]+ in |^[│|]?[^│|]{0,80}(?:[│|] *\d+ *){1,8}[│|] *$|^ *(?:note(?!: test did not)|help|hint|tip|info|debug|trace|npm verb(?:ose)?|npm info|npm http|npm sill)\b|^ *-- |^[A-Z]\w{0,30}(?: {2,40}[A-Z][a-z]{1,30}){3,}$|^\s*[A-Z][\w ]{1,30}: {1,20}0\s*$|\bshould panic \.\.\. ok|^Unable to find image .{1,200} locally$|^● \S{1,80}\.(?:service|timer|socket|mount) - /i

/** The titles of columns: `Name   Stmts   Miss   Cover   Missing`. */
export const columns = /^(?=.{0,200}\S {2,40}\S)\s{0,20}(?:[A-Z%#][\w%#()/]{0,20} {1,40}){3,12}[A-Z%#][\w%#()/]{0,20}$/

/** A passed test, whatever its name. */
export const passed = /^ *[[(] {0,4}(?:ok|pass(?:ed)?|success|done|[✓✔√+]) {0,4}[\])](?:\s|$)/i

/** The line describes an expected failure. */
export const soft =
  /(?<!timed out )\bretry|\bretries\b|\battempt\b(?! to\b)|\bexpected by|\bis expected|\bas expected|\bexpected (?:failure|error)\b|\bignor|\bwarn|\bdeprecat|\bnon-fatal|\bnot fatal|\bcontinu|\bskip|\boptional\b|\(allowed\)|\ballowed to fail|\bfall(?:ing)? ?back|\bif\b.{1,80}\bfail|\b(?:DEBUG|INFO|VERBOSE|TRACE|NOTICE)\b|\bhandled\b|\brecover(?:ed|ing)\b(?!,)|\bsimulat|\bdeliberate|\bmock|^\(!\) |\btreated as\b|\b(?:go(?:es|ing)?|carr(?:y|ies|ying)) on\b|\bon purpose\b|\btolerat|\bproceeding\b|\bharmless\b|\bstarting without\b|\b(?:creating|installing|downloading|building|generating|making|fetching) (?:it|one|a new one|them)\b|[,;:] (?:using|assuming) |\bcache\b.{0,20}\b(?:not found|miss(?:ed)?|empty|cold)\b|\bnot critical\b|\bnon-critical\b/i

/** Says that warnings count as errors. */
export const strict =
  /\bwarnings?\b.{0,30}\b(?:as|are|to be) (?:an? )?errors?\b|\bwarnings found and -Werror\b|\bmax(?:imum)?[- ]warnings\b|\btoo many warnings\b|\bstrict mode\b|\b(?:fail|abort|stopp?)(?:ing|s|ed)?[- ](?:on|due to|because of)[- ]warn/i

/** Says what to do, not what is wrong. */
export const advice =
  /^\W*(?:(?:ERROR|error)\]?:? {0,4})?(?:Re-?run|See|For more|To (?:see|fix|address|enable|get|learn|re-?run|skip)|Run|Try|Use|Please (?:refer|see|run|make sure|check|read|file|report|consider|update|upgrade)|You (?:can|may|might)|Visit|Learn more|Read more|Note that|Consider|Did you mean|If (?:you|this is)|Make sure|Check (?:that|if|the|your)|Alternatively|Documentation|Docs|Solution|[Uu]sage|Report|Output|Log)\b(?! of)|^[\w./-]{1,30}: (?:see|run|try|use|re-?run|look (?:at|into)) /

/** Says that the previous line does not matter. */
export const ignoredFailure = /^\s*(?:\.{3} ?ignoring|\((?:error )?ignored\)|ignoring(?: error)?|continuing anyway)\b/i

/** Closing messages of a program. */
export const closing =
  /^Node\.js v\d|^\w{1,20}(?:\[\d+\])?: (?:Entering|Leaving) directory |^\W*(?:Transcript|Output|Log|Report|Results?) (?:was |has been )?(?:written|saved) (?:on|to|in) |^\W*(?:done|finished|complete|completed|bye|exiting|clean(?:ing)? ?up|all done)\b.{0,20}$|^\W*(?:\w{1,20} ){0,4}(?:written|saved|uploaded|stored|exported|logged|stopped) ?(?:(?:to|in|at) \S+)?$|^\W*(?:wrote|saved|uploaded) \S|^\W*(?!no )[\w ]{1,30} (?:are|is) (?:in|at|under) (?:https?:|\.{0,2}\/|[\w.-]{1,60}\/)\S{0,200}$/i

/** `docs/a.md: leads nowhere`: a statement in the program's own words. */
export const statement = /^(?:[a-z][\w-]* \d+|[\w-]*[./][\w./-]{1,80}(?::\d+)?): [a-z]/

/** Has nothing but a log level. */
export const mute = /^(?:\s*\[[A-Z]{4,7}\])?[\W_]*$/

/** A name between two bars. */
export const banner = /^[=_*#~─━-]{3,} ?[\w ]{0,40}[=_*#~─━-]{3}/
