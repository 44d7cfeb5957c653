/**
 * What programs print, and the cells that a terminal shows. Each expected span is a text with its
 * style in words: `1`…`255` or `#rrggbb` for the color, the same after `on` for the background, the
 * names of the flags, and the URL of a link.
 */

export interface Sample {
  name: string
  /** Lines without line ends; a style continues on the next line. */
  input: string[]
  expected: Stretch[][]
}
export type Stretch = [text: string, look?: string, href?: string]

const e = '\u001b'
const st = `${e}\\`

export const corpus: Sample[] = [
  {
    name: 'ls --color',
    input: [`${e}[0m${e}[01;34msrc${e}[0m  ${e}[01;32mrun.sh${e}[0m  ${e}[40;33;01mtty${e}[0m  file`],
    expected: [[['src', 'bold 4'], ['  '], ['run.sh', 'bold 2'], ['  '], ['tty', 'bold 3 on 0'], ['  file']]],
  },
  {
    name: 'gcc with links to the manual',
    input: [
      `${e}[01m${e}[Ka.c:1:5:${e}[m${e}[K ${e}[01;35m${e}[Kwarning: ${e}[m${e}[Kunused [${e}]8;;https://gcc.gnu.org/w${e}\\${e}[01;35m${e}[K-Wunused${e}[m${e}[K${e}]8;;${e}\\]`,
    ],
    expected: [
      [
        ['a.c:1:5:', 'bold'],
        [' '],
        ['warning: ', 'bold 5'],
        ['unused ['],
        ['-Wunused', 'bold 5', 'https://gcc.gnu.org/w'],
        [']'],
      ],
    ],
  },
  {
    name: 'npm: spinner, erased, then the result',
    input: [`${e}[1G${e}[0K⠋${e}[1G${e}[0K⠙${e}[1G${e}[0K`, 'added 12 packages in 3s'],
    expected: [[], [['added 12 packages in 3s']]],
  },
  {
    name: 'git: counting objects',
    input: [
      'remote: Counting objects:  50% (1/2)\rremote: Counting objects: 100% (2/2)\rremote: Counting objects: 100% (2/2), done.',
    ],
    expected: [[['remote: Counting objects: 100% (2/2), done.']]],
  },
  {
    name: 'curl: a bar that grows',
    input: ['\r#####                 25.0%\r##########            50.0%\r##################### 100.0%'],
    expected: [[['##################### 100.0%']]],
  },
  {
    name: 'wget: a shorter line over a longer one leaves its rest',
    input: ['downloading file\rdone'],
    expected: [[['doneloading file']]],
  },
  { name: 'pip: erased to the end first', input: [`downloading file\r${e}[Kdone`], expected: [[['done']]] },
  {
    name: 'yarn: the whole line erased',
    input: [`[1/4] Resolving${e}[2K${e}[1G[2/4] Fetching`],
    expected: [[['[2/4] Fetching']]],
  },
  {
    name: 'docker: up a row, erased, written again',
    input: [`${e}[1A${e}[2K\rabc: Pull complete${e}[1B`],
    expected: [[['abc: Pull complete']]],
  },
  { name: 'buildkit: erased below', input: [`#5 transferring 1kB\r${e}[J#5 done`], expected: [[['#5 done']]] },
  {
    name: 'jest',
    input: [
      `${e}[0m${e}[7m${e}[1m${e}[32m PASS ${e}[39m${e}[22m${e}[27m${e}[0m ${e}[2mtest/${e}[22m${e}[1ma.test.js${e}[22m`,
    ],
    expected: [[[' PASS ', 'bold inverse 2'], [' '], ['test/', 'dim'], ['a.test.js', 'bold']]],
  },
  {
    name: 'cargo',
    input: [
      `${e}[0m${e}[0m${e}[1m${e}[32m   Compiling${e}[0m serde v1.0`,
      `${e}[1m${e}[38;5;9merror[E0308]${e}[0m${e}[0m${e}[1m: mismatched${e}[0m`,
    ],
    expected: [
      [['   Compiling', 'bold 2'], [' serde v1.0']],
      [
        ['error[E0308]', 'bold 9'],
        [': mismatched', 'bold'],
      ],
    ],
  },
  {
    name: 'a colour over several lines',
    input: [`${e}[31mfirst`, 'second', `third${e}[0m plain`],
    expected: [[['first', '1']], [['second', '1']], [['third', '1'], [' plain']]],
  },
  {
    name: 'true colours, with semicolons and with colons',
    input: [`${e}[38;2;255;128;0morange${e}[m${e}[48:2::1:2:3mdark${e}[m${e}[38:2:1:2:3mold`],
    expected: [
      [
        ['orange', '#ff8000'],
        ['dark', 'on #010203'],
        ['old', '#010203'],
      ],
    ],
  },
  {
    name: '256 colours',
    input: [`${e}[38;5;196;48;5;17mred on blue${e}[39mblue stays${e}[49m`],
    expected: [
      [
        ['red on blue', '196 on 17'],
        ['blue stays', 'on 17'],
      ],
    ],
  },
  {
    name: 'bright colours',
    input: [`${e}[91mx${e}[101my${e}[97;107mz`],
    expected: [
      [
        ['x', '9'],
        ['y', '9 on 9'],
        ['z', '15 on 15'],
      ],
    ],
  },
  {
    name: 'a curly underline in a colour of its own',
    input: [`${e}[4:3;58;5;31mtypo${e}[24;59m ok`, `${e}[58:2::1:2:3;1mx`],
    expected: [[['typo', 'underline'], [' ok']], [['x', 'bold']]],
  },
  {
    name: 'everything at once, and off again one by one',
    input: [`${e}[1;2;3;4;7;9ma${e}[22mb${e}[23mc${e}[24md${e}[27me${e}[29mf`],
    expected: [
      [
        ['a', 'bold dim italic underline inverse strike'],
        ['b', 'italic underline inverse strike'],
        ['c', 'underline inverse strike'],
        ['d', 'inverse strike'],
        ['e', 'strike'],
        ['f'],
      ],
    ],
  },
  {
    name: 'blinking, fonts, frames: not shown',
    input: [`${e}[5;6;10;21;51;53;73mx`],
    expected: [[['x', 'underline']]],
  },
  { name: 'a parameter too long to be one', input: [`${e}[99999999999999999999;31mx`], expected: [[['x', '1']]] },
  { name: 'window title', input: [`${e}]0;make all\u0007cc a.c`, `${e}]2;x${st}y`], expected: [[['cc a.c']], [['y']]] },
  { name: 'progress for the task bar', input: [`${e}]9;4;1;50${st}half`], expected: [[['half']]] },
  {
    name: 'shell marks',
    input: [`${e}]133;A${st}$ ${e}]133;B\u0007make${e}]1337;x=y\u0007`],
    expected: [[['$ make']]],
  },
  { name: 'a picture', input: [`${e}Pq#0;2;0;0;0#0~~@@vv${st}behind it`], expected: [[['behind it']]] },
  {
    name: 'modes: cursor, paste, other screen',
    input: [`${e}[?25l${e}[?2004h${e}[?1049hx${e}[?25h`],
    expected: [[['x']]],
  },
  { name: 'character sets and keypad', input: [`${e}(B${e})0${e}=a${e}>b${e}7c${e}8`], expected: [[['abc']]] },
  { name: 'questions to the terminal', input: [`${e}[6n${e}[c${e}[>0q${e}[!px`], expected: [[['x']]] },
  { name: 'eight-bit forms', input: ['a\u009b31mb\u009d0;title\u009cc\u0085d'], expected: [[['abcd']]] },
  {
    name: 'a sequence that is cut off',
    input: [`x${e}`, `x${e}[`, `x${e}[38;5`, `x${e}]8;;https://a.b`],
    expected: [[['x']], [['x']], [['x']], [['x']]],
  },
  { name: 'an escape inside of a sequence', input: [`x${e}[3${e}[1my`], expected: [[['x'], ['y', 'bold']]] },
  { name: 'CR LF is only a line end', input: ['one\r', 'two\r\r'], expected: [[['one']], [['two']]] },
  { name: 'backspaces', input: ['10%\b\b\b50%', 'a\b\b\bb'], expected: [[['50%']], [['b']]] },
  { name: 'overstruck as by man', input: ['N\bNA\bAM\bME\bE', '_\bx'], expected: [[['NAME']], [['x']]] },
  { name: 'colour under what is written over', input: [`${e}[31mred${e}[0m\rb`], expected: [[['b'], ['ed', '1']]] },
  { name: 'erased to the left', input: [`abcdef${e}[3D${e}[1KX`], expected: [[['   Xef']]] },
  {
    name: 'erased to the left, twice, and written on',
    input: [`abcdef\rxy${e}[1K${e}[5G${e}[1Kz`],
    expected: [[['    zf']]],
  },
  { name: 'a tab under what is written over', input: ['\tb\rXY'], expected: [[['XY      b']]] },
  { name: 'a tab alone stays one', input: ['a\tb'], expected: [[['a\tb']]] },
  { name: 'emoji and CJK are cells', input: ['表👩x\rab'], expected: [[['abx']]] },
  { name: 'zero bytes and bells', input: ['a\u0000b\u0007c\u007fd'], expected: [[['abcd']]] },
  {
    name: 'links: closed, and over two looks',
    input: [`${e}]8;id=7;https://a.b/c${st}a${e}[1mb${e}]8;;${st}c`],
    expected: [
      [
        ['a', '', 'https://a.b/c'],
        ['b', 'bold', 'https://a.b/c'],
        ['c', 'bold'],
      ],
    ],
  },
  {
    name: 'links that are none',
    input: [
      `${e}]8;;javascript:alert(1)${st}x${e}]8;;${st}`,
      `${e}]8;;data:text/html,y${st}y`,
      `${e}]8;;ftp://a/b${st}z`,
    ],
    expected: [[['x']], [['y']], [['z']]],
  },
  {
    name: 'plain addresses',
    input: ['see https://a.b/c?d=e#f, or (http://g.h/i).', 'mail <mailto:x@y.z>'],
    expected: [
      [
        ['see '],
        ['https://a.b/c?d=e#f', '', 'https://a.b/c?d=e#f'],
        [', or ('],
        ['http://g.h/i', '', 'http://g.h/i'],
        [').'],
      ],
      [['mail <'], ['mailto:x@y.z', '', 'mailto:x@y.z'], ['>']],
    ],
  },
  {
    name: 'markup',
    input: ['<script>alert(1)</script> &lt; &amp;'],
    expected: [[['<script>alert(1)</script> &lt; &amp;']]],
  },
  { name: 'nothing', input: ['', `${e}[31m`, `${e}[0m`], expected: [[], [], []] },
]
