import type { Rule } from './rule.ts'

/** Messages of single tools. */
export const tools: readonly Rule[] = [
  {
    reason: 'linker',
    weight: 91,
    pattern:
      /\bundefined reference to\b|\bmultiple definition of\b|\bcannot find -l|^Undefined symbols? |\bundefined symbol:|\bsymbol\(s\) not found/,
  },
  { reason: 'kotlin', weight: 91, pattern: /^e: (?:file:\/\/)?\/?\S{1,300}:? ?\(?\d+[:,] ?\d+\)?:? \S/ },
  { reason: 'rustc', weight: 91, pattern: /^error\[\w[\w-]{0,60}\]: \S/ },
  {
    reason: 'erlang',
    weight: 82,
    pattern:
      /^\s*\*\*(?:error|exit|throw):|\{(?:badmatch|badarith|badarg|function_clause|case_clause|undef|noproc|timeout)\b/,
  },
  { reason: 'maven', weight: 90, pattern: /\bFailed to execute goal on project \S+: Could not \S/ },
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
  { reason: 'pytest', weight: 92, pattern: /^E {3,}(?:SyntaxError|IndentationError|TabError)\b/ },
  { reason: 'pytest', weight: 90, pattern: /^E {3,}(?! |\+|where|\^|[-?] )\S/ },
  { reason: 'git', weight: 56, pattern: /^ ! \[remote rejected\].{1,200}\bhook declined\)/ },
  {
    reason: 'git',
    weight: 87,
    pattern:
      /^fatal: |^CONFLICT \(|^ ! \[\w|^error: (?:pathspec|patch failed|Your local changes|cannot|unable|src refspec|object|The following)|^remote: (?:error|fatal|Permission|Repository not found)|^Host key verification failed|^(?:\S{1,80}: )?Permission denied \(|^ssh: /,
  },
  {
    reason: 'make',
    weight: 88,
    pattern:
      /^make(?:\[\d+\])?: (?:\*\*\* (?!\[)|\S{1,300}: (?:No such|Permission|Command))|^\S{1,300}:\d+: \*\*\* |^ninja: error: |^configure: error: (?!in \S{1,300}:$)|: ERROR: |No rule to make target/,
  },
  {
    reason: 'network',
    weight: 86,
    pattern:
      /^(?:curl|wget|ssh|scp|rsync|psql|mysql|redis-cli|kubectl|helm|jq|tar|unzip|gzip|sed|awk|grep|find|cp|mv|rm|ln|mkdir|chmod|chown|install|docker|apt(?:-get)?|dpkg|yum|dnf|apk|pip3?|python3?|node|ruby|perl|php|java|aws|gcloud|az|terraform|ansible|systemctl|sudo|su|xargs|env|exec|sort|diff|cmp|test|dd|mount|base64|openssl|gpg|ssh-keygen|bash|sh|zsh|cat|head|tail|date|touch|timeout(?!: [\d.]+)|sha\d+sum|md5sum): (?:\(\d+\) |error: |fatal: |ERROR:? |line \d+: |\d+: )?\S.{2,}/,
  },
  {
    reason: 'container',
    weight: 87,
    pattern:
      /^ERROR: (?:failed to (?:solve|build)|process "|Service|for )|^Error response from daemon|^Cannot connect to the Docker daemon|\bmanifest (?:unknown|for)\b|^Error from server|pull access denied|^docker: |^The connection to the server/,
  },
  {
    reason: 'npm',
    weight: 60,
    pattern:
      /^npm (?:ERR!|error) (?:code |\d{3}$|engine Unsupported engine$|$)|^npm (?:ERR!|error) (?:syscall|dest|file|stack|gyp info|cwd|node -v|Node|npm|OS|argv)\b/,
  },
  // Findings on the way, and repeated output of a script.
  {
    reason: 'npm',
    weight: 68,
    pattern:
      /^npm (?:ERR!|error) (?!.{0,400}(?:\b(?:[Nn]ot?|[Cc]annot|can only|[Cc]ould|[Uu]nable|[Ii]nvalid|[Mm]issing|[Ff]ail(?:ed|ure|s)?|[Ee]rrors?|[Rr]equired?|[Mm]ust|[Uu]?n?[Ee]xpected|[Uu]nsupported|[Ii]ncompatible|[Dd]enied|[Rr]efused|[Ff]orbidden|[Uu]nauthorized|[Cc]onflict\w*|[Mm]ismatch|timed? ?out|[Ee]xceeds?|[Ee]xists?|[Cc]orrupt(?:ed)?|[Ee]xpired?|[Ww]rong|[Bb]ad|[Bb]roken|[Uu]nknown|in sync|[45]\d\d)\b|n't\b|[A-Z]\w{2,40}(?:Error|Exception)\b|\bE[A-Z]{4,}\b))\S/,
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
  // The remote says why it rejects a push before git reports the rejection.
  {
    reason: 'remote',
    weight: 62,
    pattern:
      /^remote: {1,8}(?!\w{2,12}ing\b|bye\b|done\b|Resolving|Counting|Compressing|Total|Enumerating|Finding|Create|To create|View|Visit|https?:|={3}|-{3}|\*{3})\S*\w/,
  },
  { reason: 'pre-commit', weight: 60, pattern: /^- files were modified by this hook/ },
]
