export function builtFirstLoad(): { file: string; size: number }[]
