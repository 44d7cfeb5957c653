/** Says "error" of something that went well, or shows somebody's source. */
export const harmless =
  /\b(?:0|no|zero|without)(?: \w{1,20})? (?:errors?|failures?|failed|problems?)\b|\bfailed[:=] ?0\b|\b(?:errors?|failures?|fail)[:=]? 0\b|^ *(?:ok|PASS|PASSED|[✓✔√])(?:\s|$)|^ *(?:\d+ *)?\| (?! *(?:ERROR\b|[\w.]{0,80}(?:Error|Exception|Failure)\b.{0,20}: ))|^[ >]*\d+ *\|(?! ERROR\b)|^[ |]*[\^~][\^~ -]*$|^ *[iℹⓘ] |\.{3} ?ok$|[:\s]ok$|\bPASS(?:ED)?$|^ *at [\w$.<[]|^ *(?:note|help|hint|info|debug|trace|npm verb(?:ose)?|npm info|npm http|npm sill)\b|^ *-- |\bshould panic \.\.\. ok/i

/** The line speaks of a failure that somebody was ready for. */
export const soft =
  /(?<!timed out )\bretry|\bretries\b|\battempt\b|\bexpected by|\bis expected|\bas expected|\bexpected (?:failure|error)\b|\bignor|\bwarn|\bdeprecat|\bnon-fatal|\bnot fatal|\bcontinu|\bskip|\boptional\b|\(allowed\)|\ballowed to fail|\bfall(?:ing)? ?back|\bif\b.{1,80}\bfail|\b(?:DEBUG|INFO|VERBOSE|TRACE|NOTICE)\b|\bhandled\b|\brecover(?:ed|ing)\b(?!,)|\bsimulat|\bdeliberate|\bmock/i

/** Says of the line before that it does not matter. */
export const forgiven = /^\s*(?:\.{3} ?ignoring|\((?:error )?ignored\)|ignoring(?: error)?|continuing anyway)\b/i
