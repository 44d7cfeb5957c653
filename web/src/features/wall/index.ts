export { PersonWall } from './person-wall.tsx'
