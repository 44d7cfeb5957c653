/**
 * The automaton of `Masker`: Aho–Corasick for the leftmost, longest, non-overlapping matches, in
 * time linear in the text.
 *
 * Plain Aho–Corasick has to rescan text if a long value starts with a short one: `ab` and `abababX`
 * in `ababab…`. Here each failure link also records the output for the text so far: its first match
 * or first character is final, and the rest is processed as a new text.
 */

export interface MaskedValue {
  /** At least two UTF-16 code units. */
  value: string
  replacement: string
}

/** Literal text and replacements in text order: a leaf, or two results in sequence. */
const [literal, replaced] = [-1, -2]

/** Receives the result for a piece of the text: its `length` code units are kept or replaced. */
export type OnMatch = (length: number, replacement: string | undefined) => void

export class MaskAutomaton {
  readonly isEmpty: boolean
  /**
   * The child by (node, code unit), in a hash table with open addressing. Keys are stored plus 1; 0
   * marks a free slot.
   */
  private readonly keys: Float64Array
  private readonly children: Int32Array
  private readonly roots = new Int32Array(0x1_00_00)
  /** By node: the node to continue from after its `results` are output. */
  private readonly links: Int32Array
  private readonly results: Int32Array
  private readonly branches: Uint8Array
  /** Per result: a kind or the first half, and a length or the second half. */
  private readonly first: number[] = []
  private readonly second: number[] = []
  private readonly texts: string[] = []
  private readonly textOf: number[] = []

  /** The first of equal values wins. */
  constructor(values: readonly MaskedValue[]) {
    const size = values.reduce((sum, { value }) => sum + value.length, 1)
    this.isEmpty = values.length === 0
    const capacity = this.isEmpty ? 1 : 2 ** Math.ceil(Math.log2(2 * size))
    this.keys = new Float64Array(capacity)
    this.children = new Int32Array(capacity)
    this.links = new Int32Array(size)
    this.results = new Int32Array(size)
    this.branches = new Uint8Array(size)
    const parents = new Int32Array(size)
    const units = new Uint16Array(size)
    const depths = new Int32Array(size)
    /** By node: the index of the value that ends there, plus 1. */
    const ends = new Int32Array(size)
    let count = 1
    values.forEach(({ value }, index) => {
      let node = 0
      for (let at = 0; at < value.length; at += 1) {
        const unit = value.charCodeAt(at)
        let child = this.child(node, unit)
        if (child === 0) {
          child = count
          count += 1
          this.addChild(node, unit, child)
          parents[child] = node
          units[child] = unit
          depths[child] = at + 1
        }
        node = child
      }
      if (node !== 0 && ends[node] === 0) ends[node] = index + 1
    })
    for (const node of byDepth(depths, count)) {
      const end = ends[node] ?? 0
      const value = values[end - 1]
      if (value) this.results[node] = this.addReplacement(value)
      else this.link(node, parents[node] ?? 0, units[node] ?? 0)
    }
  }

  child(node: number, unit: number): number {
    if (node === 0) return this.roots[unit] ?? 0
    const key = node * 0x1_00_00 + unit + 1
    const mask = this.keys.length - 1
    for (let slot = slotOf(node, unit) & mask; ; slot = (slot + 1) & mask) {
      const found = this.keys[slot]
      if (found === key) return this.children[slot] ?? 0
      if (found === 0) return 0
    }
  }

  /** No value continues beyond this node. */
  isLeaf(node: number): boolean {
    return this.branches[node] === 0
  }

  /** Emits the final part of the text up to `node`; returns the node of the rest. */
  follow(node: number, settle: OnMatch): number {
    const stack = [this.results[node] ?? 0]
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      const [first = literal, second = 0] = [this.first[id], this.second[id]]
      if (first >= 0) stack.push(second, first)
      else settle(second, first === replaced ? this.texts[this.textOf[id] ?? 0] : undefined)
    }
    return this.links[node] ?? 0
  }

  private addChild(node: number, unit: number, child: number): void {
    this.branches[node] = 1
    if (node === 0) {
      this.roots[unit] = child
      return
    }
    const mask = this.keys.length - 1
    let slot = slotOf(node, unit) & mask
    while (this.keys[slot] !== 0) slot = (slot + 1) & mask
    this.keys[slot] = node * 0x1_00_00 + unit + 1
    this.children[slot] = child
  }

  /** Links a node that does not complete a value and whose parent is already linked. */
  private link(node: number, parent: number, unit: number): void {
    if (parent === 0) {
      this.results[node] = this.addLiteral(1)
      return
    }
    let result = this.results[parent] ?? 0
    let suffix = this.links[parent] ?? 0
    for (;;) {
      const child = this.child(suffix, unit)
      if (child !== 0 || suffix === 0) {
        this.links[node] = child
        this.results[node] = child === 0 ? this.join(result, this.addLiteral(1)) : result
        return
      }
      result = this.join(result, this.results[suffix] ?? 0)
      suffix = this.links[suffix] ?? 0
    }
  }

  private add(first: number, second: number): number {
    this.second.push(second)
    return this.first.push(first) - 1
  }

  private addLiteral(length: number): number {
    return this.add(literal, length)
  }

  private addReplacement({ value, replacement }: MaskedValue): number {
    const id = this.add(replaced, value.length)
    if (this.texts.at(-1) !== replacement) this.texts.push(replacement)
    this.textOf[id] = this.texts.length - 1
    return id
  }

  private join(one: number, other: number): number {
    if (this.first[one] === literal && this.first[other] === literal)
      return this.addLiteral((this.second[one] ?? 0) + (this.second[other] ?? 0))
    return this.add(one, other)
  }
}

/** Multiplies by odd numbers to spread the children of neighboring nodes over the table. */
const slotOf = (node: number, unit: number): number => (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7

/** All nodes but the root, in breadth-first order. */
function byDepth(depths: Int32Array, count: number): Int32Array {
  const deepest = depths.reduce((max, depth) => Math.max(max, depth), 0)
  const starts = new Int32Array(deepest + 2)
  for (let node = 1; node < count; node += 1)
    starts[(depths[node] ?? 0) + 1] = (starts[(depths[node] ?? 0) + 1] ?? 0) + 1
  for (let depth = 1; depth < starts.length; depth += 1) starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0)
  const sorted = new Int32Array(Math.max(0, count - 1))
  for (let node = 1; node < count; node += 1) {
    const depth = depths[node] ?? 0
    const at = starts[depth] ?? 0
    sorted[at] = node
    starts[depth] = at + 1
  }
  return sorted
}
