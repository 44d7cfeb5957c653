export { linkParam, tokenOfHash } from './address.ts'
export { LinkWall } from './link-wall.tsx'
export { PersonWall } from './person-wall.tsx'
