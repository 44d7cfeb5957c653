import type { Rule } from './rule.ts'

/** Tool-specific lines that are followed by the cause. */
export const toolOpenings: readonly Rule[] = [
  {
    reason: 'trace',
    weight: 20,
    pattern: /^[\s|+]*(?:\w[\w .|+-]{0,40})?Traceback \(most recent call last\)/,
    next: 88,
    dedent: true,
  },
  // The name of the test, and the failure in brackets.
  { reason: 'zig', weight: 80, pattern: /^\d+\/\d+ .{1,200}\.{3} ?FAIL \([^)]{1,80}\)$/ },
  {
    reason: 'rust',
    weight: 90,
    pattern: /^\s*thread '[^']{0,200}' .{0,40}panicked at(?! \S{1,300}:\d+:\d+:$)/,
    opens: 3,
  },
  { reason: 'cmake', weight: 90, pattern: /^CMake Error\b/, opens: 4 },
  { reason: 'gradle', weight: 30, pattern: /^\* What went wrong:/, next: 86, opens: 6 },
  {
    reason: 'gradle',
    weight: 84,
    pattern: /^\s*(?:> )?Could not resolve all (?:files|artifacts|dependencies|task dependencies) for /,
    next: 88,
    soon: 2,
  },
  { reason: 'gradle', weight: 44, pattern: /^Execution failed for task /, next: 70 },
  { reason: 'yaml', weight: 20, pattern: /^ *(?:error|message): [|>]-?$/, next: 80 },
  { reason: 'dotnet', weight: 40, pattern: /^\s*Error Message:$/, next: 86 },
  { reason: 'gtest', weight: 78, pattern: /^\S{1,300}:\d+: (?:Failure|FAILED:?)$/, next: 84, opens: 4 },
  { reason: 'rspec', weight: 70, pattern: /^\s*Failure\/Error: /, opens: 4, next: 78, soon: 3 },
]
